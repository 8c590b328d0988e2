import { describe, expect, test } from "vitest";
import type { Batch, CardView, DecisionView, Event, View, ZoneView } from "../protocol/types";
import { reduce } from "./reduce";
import { joined, stages } from "./segments";

const [HAND, TABLE, WON, STOCK, OTHERS] = [0, 1, 2, 3, 4];
const open = (...handles: number[]): ZoneView => ({
  content: { cards: handles.map((handle): CardView => ({ handle, face: handle })) },
  turned: false,
});
const closed = (count: number): ZoneView => ({ content: { count }, turned: false });
const seat = (turn: boolean) => ({
  playing: true,
  present: true,
  person: true,
  pending: false,
  turn,
  badges: [],
  status: [],
});
const decision = (id: number): DecisionView => ({ id, alternatives: [] });
const view: View = {
  seat: 0,
  seq: 7,
  paused: false,
  seats: [seat(true), seat(false)],
  zones: [open(1, 2, 3), open(10, 11), open(), closed(20), closed(5)],
  values: [],
  dice: [{ faces: [0, 0] }],
  highlights: [],
  status: [],
  waiting: [{ seat: 0, decision: 4 }],
  decision: decision(4),
};
const cards = (handles: number[], at = 0) =>
  handles.map((handle, i) => ({ at: at + i, card: { handle, face: handle } }));
/** Of cards that are seen on both sides. */
const move = (from: number, to: number, handles: number[], at = 0): Event => ({
  moved: { from, to, count: handles.length, gone: handles, came: cards(handles, at) },
});
const away = (from: number, handles: number[]): Event => ({
  moved: { from, to: null, count: handles.length, gone: handles, came: [] },
});
const shout: Event = { announced: { text: [{ text: "Taken!" }], kind: "shout" } };
const asks = (of: number, id: number): Event[] => [
  { waiting: { waiting: [{ seat: of, decision: id }] } },
  { decision: { decision: of === 0 ? decision(id) : null } },
];
const batch = (events: Event[]): Batch => ({ seq: 8, cause: { move: { seat: 0 } }, events });
/** How many events each part has. */
const parts = (...events: Event[]) => {
  const staged = stages(view, batch(events));
  expect(staged.flatMap(({ part }) => part.events)).toEqual(events);
  expect(staged.map(({ part }) => part.follows)).toEqual(staged.map((_, i) => i > 0));
  expect(staged.at(-1)?.view).toEqual(reduce(view, batch(events)));
  return staged.map(({ part }) => part.events.length);
};

describe("the table rests", () => {
  test("between the card that completes what lies there and its being taken", () => {
    const events = [move(HAND, TABLE, [1], 2), shout, move(TABLE, WON, [10, 11, 1]), ...asks(0, 5)];
    expect(parts(...events)).toEqual([2, 3]);
    const [rest] = stages(view, batch(events));
    expect(rest?.view.zones[TABLE]).toEqual(open(10, 11, 1));
  });
  test("also where the cards go out of sight, and when they go one by one", () => {
    expect(parts(move(HAND, TABLE, [1], 2), away(TABLE, [10, 11, 1]))).toEqual([1, 1]);
    expect(parts(move(HAND, TABLE, [1], 2), away(TABLE, [10]), away(TABLE, [11]), away(TABLE, [1]))).toEqual([1, 3]);
  });
  test("before a card that was turned up goes", () => {
    const turn: Event = {
      moved: { from: null, to: TABLE, count: 1, gone: [], came: [{ at: 0, card: { handle: 30 } }] },
    };
    const up: Event = { cards: { zone: TABLE, cards: [{ handle: 30, face: 9 }] } };
    const down: Event = { cards: { zone: TABLE, cards: [{ handle: 30 }] } };
    expect(parts(turn, up, away(TABLE, [30]))).toEqual([2, 1]);
    expect(parts(turn, up, down)).toEqual([2, 1]);
    expect(parts(turn, away(TABLE, [30]))).toEqual([2]);
  });
  test("before a zone that was shown is hidden again, and one with a new card is turned over", () => {
    const hide: Event = { zone: { zone: OTHERS, view: closed(2) } };
    expect(parts({ zone: { zone: OTHERS, view: open(40, 41) } }, hide)).toEqual([1, 1]);
    expect(parts(move(HAND, TABLE, [1]), { turned: { zone: TABLE, turned: true } })).toEqual([1, 1]);
    expect(parts({ turned: { zone: TABLE, turned: true } })).toEqual([1]);
  });
  test("after cards were pointed out where they lie", () => {
    const told: Event = { revealed: { text: null, zone: TABLE, faces: [10] } };
    expect(parts(told, away(TABLE, [10]))).toEqual([1, 1]);
    expect(parts(told, away(TABLE, [11]))).toEqual([2]);
  });
  test("between two throws, but not for dice that are only cleared first", () => {
    const die = (element: number, face: number): Event => ({ dice: { dice: 0, element, face } });
    expect(parts(die(0, 4), die(1, 2), die(0, 5), die(1, 1))).toEqual([2, 2]);
    expect(parts(die(0, 0), die(0, 5))).toEqual([2]);
  });
  test("before the end covers it", () => {
    const outcome: Event = {
      outcome: { outcome: { kind: "draw", winners: [], losers: [], ranks: [] } },
    };
    expect(parts(move(HAND, TABLE, [1]), outcome)).toEqual([1, 1]);
    expect(parts(outcome)).toEqual([1]);
  });
  test("again for what comes after it, and not for what is gathered", () => {
    const taken = [move(HAND, TABLE, [1], 2), move(TABLE, WON, [10, 11, 1])];
    expect(parts(...taken, away(WON, [10, 11, 1]))).toEqual([1, 2]);
    expect(parts(...taken, move(HAND, TABLE, [2]), away(TABLE, [2]))).toEqual([1, 2, 1]);
  });
  test("a few times at most, at the last places", () => {
    const one = [move(HAND, TABLE, [1]), move(TABLE, HAND, [1])];
    const other = [move(HAND, TABLE, [2]), move(TABLE, HAND, [2])];
    const third = [move(HAND, TABLE, [3]), move(TABLE, HAND, [3])];
    const dice = Array.from({ length: 9 }, (_, i): Event => ({ dice: { dice: 0, element: 0, face: 1 + (i % 6) } }));
    expect(parts(...one, ...other, ...third)).toEqual([1, 2, 2, 1]);
    expect(parts(...dice)).toEqual([3, 1, 1, 1, 1, 1, 1]);
  });
});

