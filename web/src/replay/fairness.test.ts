import { describe, expect, test } from "vitest";
import type { Batch, CardView, Event, Replay, View } from "../protocol/types";
import { ascii, FairChance, fromHex, sha256, toHex } from "./chance";
import { checkFairness } from "./fairness";

const seed = toHex(Uint8Array.from({ length: 32 }, (_, i) => 7 * i));
const faces = Array.from({ length: 20 }, (_, i) => i);
const shown = (list: number[], first = 1): CardView[] => list.map((face, i) => ({ handle: first + i, face }));
const zone = (list: number[], first?: number) => ({ content: { cards: shown(list, first) }, turned: false });

/** A table that is shuffled, mixes three piles and rolls three dice, as a server records it. */
function replay(source = "shuffle stock"): Replay {
  const chance = new FairChance(fromHex(seed));
  chance.nonce(0, ascii("mine"));
  const skipped = source.includes("random") ? 2 : 0;
  const order = chance.stream(skipped).shuffled(faces);
  const piles = chance.stream(skipped + 1).shuffled([[1, 2], [3], [4, 5]]);
  const dice = chance.stream(skipped + 2);
  const rolled = [0, 1, 2].map(() => 1 + dice.below(6));
  const batch = (seq: number, events: Event[]): Batch => ({ seq, cause: "start", events });
  const leaves = (from: number, count: number, gone: number[]): Event => ({
    moved: { from, to: null, count, gone, came: [] },
  });
  const first: View = {
    seq: 0,
    paused: false,
    seats: [],
    zones: [zone(faces), zone([1, 2], 50), zone([3], 60), zone([4, 5], 70), zone([]), zone([]), zone([])],
    values: [],
    dice: [{ faces: [0, 0, 0] }],
    highlights: [],
    status: [],
    waiting: [],
  };
  return {
    game: "g",
    definitionId: "d",
    gameDefinition: "",
    tableDefinition: "",
    names: ["Ada"],
    commitment: toHex(sha256(fromHex(seed))),
    seed,
    semantics: 1,
    source,
    options: [],
    packs: [],
    seats: 1,
    steps: [{ Input: { Nonce: { seat: 0, bytes: [...ascii("mine")] } } }, { Move: {} }, { Move: {} }],
    first,
    batches: [
      batch(1, []),
      batch(2, [{ shuffled: { zone: 0 } }, { zone: { zone: 0, view: zone(order, 100) } }]),
      batch(3, [
        leaves(1, 2, [50, 51]),
        leaves(2, 1, [60]),
        leaves(3, 2, [70, 71]),
        ...piles.map(
          (pile, i): Event => ({
            moved: {
              from: null,
              to: 4 + i,
              count: pile.length,
              gone: [],
              came: shown(pile, 200 + 10 * i).map((card, at) => ({ at, card })),
            },
          }),
        ),
        { rolled: { dice: 0, elements: [0, 1, 2] } },
        ...rolled.map((face, element): Event => ({ dice: { dice: 0, element, face } })),
      ]),
    ],
  };
}

const ordered = [true, true, true, true, true, true, true];
const check = (of: Replay, seen = ordered) => checkFairness(of, [{ low: 1, high: 6 }], seen);

describe("a fair table", () => {
  test("passes, with the nonces and the number of recomputed shuffles and rolls", () => {
    expect(check(replay())).toEqual({
      seedFits: true,
      shuffles: 2,
      rolls: 1,
      unseen: 0,
      wrong: null,
      nonces: [{ seat: 0, text: "mine" }],
    });
  });
  test("may use chance without an event if its rules contain the word random", () => {
    expect(check(replay("deal from random player"))).toMatchObject({ wrong: null, shuffles: 2, rolls: 1 });
  });
  test("may have a shuffle without a visible order, which is counted", () => {
    expect(check(replay(), [false, ...ordered.slice(1)])).toMatchObject({
      unseen: 1,
      shuffles: 1,
      rolls: 1,
      wrong: null,
    });
  });
});

describe("the fairness check detects", () => {
  test("a seed that does not fit the commitment", () => {
    expect(check({ ...replay(), commitment: "00".repeat(32) }).seedFits).toBe(false);
  });
  test("two cards that were swapped after the shuffle", () => {
    const tampered = replay();
    const [, event] = tampered.batches[1]?.events ?? [];
    const cards = event && "zone" in event ? (event.zone.view.content as { cards: CardView[] }).cards : [];
    [cards[3], cards[9]] = [cards[9] as CardView, cards[3] as CardView];
    expect(check(tampered).wrong).toBe(2);
  });
  test("a die that was changed after the roll", () => {
    const tampered = replay();
    const last = tampered.batches[2]?.events.at(-1);
    if (last && "dice" in last) last.dice.face = ((last.dice.face ?? 1) % 6) + 1;
    expect(check(tampered).wrong).toBe(3);
  });
  test("a nonce that was left out", () => {
    expect(check({ ...replay(), steps: [{}, {}, {}] }).wrong).toBe(2);
  });
  test("piles that were not mixed", () => {
    const tampered = replay();
    const events = tampered.batches[2]?.events ?? [];
    const came = events.flatMap((e) => ("moved" in e && e.moved.to !== null ? [e.moved] : []));
    const [a, b] = came;
    if (a && b) [a.came, b.came, a.count, b.count] = [b.came, a.came, b.count, a.count];
    expect(check(tampered).wrong).toBe(3);
  });
});
