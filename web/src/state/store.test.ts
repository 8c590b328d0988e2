import { describe, expect, test } from "vitest";
import type { Batch, PlayerInfo, Presence, TableInfo, View } from "../protocol/types";
import type { BatchSegment } from "./segments";
import { TableStore } from "./store";

const player = (id: string, name: string, more: Partial<PlayerInfo> = {}): PlayerInfo => ({
  id,
  name,
  presence: "active",
  joinedAt: 0,
  lastSeen: 0,
  ...more,
});
const atTable = () =>
  new TableStore({
    you: { id: "p1" },
    info: { players: [player("p1", "Ada"), player("p2", "Otto")], spectators: [], votes: [] } as unknown as TableInfo,
  });
const toasts = (store: TableStore) =>
  store
    .get()
    .announcements.map(({ kind, line }) => `${kind}: ${line.map((p) => ("text" in p ? p.text : "")).join("")}`);
const presence = (playerId: string, presence: Presence) => ({
  type: "playerPresenceChanged" as const,
  playerId,
  presence,
});

describe("presence toasts", () => {
  test("tell once when another person joins, leaves, or loses the connection", () => {
    const store = atTable();
    store.applyTableEvent({ type: "playerJoined", player: player("p3", "Jun") });
    store.applyTableEvent(presence("p2", "disconnected"));
    store.applyTableEvent(presence("p2", "disconnected"));
    store.applyTableEvent(presence("p2", "active"));
    store.applyTableEvent({ type: "playerLeft", playerId: "p3", reason: "left" });
    expect(toasts(store)).toEqual([
      "session: Jun has joined",
      "session: Otto lost the connection",
      "session: Otto is back",
      "session: Jun has left",
    ]);
  });
  test("leave out bots and the viewer", () => {
    const store = atTable();
    store.applyTableEvent({ type: "playerJoined", player: player("p4", "Biscuit", { bot: "easy" }) });
    store.applyTableEvent(presence("p1", "away"));
    expect(toasts(store)).toEqual([]);
  });
});

test("shows the last reaction of each person until it is removed", () => {
  const store = atTable();
  store.applyTableEvent({ type: "reaction", from: "p2", reaction: "👍" });
  store.applyTableEvent({ type: "reaction", from: "p2", reaction: "🎉" });
  store.applyTableEvent({ type: "reaction", from: "p1", reaction: "👏" });
  expect(store.get().reactions.map(({ from, emoji }) => from + emoji)).toEqual(["p2🎉", "p1👏"]);
  store.removeReaction(store.get().reactions[0]?.id ?? 0);
  expect(store.get().reactions.map(({ from }) => from)).toEqual(["p1"]);
});

test("keeps the seat code with the time at which it expires", () => {
  const store = new TableStore({}, () => 1000);
  store.applyTableEvent({ type: "seatCode", code: "k3v9", expiresIn: 5000 });
  expect(store.get().seatCode).toEqual({ code: "k3v9", until: 6000 });
});

test("keeps `sending` until the view has another decision, whatever others do meanwhile", () => {
  const decision = { id: 3, alternatives: [] };
  const view = {
    seq: 0,
    seats: [],
    zones: [],
    values: [],
    dice: [],
    highlights: [],
    status: [],
    waiting: [],
    decision,
  };
  const store = new TableStore({ view: { ...view, paused: false }, sending: true });
  store.apply({ seq: 1, cause: "start", events: [{ status: { lines: [] } }] } as unknown as Batch);
  expect(store.get().sending).toBe(true);
  store.apply({ seq: 2, cause: "start", events: [{ decision: { decision: null } }] } as unknown as Batch);
  expect(store.get().sending).toBe(false);
});

describe("spectators", () => {
  const watching = (store: TableStore) => store.get().info?.spectators.map(({ name }) => name);

  test("are added and removed by events", () => {
    const store = atTable();
    store.applyTableEvent({ type: "spectatorJoined", spectator: { id: "s1", name: "Eve" } });
    store.applyTableEvent({ type: "spectatorJoined", spectator: { id: "s2", name: "Dan" } });
    store.applyTableEvent({ type: "spectatorJoined", spectator: { id: "s1", name: "Eve" } });
    expect(watching(store)).toEqual(["Dan", "Eve"]);
    store.applyTableEvent({ type: "spectatorLeft", spectatorId: "s2" });
    expect(watching(store)).toEqual(["Eve"]);
    expect(toasts(store)).toEqual([]);
  });
});

