import { describe, expect, test } from "vitest";
import type { Batch, CardView, DecisionView, Event, View, ZoneView } from "../protocol/types";
import { reduce } from "./reduce";
import { mergeSegments, splitBatch } from "./segments";

const [HAND, TABLE, WON, STOCK, OTHERS] = [0, 1, 2, 3, 4];
const openZone = (...handles: number[]): ZoneView => ({
  content: { cards: handles.map((handle): CardView => ({ handle, face: handle })) },
  turned: false,
});
const closedZone = (count: number): ZoneView => ({ content: { count }, turned: false });
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
  zones: [openZone(1, 2, 3), openZone(10, 11), openZone(), closedZone(20), closedZone(5)],
  values: [],
  dice: [{ faces: [0, 0] }],
  highlights: [],
  status: [],
  waiting: [{ seat: 0, decision: 4 }],
  decision: decision(4),
};
const cards = (handles: number[], at = 0) =>
  handles.map((handle, i) => ({ at: at + i, card: { handle, face: handle } }));
/** Moves cards that the viewer sees before and after the move. */
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
/** Returns the number of events of each segment. */
const segmentLengths = (...events: Event[]) => {
  const segments = splitBatch(view, batch(events));
  expect(segments.flatMap(({ segment }) => segment.events)).toEqual(events);
  expect(segments.map(({ segment }) => segment.isContinuation)).toEqual(segments.map((_, i) => i > 0));
  expect(segments.at(-1)?.view).toEqual(reduce(view, batch(events)));
  return segments.map(({ segment }) => segment.events.length);
};

describe("splitBatch splits", () => {
  test("between the card that completes a trick and the trick's removal", () => {
    const events = [move(HAND, TABLE, [1], 2), shout, move(TABLE, WON, [10, 11, 1]), ...asks(0, 5)];
    expect(segmentLengths(...events)).toEqual([2, 3]);
    const [rest] = splitBatch(view, batch(events));
    expect(rest?.view.zones[TABLE]).toEqual(openZone(10, 11, 1));
  });
  test("before cards that go where the viewer can't see them, together or one by one", () => {
    expect(segmentLengths(move(HAND, TABLE, [1], 2), away(TABLE, [10, 11, 1]))).toEqual([1, 1]);
    expect(segmentLengths(move(HAND, TABLE, [1], 2), away(TABLE, [10]), away(TABLE, [11]), away(TABLE, [1]))).toEqual([
      1, 3,
    ]);
  });
  test("before a card leaves that was just turned up", () => {
    const turn: Event = {
      moved: { from: null, to: TABLE, count: 1, gone: [], came: [{ at: 0, card: { handle: 30 } }] },
    };
    const up: Event = { cards: { zone: TABLE, cards: [{ handle: 30, face: 9 }] } };
    const down: Event = { cards: { zone: TABLE, cards: [{ handle: 30 }] } };
    expect(segmentLengths(turn, up, away(TABLE, [30]))).toEqual([2, 1]);
    expect(segmentLengths(turn, up, down)).toEqual([2, 1]);
    expect(segmentLengths(turn, away(TABLE, [30]))).toEqual([2]);
  });
  test("before a revealed zone is hidden again, and before a zone with a new card is turned over", () => {
    const hide: Event = { zone: { zone: OTHERS, view: closedZone(2) } };
    expect(segmentLengths({ zone: { zone: OTHERS, view: openZone(40, 41) } }, hide)).toEqual([1, 1]);
    expect(segmentLengths(move(HAND, TABLE, [1]), { turned: { zone: TABLE, turned: true } })).toEqual([1, 1]);
    expect(segmentLengths({ turned: { zone: TABLE, turned: true } })).toEqual([1]);
  });
  test("before cards leave that were just revealed in place", () => {
    const revealed: Event = { revealed: { text: null, zone: TABLE, faces: [10] } };
    expect(segmentLengths(revealed, away(TABLE, [10]))).toEqual([1, 1]);
    expect(segmentLengths(revealed, away(TABLE, [11]))).toEqual([2]);
  });
  test("between two rolls, but not after dice that were only cleared", () => {
    const die = (element: number, face: number): Event => ({ dice: { dice: 0, element, face } });
    expect(segmentLengths(die(0, 4), die(1, 2), die(0, 5), die(1, 1))).toEqual([2, 2]);
    expect(segmentLengths(die(0, 0), die(0, 5))).toEqual([2]);
  });
  test("before the outcome, if something arrived", () => {
    const outcome: Event = {
      outcome: { outcome: { kind: "draw", winners: [], losers: [], ranks: [] } },
    };
    expect(segmentLengths(move(HAND, TABLE, [1]), outcome)).toEqual([1, 1]);
    expect(segmentLengths(outcome)).toEqual([1]);
  });
  test("again for new arrivals, but not for shown cards that are gathered", () => {
    const taken = [move(HAND, TABLE, [1], 2), move(TABLE, WON, [10, 11, 1])];
    expect(segmentLengths(...taken, away(WON, [10, 11, 1]))).toEqual([1, 2]);
    expect(segmentLengths(...taken, move(HAND, TABLE, [2]), away(TABLE, [2]))).toEqual([1, 2, 1]);
  });
  test("at most six times, at the last split points", () => {
    const one = [move(HAND, TABLE, [1]), move(TABLE, HAND, [1])];
    const other = [move(HAND, TABLE, [2]), move(TABLE, HAND, [2])];
    const third = [move(HAND, TABLE, [3]), move(TABLE, HAND, [3])];
    const dice = Array.from({ length: 9 }, (_, i): Event => ({ dice: { dice: 0, element: 0, face: 1 + (i % 6) } }));
    expect(segmentLengths(...one, ...other, ...third)).toEqual([1, 2, 2, 1]);
    expect(segmentLengths(...dice)).toEqual([3, 1, 1, 1, 1, 1, 1]);
  });
});

