import { beforeEach, expect, test } from "vitest";
import type { Batch, Event, View } from "../protocol/types";
import { REST, SHORT_REST, Stager, SWEEP } from "./playback";
import { TableStore } from "./store";

/** Time that passes when it is told to. */
class Driven {
  at = 1_000_000;
  looking = true;
  private due: { at: number; act: () => void }[] = [];

  now = () => this.at;
  watched = () => this.looking;
  after = (ms: number, act: () => void) => {
    const one = { at: this.at + ms, act };
    this.due.push(one);
    return () => {
      this.due = this.due.filter((other) => other !== one);
    };
  };
  pass(ms: number): void {
    const until = this.at + ms;
    for (;;) {
      const next = this.due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.due = this.due.filter((other) => other !== next);
      this.at = next.at;
      next.act();
    }
    this.at = until;
  }
  get waiting(): number {
    return this.due.length;
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
/** A card comes to the table and is taken from it, so many times. */
const taken = (seq: number, times = 1): Batch => {
  const once = (): Event[] => {
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
      ...Array.from({ length: times }, once).flat(),
      { value: { var: 0, element: 0, value: seq } },
      { announced: { text: [{ text: `After ${seq}` }], kind: "banner" } },
      { decision: { decision: { id: seq + 1, alternatives: [] } } },
    ],
  };
};
const plain = (seq: number): Batch => ({
  seq,
  cause: "start",
  events: [{ value: { var: 0, element: 0, value: seq } }],
});

let time: Driven;
let store: TableStore;
let stager: Stager;
beforeEach(() => {
  time = new Driven();
  store = new TableStore({ view, sending: true });
  stager = new Stager(store, time);
});
const seq = () => store.get().view?.seq;
const lying = () => {
  const content = store.get().view?.zones[0]?.content;
  return content && content !== "nothing" && "cards" in content ? content.cards.length : -1;
};

test("a batch without a rest is shown at once", () => {
  stager.take(plain(1));
  stager.take(plain(2));
  expect(seq()).toBe(2);
  expect(time.waiting).toBe(0);
});

test("a batch with a rest is shown to the rest, and then to its end", () => {
  stager.take(taken(1));
  expect([lying(), seq()]).toEqual([1, 0]);
  expect(store.get().view?.decision).toBeUndefined();
  expect(store.get().announcements).toEqual([]);
  // What was sent is settled; what is asked next comes after the rest.
  expect(store.get().sending).toBe(false);
  time.pass(REST - 1);
  expect(lying()).toBe(1);
  time.pass(1);
  expect([lying(), seq()]).toEqual([0, 1]);
  expect(store.get().view?.decision?.id).toBe(2);
  expect(store.get().announcements).toHaveLength(1);
  expect(stager.latest()).toBe(store.get().view);
});

test("the next move waits its turn, and a moment longer until all is swept away", () => {
  stager.take(taken(1));
  time.pass(600);
  stager.take(plain(2));
  expect(seq()).toBe(0);
  expect(stager.latest()?.seq).toBe(2);
  time.pass(REST - 600);
  expect(seq()).toBe(1);
  time.pass(SWEEP);
  expect(seq()).toBe(2);
  stager.take(plain(3));
  expect(seq()).toBe(3);
});

test("several rests in one batch are short", () => {
  stager.take(taken(1, 3));
  for (const _ of [1, 2]) {
    time.pass(SHORT_REST);
    expect([lying(), seq()]).toEqual([1, 0]);
  }
  time.pass(SHORT_REST);
  expect(seq()).toBe(1);
});

test("with two more waiting a rest is cut short", () => {
  stager.take(taken(1));
  time.pass(100);
  stager.take(plain(2));
  stager.take(plain(3));
  time.pass(SHORT_REST - 101);
  expect(seq()).toBe(0);
  time.pass(1);
  expect(seq()).toBe(1);
  time.pass(SWEEP);
  expect(seq()).toBe(3);
});

test("a table that is far behind is at once where the server is", () => {
  for (const n of [1, 2, 3, 4]) stager.take(taken(n));
  expect(seq()).toBe(0);
  stager.take(plain(5));
  expect(seq()).toBe(5);
  expect(time.waiting).toBe(0);
  expect(store.get().announcements).toHaveLength(4);
});

test("however much comes, and how fast, the view ends as the server's, and soon", () => {
  for (const gap of [0, 40, 200, 700, 1500]) {
    const apart = new TableStore({ view });
    store = new TableStore({ view });
    stager = new Stager(store, time);
    for (let n = 1; n <= 40; n++) {
      const batch = n % 3 === 0 ? taken(n, 1 + (n % 4)) : plain(n);
      apart.apply(batch);
      stager.take(batch);
      time.pass(gap);
      expect(n - (seq() ?? 0)).toBeLessThanOrEqual(4);
    }
    time.pass(10_000);
    expect(store.get().view).toEqual(apart.get().view);
    expect(time.waiting).toBe(0);
  }
});

test("nothing waits in a window that nobody sees, nor when it is left", () => {
  stager.take(taken(1));
  stager.settle();
  expect(seq()).toBe(1);
  time.looking = false;
  stager.take(taken(2));
  expect(seq()).toBe(2);
  expect(time.waiting).toBe(0);
});

test("a whole view takes the place of what waits", () => {
  stager.take(taken(1));
  stager.take(plain(2));
  stager.drop();
  store.show({ ...view, seq: 9 });
  time.pass(10_000);
  expect(seq()).toBe(9);
  stager.take(plain(10));
  expect(seq()).toBe(10);
});

test("a batch that does not fit what has arrived is refused before anything of it is shown", () => {
  stager.take(taken(1));
  expect(() => stager.take(plain(1))).toThrow(/does not follow/);
  expect(seq()).toBe(0);
});