describe("what the store keeps", () => {
  const line = (n: number, text: string) => ({ n, at: 0, kind: "session" as const, text });

  test("replaces a session line in place when its text changes", () => {
    const store = atTable();
    store.addChatLines([line(1, "Otto is away"), line(2, "The game begins")]);
    store.applyTableEvent({ type: "chat", line: line(1, "Otto is back") });
    expect(store.get().chat.map(({ n, text }) => `${n} ${text}`)).toEqual(["1 Otto is back", "2 The game begins"]);
    const before = store.get().chat;
    store.addChatLines([line(1, "Otto is back")]);
    expect(store.get().chat).toBe(before);
  });

  test("bounds chat lines, announcements and clocks", () => {
    const store = atTable();
    for (let n = 1; n <= 3000; n++) {
      store.addChatLines([line(n, `line ${n}`)]);
      store.setClocks([[n, 1000]]);
      store.applyTableEvent({ type: "announced", text: [{ text: `news ${n}` }], kind: "toast" });
    }
    const { chat, deadlines, announcements } = store.get();
    expect(chat.length).toBeLessThanOrEqual(500);
    expect(chat.at(-1)?.n).toBe(3000);
    expect(Object.keys(deadlines).length).toBeLessThanOrEqual(64);
    expect(deadlines[3000]).toBeDefined();
    expect(announcements.length).toBeLessThanOrEqual(40);
  });

  test("keeps the people who ask to be let in", () => {
    const store = atTable();
    store.applyTableEvent({ type: "askersChanged", askers: [{ id: "a1", name: "Eve", watch: true }] });
    expect(store.get().askers).toEqual([{ id: "a1", name: "Eve", watch: true }]);
  });
});

describe("notices", () => {
  const batch = (...events: object[]) => ({ events, isContinuation: false }) as unknown as BatchSegment;
  const notice = { announced: { kind: "notice", text: [{ text: "You lead" }] } };
  const viewIn = (phase: string, decision?: number) =>
    ({
      phase,
      zones: [],
      ...(decision === undefined ? {} : { decision: { id: decision, alternatives: [] } }),
    }) as unknown as View;
  const kinds = (store: TableStore) => store.get().announcements.map(({ kind }) => kind);

  test("go away when the person has answered the next decision", () => {
    const store = new TableStore({ view: viewIn("play") });
    store.showSegment({ segment: batch(notice), view: viewIn("play") });
    store.showSegment({ segment: batch(), view: viewIn("play", 7) });
    expect(kinds(store)).toEqual(["notice"]);
    store.showSegment({ segment: batch(), view: viewIn("play") });
    expect(kinds(store)).toEqual([]);
  });

  test("go away with the viewer's own move, and with the next round", () => {
    const moved = { ...batch(notice), seq: 1, cause: { move: { seat: 0 } } };
    const next = { ...batch(), narrations: [{ after: 0, kind: "round" as const, text: [{ text: "Round 2" }] }] };
    const isTrueAfter = (segment: BatchSegment) => {
      const view = { ...viewIn("play"), seat: 0 };
      const store = new TableStore({ view });
      // A move may lead to a notice, also in a later segment of its batch.
      store.showSegment({ segment: moved, view });
      store.showSegment({ segment: { ...moved, events: [], isContinuation: true }, view });
      expect(kinds(store)).toEqual(["notice"]);
      store.showSegment({ segment, view });
      return kinds(store).length > 0;
    };
    expect(isTrueAfter({ ...moved, seq: 2, events: [] })).toBe(false);
    expect(isTrueAfter(next)).toBe(false);
    expect(isTrueAfter({ ...batch(), seq: 2, cause: { move: { seat: 1 } } })).toBe(true);
  });

  test("go away with the phase, and stay while nothing of that has happened", () => {
    const store = new TableStore({ view: viewIn("play") });
    store.showSegment({ segment: batch(notice), view: viewIn("play") });
    store.showSegment({ segment: batch(), view: viewIn("play") });
    expect(kinds(store)).toEqual(["notice"]);
    store.showSegment({ segment: batch(notice), view: viewIn("deal") });
    expect(store.get().announcements.map(({ about }) => about?.phase)).toEqual(["deal"]);
  });
});

describe("absences and removals", () => {
  const table = (absences?: TableInfo["absences"]) =>
    ({
      players: [player("p1", "Ada"), player("p2", "Otto")],
      spectators: [],
      votes: [],
      lead: "p1",
      ...(absences ? { absences } : {}),
    }) as unknown as TableInfo;

  test("an absence counts from the moment when the server sent it, and later events do not prolong it", () => {
    let now = 1000;
    const store = new TableStore({ you: { id: "p1" } }, () => now);
    const absence = { playerId: "p2", end: "leaves" as const };
    store.applyTableEvent({ type: "tableChanged", table: table([{ ...absence, ms: 500 }]) });
    now = 1300;
    store.applyTableEvent(presence("p2", "disconnected"));
    expect(store.get().absences).toEqual([{ ...absence, until: 1500 }]);
    store.applyTableEvent({ type: "tableChanged", table: table() });
    expect(store.get().absences).toEqual([]);
  });

  test("only the lead's client keeps whom the lead has removed", () => {
    const left = { type: "playerLeft" as const, playerId: "p2", reason: "kicked" as const };
    for (const [you, removed] of [
      ["p1", ["Otto"]],
      ["p3", []],
    ] as const) {
      const store = new TableStore({ you: { id: you }, info: table() });
      store.applyTableEvent(left);
      expect(store.get().removed.map(({ name }) => name)).toEqual(removed);
    }
  });
});
