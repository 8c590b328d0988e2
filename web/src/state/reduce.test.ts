import { describe, expect, test } from "vitest";
import type { Event, RichText, View } from "../protocol/types";
import { ReduceError, reduce } from "./reduce";

const view: View = {
  seat: 0,
  seq: 4,
  paused: false,
  seats: [
    { playing: true, present: true, person: true, pending: false, turn: true, badges: [], status: [] },
    { playing: true, present: true, person: false, pending: false, turn: false, badges: [], status: [] },
  ],
  zones: [
    {
      content: {
        cards: [
          { handle: 1, face: 5 },
          { handle: 2, face: 6 },
        ],
      },
      turned: false,
    },
    { content: { count: 3 }, turned: false },
    { content: "nothing", turned: false },
  ],
  values: [{ values: [1, null] }],
  dice: [{ faces: [0, 0] }],
  highlights: [],
  status: [],
  waiting: [],
};
const reduceEvents = (...events: Event[]) => reduce(view, { seq: 5, cause: "start", events });
const errorKindOf = (...events: Event[]) => {
  try {
    reduceEvents(...events);
  } catch (error) {
    return error instanceof ReduceError ? error.kind : error;
  }
  return null;
};

describe("reduce", () => {
  test("moves a visible card to a zone that shows only a count", () => {
    const next = reduceEvents({ moved: { from: 0, to: 1, count: 1, gone: [1], came: [] } });
    expect(next.zones[0]?.content).toEqual({ cards: [{ handle: 2, face: 6 }] });
    expect(next.zones[1]?.content).toEqual({ count: 4 });
    expect(next.seq).toBe(5);
  });

  test("inserts cards in the order given", () => {
    const came = [
      { at: 0, card: { handle: 8 } },
      { at: 1, card: { handle: 9 } },
    ];
    const next = reduceEvents({ moved: { from: null, to: 0, count: 2, gone: [], came } });
    expect(next.zones[0]?.content).toEqual({
      cards: [{ handle: 8 }, { handle: 9 }, { handle: 1, face: 5 }, { handle: 2, face: 6 }],
    });
  });

  test("applies events for values, dice, phase, lead, cards and decision", () => {
    const next = reduceEvents(
      { value: { var: 0, element: 1, value: 9 } },
      { dice: { dice: 0, element: 0, face: 6 } },
      { phase: { phase: "play" } },
      { lead: { seat: 1 } },
      { cards: { zone: 0, cards: [{ handle: 2, face: 6, written: "hello" }] } },
      { turned: { zone: 0, turned: true } },
      { decision: { decision: { id: 1, alternatives: [] } } },
      { decision: { decision: null } },
    );
    expect(next.values).toEqual([{ values: [1, 9] }]);
    expect(next.dice).toEqual([{ faces: [6, 0] }]);
    expect(next).toMatchObject({ phase: "play", lead: 1, decision: undefined });
    expect(next.zones[0]).toEqual({
      content: {
        cards: [
          { handle: 1, face: 5 },
          { handle: 2, face: 6, written: "hello" },
        ],
      },
      turned: true,
    });
  });

  test("replaces badges and status lines from an index on", () => {
    const [round, turn, other] = ["Round 1", "A's turn", "B's turn"].map((text) => [{ text }]);
    const [title, letters] = [{ kind: "title" }, { kind: "letters" }];
    const next = reduceEvents(
      { status: { lines: [round, turn] as RichText[] } },
      { status: { from: 1, lines: [other] as RichText[] } },
      { badges: { seat: 0, badges: [title, letters] } },
      { badges: { seat: 0, from: 1, badges: [] } },
      { badges: { seat: 1, badges: [title] } },
      { badges: { seat: 1, from: 1, badges: [letters] } },
    );
    expect(next.status).toEqual([round, other]);
    expect(next.seats.map(({ badges }) => badges)).toEqual([[title], [title, letters]]);
  });

  test("ignores events that the view does not show", () => {
    expect(reduceEvents({ announced: { text: [{ text: "CUT!" }], kind: "shout" } }, { shuffled: { zone: 1 } })).toEqual(
      {
        ...view,
        seq: 5,
      },
    );
  });

  test("does not change the old view", () => {
    const before = structuredClone(view);
    reduceEvents({ moved: { from: 0, to: 1, count: 1, gone: [1], came: [] } });
    expect(view).toEqual(before);
  });

  test("refuses events that do not fit the view", () => {
    expect(errorKindOf({ moved: { from: 0, to: 1, count: 1, gone: [7], came: [] } })).toBe("handle");
    expect(errorKindOf({ moved: { from: 1, to: null, count: 4, gone: [], came: [] } })).toBe("count");
    expect(errorKindOf({ moved: { from: 0, to: null, count: 2, gone: [1], came: [] } })).toBe("count");
    expect(
      errorKindOf({ moved: { from: null, to: 0, count: 1, gone: [], came: [{ at: 3, card: { handle: 9 } }] } }),
    ).toBe("count");
    expect(errorKindOf({ moved: { from: 2, to: null, count: 1, gone: [], came: [] } })).toBe("index");
    expect(errorKindOf({ value: { var: 0, element: 2, value: 1 } })).toBe("index");
    expect(errorKindOf({ turned: { zone: 3, turned: true } })).toBe("index");
    expect(errorKindOf({ status: { from: 1, lines: [] } })).toBe("index");
    expect(errorKindOf({ badges: { seat: 0, from: 1, badges: [] } })).toBe("index");
    expect(() => reduce(view, { seq: 6, cause: "start", events: [] })).toThrow(/does not follow/);
  });
});