describe("splitBatch does not split", () => {
  test("for cards that arrive and stay", () => {
    expect(segmentLengths(move(HAND, TABLE, [1], 2), ...asks(1, 5))).toEqual([3]);
    expect(segmentLengths()).toEqual([0]);
  });
  test("for cards that leave before others arrive", () => {
    expect(segmentLengths(away(TABLE, [10, 11]), move(HAND, TABLE, [1]))).toEqual([2]);
  });
  test("for cards that the viewer does not see", () => {
    const hidden = (from: number, to: number): Event => ({ moved: { from, to, count: 1, gone: [], came: [] } });
    expect(segmentLengths(hidden(OTHERS, STOCK), { shuffled: { zone: STOCK } }, hidden(STOCK, OTHERS))).toEqual([3]);
  });
  test("when other cards leave the zone, as when all players pass cards at once", () => {
    const got: Event = { moved: { from: OTHERS, to: HAND, count: 1, gone: [], came: cards([50]) } };
    const given: Event = { moved: { from: HAND, to: OTHERS, count: 1, gone: [2], came: [] } };
    expect(segmentLengths(got, given)).toEqual([2]);
  });
  test("when cards arrive in a hand that is then shuffled", () => {
    expect(
      segmentLengths(
        move(TABLE, HAND, [10]),
        { zone: { zone: HAND, view: openZone(60, 61, 62, 63) } },
        away(HAND, [60]),
      ),
    ).toEqual([3]);
  });
});

describe("between two segments", () => {
  const rest = (...events: Event[]) => splitBatch(view, batch(events))[0]?.view as View;
  const taken = [move(HAND, TABLE, [1], 2), away(TABLE, [1])];
  test("no player has an open decision", () => {
    const resting = rest(...taken, ...asks(0, 5));
    expect(resting.decision).toBeUndefined();
    expect(resting.waiting).toEqual([]);
    expect(resting.seats.map(({ turn }) => turn)).toEqual([false, false]);
  });
  test("a decision that stays open is still shown", () => {
    expect(rest(...taken)).toMatchObject({ decision: { id: 4 }, waiting: view.waiting });
  });
  test("highlights that the batch removes are hidden", () => {
    const pointed = { ...view, highlights: [10] };
    const resting = (...events: Event[]) => splitBatch(pointed, batch(events))[0]?.view.highlights;
    expect(resting(...taken, { highlights: { handles: [] } })).toEqual([]);
    expect(resting(...taken)).toEqual([10]);
  });
  test("the view keeps the old sequence number until the last segment", () => {
    expect(splitBatch(view, batch(taken)).map(({ view }) => view.seq)).toEqual([7, 8]);
  });
});

test("mergeSegments joins the segments of a batch to the whole batch", () => {
  const events = [move(HAND, TABLE, [1], 2), shout, away(TABLE, [1]), ...asks(0, 5)];
  const all = splitBatch(view, batch(events));
  expect(mergeSegments(all)).toEqual({
    segment: { ...batch(events), isContinuation: false },
    view: reduce(view, batch(events)),
  });
  expect(mergeSegments(all.slice(1))).toEqual(all[1]);
  expect(mergeSegments([])).toBeUndefined();
});

test("splitBatch refuses a batch that does not fit", () => {
  expect(() => splitBatch(view, batch([move(HAND, TABLE, [1]), away(TABLE, [99])]))).toThrow(/not where/);
});

test("each narration belongs to the segment that shows what it tells", () => {
  const events = [move(HAND, TABLE, [1], 2), shout, away(TABLE, [1])];
  const told = [0, 1, 2, 3, 9].map((after) => ({ after, kind: "move" as const, text: [{ text: `${after}` }] }));
  const shown = splitBatch(view, batch(events), told).map(({ segment }) => [
    segment.events.length,
    segment.narrations?.map(({ after }) => after),
  ]);
  expect(shown).toEqual([
    [2, [0, 1, 2]],
    [1, [3, 9]],
  ]);
});