describe("the table does not rest", () => {
  test("for what comes and stays", () => {
    expect(parts(move(HAND, TABLE, [1], 2), ...asks(1, 5))).toEqual([3]);
    expect(parts()).toEqual([0]);
  });
  test("for what leaves and comes again elsewhere", () => {
    expect(parts(away(TABLE, [10, 11]), move(HAND, TABLE, [1]))).toEqual([2]);
  });
  test("for cards that nobody here sees", () => {
    const hidden = (from: number, to: number): Event => ({ moved: { from, to, count: 1, gone: [], came: [] } });
    expect(parts(hidden(OTHERS, STOCK), { shuffled: { zone: STOCK } }, hidden(STOCK, OTHERS))).toEqual([3]);
  });
  test("when other cards leave, as when all pass some on at once", () => {
    const got: Event = { moved: { from: OTHERS, to: HAND, count: 1, gone: [], came: cards([50]) } };
    const given: Event = { moved: { from: HAND, to: OTHERS, count: 1, gone: [2], came: [] } };
    expect(parts(got, given)).toEqual([2]);
  });
  test("when cards come into a hand that is shuffled", () => {
    expect(
      parts(move(TABLE, HAND, [10]), { zone: { zone: HAND, view: open(60, 61, 62, 63) } }, away(HAND, [60])),
    ).toEqual([3]);
  });
});

describe("while the table rests", () => {
  const rest = (...events: Event[]) => stages(view, batch(events))[0]?.view as View;
  const taken = [move(HAND, TABLE, [1], 2), away(TABLE, [1])];
  test("nobody is asked", () => {
    const resting = rest(...taken, ...asks(0, 5));
    expect(resting.decision).toBeUndefined();
    expect(resting.waiting).toEqual([]);
    expect(resting.seats.map(({ turn }) => turn)).toEqual([false, false]);
  });
  test("but whoever is still asked the same", () => {
    expect(rest(...taken)).toMatchObject({ decision: { id: 4 }, waiting: view.waiting });
  });
  test("what was pointed out before the move is pointed out no longer", () => {
    const pointed = { ...view, highlights: [10] };
    const resting = (...events: Event[]) => stages(pointed, batch(events))[0]?.view.highlights;
    expect(resting(...taken, { highlights: { handles: [] } })).toEqual([]);
    expect(resting(...taken)).toEqual([10]);
  });
  test("the view has the number of the one before, and only at the end the next", () => {
    expect(stages(view, batch(taken)).map((stage) => stage.view.seq)).toEqual([7, 8]);
  });
});

test("parts are joined to what they were", () => {
  const events = [move(HAND, TABLE, [1], 2), shout, away(TABLE, [1]), ...asks(0, 5)];
  const all = stages(view, batch(events));
  expect(joined(all)).toEqual({ part: { ...batch(events), follows: false }, view: reduce(view, batch(events)) });
  expect(joined(all.slice(1))).toEqual(all[1]);
  expect(joined([])).toBeUndefined();
});

test("a batch that does not fit is refused as a whole", () => {
  expect(() => stages(view, batch([move(HAND, TABLE, [1]), away(TABLE, [99])]))).toThrow(/not where/);
});
