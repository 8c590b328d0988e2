import { describe, expect, test } from "vitest";
import type { AlternativeView, DecisionView, PartKindView } from "../protocol/types";
import { findMissingPart, listControls } from "./controls";
import {
  alternativeOfCard,
  blockedReason,
  carryOver,
  emptySelection,
  fitAlternative,
  moveOfSelection,
  positionAmongOptions,
  selectTarget,
  type Target,
  targetState,
} from "./selection";

const alternative = (index: number, ...kinds: PartKindView[]): AlternativeView => ({
  name: `a${index}`,
  label: [{ text: `A${index}` }],
  index,
  legal: true,
  parts: kinds.map((kind, i) => ({ name: `p${i}`, kind })),
});
const decide = (...alternatives: AlternativeView[]): DecisionView => ({ id: 7, alternatives });
/** Cards 10..19 have face 1, 20..29 face 2, and so on. */
const faceOf = (handle: number) => Math.floor(handle / 10);
const card = (handle: number): Target => ({ kind: "card", handle });
const start = emptySelection(7);

describe("one card", () => {
  const decision = decide(
    alternative(0, { card: { options: [10, 11], blocked: [{ handle: 20, reason: [{ text: "Follow suit" }] }] } }),
  );

  test("a playable card is open, a blocked card has a reason, any other card is idle", () => {
    expect(targetState(decision, start, card(10), faceOf)).toBe("open");
    expect(targetState(decision, start, card(20), faceOf)).toBe("blocked");
    expect(targetState(decision, start, card(30), faceOf)).toBe("idle");
    expect(blockedReason(decision, 20)).toEqual([{ text: "Follow suit" }]);
    expect(blockedReason(decision, 10)).toBeNull();
  });

  test("picking a card makes the move, picking another replaces it, picking it again clears it", () => {
    const first = selectTarget(decision, start, card(10), faceOf);
    expect(moveOfSelection(decision, first, faceOf)).toEqual({ decision: 7, alternative: 0, parts: [{ card: 10 }] });
    expect(selectTarget(decision, first, card(11), faceOf).cards).toEqual([11]);
    expect(selectTarget(decision, first, card(10), faceOf).cards).toEqual([]);
  });

  test("a blocked card can't be picked", () => {
    expect(selectTarget(decision, start, card(20), faceOf)).toBe(start);
  });

  test("a card that fits two alternatives needs a button", () => {
    const two = decide(
      alternative(0, { card: { options: [10], blocked: [] } }),
      alternative(1, { card: { options: [10], blocked: [] } }),
    );
    const picked = selectTarget(two, start, card(10), faceOf);
    expect(moveOfSelection(two, picked, faceOf)).toBeNull();
    expect(listControls(two, picked, faceOf).map((c) => c.kind === "button" && c.move?.alternative)).toEqual([0, 1]);
  });
});

describe("several cards in order", () => {
  const decision = decide(alternative(0, { cards: { low: 2, high: 2, options: [10, 20, 30], ordered: true } }));

  test("are complete only at the right count, and keep the order in which they were picked", () => {
    const one = selectTarget(decision, start, card(30), faceOf);
    expect(fitAlternative(decision.alternatives[0] as AlternativeView, one, faceOf).complete).toBe(false);
    const two = selectTarget(decision, one, card(10), faceOf);
    const [button] = listControls(decision, two, faceOf);
    expect(button?.kind === "button" && button.move?.parts).toEqual([{ cards: [30, 10] }]);
    expect(moveOfSelection(decision, two, faceOf)).toBeNull();
  });

  test("a surplus card replaces the last one", () => {
    expect(selectTarget(decision, { ...start, cards: [30, 10] }, card(20), faceOf).cards).toEqual([30, 20]);
  });
});

