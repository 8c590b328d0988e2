import { beforeEach, expect, test } from "vitest";
import type { Batch, Event, View } from "../protocol/types";
import { PlaybackQueue, SEGMENT_DELAY, SHORT_SEGMENT_DELAY, SWEEP_DELAY } from "./playback";
import { TableStore } from "./store";

/** A clock that the test moves forward. */
class DrivenClock {
  at = 1_000_000;
  isVisible = true;
  private timers: { at: number; call: () => void }[] = [];

  now = () => this.at;
  isWindowVisible = () => this.isVisible;
  schedule = (ms: number, call: () => void) => {
    const one = { at: this.at + ms, call };
    this.timers.push(one);
    return () => {
      this.timers = this.timers.filter((other) => other !== one);
    };
  };
  advance(ms: number): void {
    const until = this.at + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.at = next.at;
      next.call();
    }
    this.at = until;
  }
  get timerCount(): number {
    return this.timers.length;
  }
}

const view: View = {
  seat: 0,
  seq: 0,
  paused: false,
  seats: [],
  zones: [
    { content: { cards: [] }, turned: false },
    { content: { count: 50 }, turned: false },
  ],
  values: [{ values: [0] }],
  dice: [],
  highlights: [],
  status: [],
  waiting: [],
  decision: { id: 1, alternatives: [] },
};

let handle = 0;
/** A batch in which a card comes to the table and is taken away again, `times` times. */
const splitBatchOf = (seq: number, times = 1): Batch => {
  const roundTrip = (): Event[] => {
    handle += 1;
    return [
      { moved: { from: 1, to: 0, count: 1, gone: [], came: [{ at: 0, card: { handle, face: 3 } }] } },
      { moved: { from: 0, to: null, count: 1, gone: [handle], came: [] } },
    ];
  };
  return {
    seq,
    cause: { move: { seat: 0 } },
    events: [
      ...Array.from({ length: times }, roundTrip).flat(),
      { value: { var: 0, element: 0, value: seq } },
      { announced: { text: [{ text: `After ${seq}` }], kind: "banner" } },
      { decision: { decision: { id: seq + 1, alternatives: [] } } },
    ],
  };
};
const unsplitBatch = (seq: number): Batch => ({
  seq,
  cause: "start",
  events: [{ value: { var: 0, element: 0, value: seq } }],
});

let clock: DrivenClock;
let store: TableStore;
let playback: PlaybackQueue;
beforeEach(() => {
  clock = new DrivenClock();
  store = new TableStore({ view, sending: true });
  playback = new PlaybackQueue(store, clock);
});
const seq = () => store.get().view?.seq;
const cardsOnTable = () => {
  const content = store.get().view?.zones[0]?.content;
  return content && content !== "nothing" && "cards" in content ? content.cards.length : -1;
};

test("shows a batch with one segment at once", () => {
  playback.enqueue(unsplitBatch(1));
  playback.enqueue(unsplitBatch(2));
  expect(seq()).toBe(2);
  expect(clock.timerCount).toBe(0);
});

test("shows the first segment at once and the second after the delay", () => {
  playback.enqueue(splitBatchOf(1));
  expect([cardsOnTable(), seq()]).toEqual([1, 0]);
  expect(store.get().view?.decision).toBeUndefined();
  expect(store.get().announcements).toEqual([]);
  // The sent move is settled; the next decision opens after the delay.
  expect(store.get().sending).toBe(false);
  clock.advance(SEGMENT_DELAY - 1);
  expect(cardsOnTable()).toBe(1);
  clock.advance(1);
  expect([cardsOnTable(), seq()]).toEqual([0, 1]);
  expect(store.get().view?.decision?.id).toBe(2);
  expect(store.get().announcements).toHaveLength(1);
  expect(playback.latestView()).toBe(store.get().view);
});

test("shows the next batch after the split batch and the sweep delay", () => {
  playback.enqueue(splitBatchOf(1));
  clock.advance(600);
  playback.enqueue(unsplitBatch(2));
  expect(seq()).toBe(0);
  expect(playback.latestView()?.seq).toBe(2);
  clock.advance(SEGMENT_DELAY - 600);
  expect(seq()).toBe(1);
  clock.advance(SWEEP_DELAY);
  expect(seq()).toBe(2);
  playback.enqueue(unsplitBatch(3));
  expect(seq()).toBe(3);
});

test("uses short delays in a batch with several split points", () => {
  playback.enqueue(splitBatchOf(1, 3));
  for (const _ of [1, 2]) {
    clock.advance(SHORT_SEGMENT_DELAY);
    expect([cardsOnTable(), seq()]).toEqual([1, 0]);
  }
  clock.advance(SHORT_SEGMENT_DELAY);
  expect(seq()).toBe(1);
});

test("shortens the delay when two more batches wait", () => {
  playback.enqueue(splitBatchOf(1));
  clock.advance(100);
  playback.enqueue(unsplitBatch(2));
  playback.enqueue(unsplitBatch(3));
  clock.advance(SHORT_SEGMENT_DELAY - 101);
  expect(seq()).toBe(0);
  clock.advance(1);
  expect(seq()).toBe(1);
  clock.advance(SWEEP_DELAY);
  expect(seq()).toBe(3);
});

test("shows everything at once when too many batches wait", () => {
  for (const n of [1, 2, 3, 4]) playback.enqueue(splitBatchOf(n));
  expect(seq()).toBe(0);
  playback.enqueue(unsplitBatch(5));
  expect(seq()).toBe(5);
  expect(clock.timerCount).toBe(0);
  expect(store.get().announcements).toHaveLength(4);
});

test("ends with the server's view, however many batches come and how fast", () => {
  for (const gap of [0, 40, 200, 700, 1500]) {
    const expected = new TableStore({ view });
    store = new TableStore({ view });
    playback = new PlaybackQueue(store, clock);
    for (let n = 1; n <= 40; n++) {
      const batch = n % 3 === 0 ? splitBatchOf(n, 1 + (n % 4)) : unsplitBatch(n);
      expected.apply(batch);
      playback.enqueue(batch);
      clock.advance(gap);
      expect(n - (seq() ?? 0)).toBeLessThanOrEqual(4);
    }
    clock.advance(10_000);
    expect(store.get().view).toEqual(expected.get().view);
    expect(clock.timerCount).toBe(0);
  }
});

test("shows everything at once in a hidden window and on flush", () => {
  playback.enqueue(splitBatchOf(1));
  playback.flush();
  expect(seq()).toBe(1);
  clock.isVisible = false;
  playback.enqueue(splitBatchOf(2));
  expect(seq()).toBe(2);
  expect(clock.timerCount).toBe(0);
});

test("replaces waiting batches by a whole view", () => {
  playback.enqueue(splitBatchOf(1));
  playback.enqueue(unsplitBatch(2));
  playback.clear();
  store.show({ ...view, seq: 9 });
  clock.advance(10_000);
  expect(seq()).toBe(9);
  playback.enqueue(unsplitBatch(10));
  expect(seq()).toBe(10);
});

test("refuses a batch that does not fit the latest view, and shows nothing of it", () => {
  playback.enqueue(splitBatchOf(1));
  expect(() => playback.enqueue(unsplitBatch(1))).toThrow(/does not follow/);
  expect(seq()).toBe(0);
});