describe("sets", () => {
  const sets = (...options: number[][]) => decide(alternative(0, { sets: { options } }), alternative(1));

  test("picking a card selects the set with most cards of its face and fewest others", () => {
    expect(selectTarget(sets([10], [10, 11], [10, 11, 12], [10, 40]), start, card(10), faceOf).cards).toEqual([
      10, 11, 12,
    ]);
    expect(selectTarget(sets([10, 11, 40], [20, 21, 22]), start, card(11), faceOf).cards).toEqual([10, 11, 40]);
  });

  test("accepts a card that the set does not list but that has the same face", () => {
    const decision = sets([10], [20]);
    const picked = selectTarget(decision, start, card(15), faceOf);
    expect(picked.cards).toEqual([15]);
    expect(fitAlternative(decision.alternatives[0] as AlternativeView, picked, faceOf).complete).toBe(true);
  });

  test("allows to remove cards and to add wild cards", () => {
    const decision = sets([10], [10, 11], [10, 40], [10, 11, 40]);
    const all = selectTarget(decision, start, card(10), faceOf);
    const fewer = selectTarget(decision, all, card(11), faceOf);
    expect(fewer.cards).toEqual([10]);
    expect(selectTarget(decision, fewer, card(40), faceOf).cards).toEqual([10, 40]);
  });

  test("starts a new set with a card that does not fit", () => {
    const decision = sets([10, 11], [20, 21]);
    expect(selectTarget(decision, { ...start, cards: [10, 11] }, card(21), faceOf).cards).toEqual([20, 21]);
  });

  test("offers a button for an alternative without parts", () => {
    const pass = listControls(sets([10]), start, faceOf)[1];
    expect(pass?.kind === "button" && pass.plain && pass.move).toEqual({ decision: 7, alternative: 1, parts: [] });
  });
});

describe("a pile and a value", () => {
  const decision = decide({
    ...alternative(
      0,
      {
        pile: {
          options: [
            [1, 5],
            [2, 6],
          ],
        },
      },
      {
        value: {
          options: [
            [0, "higher"],
            [1, "lower"],
          ],
        },
      },
    ),
  });
  const only = decision.alternatives[0] as AlternativeView;

  test("the value buttons are disabled until a pile is picked", () => {
    const before = listControls(decision, start, faceOf)[0];
    expect(before?.kind === "choices" && before.options.map((o) => o.move)).toEqual([null, null]);
    expect(findMissingPart(only, start, faceOf)).toHaveProperty("pile");
    const picked = selectTarget(decision, start, { kind: "pile", zone: 6 }, faceOf);
    const after = listControls(decision, picked, faceOf)[0];
    expect(after?.kind === "choices" && after.options[1]?.move?.parts).toEqual([{ number: 2 }, { number: 1 }]);
  });

  test("the value buttons follow the legal combinations", () => {
    const strict = decide({
      ...only,
      combinations: [
        [0, 0],
        [1, 1],
      ],
    });
    const picked = selectTarget(strict, start, { kind: "pile", zone: 6 }, faceOf);
    const [control] = listControls(strict, picked, faceOf);
    expect(control?.kind === "choices" && control.options.map((o) => o.value)).toEqual([1]);
  });
});

describe("other parts", () => {
  test("an unseen card is picked by its position", () => {
    const decision = decide(alternative(0, { unseen: { zone: 3, count: 5 } }));
    const picked = selectTarget(decision, start, { kind: "unseen", zone: 3, position: 4 }, faceOf);
    expect(moveOfSelection(decision, picked, faceOf)?.parts).toEqual([{ number: 4 }]);
    expect(targetState(decision, start, { kind: "unseen", zone: 3, position: 5 }, faceOf)).toBe("idle");
  });

  test("a text is trimmed, counted in characters, and must not be empty", () => {
    const decision = decide(alternative(0, { text: { most: 3 } }));
    const fitText = (text: string) =>
      fitAlternative(decision.alternatives[0] as AlternativeView, { ...start, texts: { "0.0": text } }, faceOf);
    expect(fitText("  ").complete).toBe(false);
    expect(fitText(" 👍👍👍 ").values).toEqual([{ text: "👍👍👍" }]);
    expect(fitText("four").complete).toBe(false);
  });

  test("picked dice are sent as a bit mask", () => {
    const decision = decide(alternative(0, { dice: { dice: 0, first: 5, count: 2, only: [0b01, 0b11] } }));
    const die = (element: number): Target => ({ kind: "die", dice: 0, element });
    const both = selectTarget(decision, selectTarget(decision, start, die(5), faceOf), die(6), faceOf);
    expect(fitAlternative(decision.alternatives[0] as AlternativeView, both, faceOf)).toMatchObject({
      complete: true,
      values: [{ number: 3 }],
    });
  });
});

test("a picked player makes a move even if an empty set of dice would be complete too", () => {
  const decision = decide(
    alternative(0, { dice: { dice: 0, first: 0, count: 5 } }),
    alternative(1, { player: { options: [2] } }),
  );
  const picked = selectTarget(decision, start, { kind: "player", seat: 2 }, faceOf);
  expect(moveOfSelection(decision, picked, faceOf)?.alternative).toBe(1);
});

describe("a selection over time", () => {
  const decision = decide(alternative(0, { cards: { low: 2, high: 2, options: [10, 20], ordered: true } }));

  test("survives an update that leaves the decision open", () => {
    const picked = { ...start, cards: [10, 20], texts: { "0.0": "half a sen" } };
    expect(carryOver(picked, { ...decision }, faceOf)).toBe(picked);
  });

  test("loses only the cards that can't be picked any more", () => {
    const fewer = decide(alternative(0, { cards: { low: 2, high: 2, options: [20], ordered: true } }));
    expect(carryOver({ ...start, cards: [10, 20] }, fewer, faceOf).cards).toEqual([20]);
  });

  test("is empty when the decision has closed", () => {
    expect(carryOver({ ...start, cards: [10] }, { ...decision, id: 8 }, faceOf)).toEqual(emptySelection(8));
    expect(carryOver({ ...start, cards: [10] }, undefined, faceOf)).toEqual(emptySelection(0));
  });
});

test("positionAmongOptions counts among the options of a part", () => {
  const decision: DecisionView = {
    id: 1,
    alternatives: [
      {
        name: "call",
        label: [],
        index: 0,
        legal: true,
        parts: [
          {
            name: "g",
            kind: {
              pile: {
                options: [
                  [1, 11],
                  [4, 14],
                  [7, 17],
                ],
              },
            },
          },
          { name: "q", kind: { player: { options: [2, 0] } } },
          { name: "d", kind: { dice: { dice: 0, first: 5, count: 5 } } },
        ],
      },
    ],
  };
  expect(positionAmongOptions(decision, { kind: "pile", zone: 14 })).toEqual({ at: 2, of: 3 });
  expect(positionAmongOptions(decision, { kind: "player", seat: 0 })).toEqual({ at: 2, of: 2 });
  expect(positionAmongOptions(decision, { kind: "die", dice: 0, element: 9 })).toEqual({ at: 5, of: 5 });
  expect(positionAmongOptions(decision, { kind: "die", dice: 0, element: 10 })).toBeNull();
  expect(positionAmongOptions(undefined, { kind: "pile", zone: 14 })).toBeNull();
});

test("alternativeOfCard finds the alternative if only one offers the card", () => {
  const card = (options: number[]) => ({ name: "c", kind: { card: { options, blocked: [] } } });
  const alternative = (index: number, name: string, options: number[]) => ({
    index,
    name,
    label: [{ text: name }],
    legal: true,
    parts: [card(options)],
  });
  const one: DecisionView = { id: 1, alternatives: [alternative(0, "Play", [1, 2])] };
  const two: DecisionView = { id: 1, alternatives: [alternative(0, "Play", [1, 2]), alternative(1, "Keep", [2])] };
  const none = () => undefined;
  expect(alternativeOfCard(one, 1, none)?.name).toBe("Play");
  expect(alternativeOfCard(two, 2, none)).toBeNull();
  expect(alternativeOfCard(two, 9, none)).toBeNull();
});
