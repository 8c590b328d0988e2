import { describe, expect, test } from "vitest";
import type { Batch, PlayerInfo, Presence, TableInfo } from "../protocol/types";
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
const told = (store: TableStore) =>
  store
    .get()
    .announcements.map(({ kind, line }) => `${kind}: ${line.map((p) => ("text" in p ? p.text : "")).join("")}`);
const presence = (playerId: string, presence: Presence) => ({
  type: "playerPresenceChanged" as const,
  playerId,
  presence,
});

describe("comings and goings", () => {
  test("of others are told once, in words", () => {
    const store = atTable();
    store.happened({ type: "playerJoined", player: player("p3", "Jun") });
    store.happened(presence("p2", "disconnected"));
    store.happened(presence("p2", "disconnected"));
    store.happened(presence("p2", "active"));
    store.happened({ type: "playerLeft", playerId: "p3", reason: "left" });
    expect(told(store)).toEqual([
      "session: Jun has joined",
      "session: Otto lost the connection",
      "session: Otto is back",
      "session: Jun has left",
    ]);
  });
  test("of bots and of oneself are not", () => {
    const store = atTable();
    store.happened({ type: "playerJoined", player: player("p4", "Biscuit", { bot: "easy" }) });
    store.happened(presence("p1", "away"));
    expect(told(store)).toEqual([]);
  });
});

test("one reaction of each person is shown, until it fades", () => {
  const store = atTable();
  store.happened({ type: "reaction", from: "p2", reaction: "👍" });
  store.happened({ type: "reaction", from: "p2", reaction: "🎉" });
  store.happened({ type: "reaction", from: "p1", reaction: "👏" });
  expect(store.get().reactions.map(({ from, sign }) => from + sign)).toEqual(["p2🎉", "p1👏"]);
  store.faded(store.get().reactions[0]?.id ?? 0);
  expect(store.get().reactions.map(({ from }) => from)).toEqual(["p1"]);
});

test("a code to move the seat is kept until it runs out", () => {
  const store = new TableStore({}, () => 1000);
  store.happened({ type: "seatCode", code: "k3v9", expiresIn: 5000 });
  expect(store.get().seatCode).toEqual({ code: "k3v9", until: 6000 });
});

test("a move is on its way until its own decision is settled, whatever others do meanwhile", () => {
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

describe("those who watch", () => {
  const watching = (store: TableStore) => store.get().info?.spectators.map(({ name }) => name);

  test("come and go by small events", () => {
    const store = atTable();
    store.happened({ type: "spectatorJoined", spectator: { id: "s1", name: "Eve" } });
    store.happened({ type: "spectatorJoined", spectator: { id: "s2", name: "Dan" } });
    store.happened({ type: "spectatorJoined", spectator: { id: "s1", name: "Eve" } });
    expect(watching(store)).toEqual(["Dan", "Eve"]);
    store.happened({ type: "spectatorLeft", spectatorId: "s2" });
    expect(watching(store)).toEqual(["Eve"]);
    expect(told(store)).toEqual([]);
  });
});

describe("what a table keeps in the page", () => {
  const line = (n: number, text: string) => ({ n, at: 0, kind: "session" as const, text });

  test("a session update may replace an earlier one, in its place", () => {
    const store = atTable();
    store.said([line(1, "Otto is away"), line(2, "The game begins")]);
    store.happened({ type: "chat", line: line(1, "Otto is back") });
    expect(store.get().chat.map(({ n, text }) => `${n} ${text}`)).toEqual(["1 Otto is back", "2 The game begins"]);
    const before = store.get().chat;
    store.said([line(1, "Otto is back")]);
    expect(store.get().chat).toBe(before);
  });

  test("chat, announcements and clocks have bounds", () => {
    const store = atTable();
    for (let n = 1; n <= 3000; n++) {
      store.said([line(n, `line ${n}`)]);
      store.clocks([[n, 1000]]);
      store.happened({ type: "announced", text: [{ text: `news ${n}` }], kind: "toast" });
    }
    const { chat, deadlines, announcements } = store.get();
    expect(chat.length).toBeLessThanOrEqual(500);
    expect(chat.at(-1)?.n).toBe(3000);
    expect(Object.keys(deadlines).length).toBeLessThanOrEqual(64);
    expect(deadlines[3000]).toBeDefined();
    expect(announcements.length).toBeLessThanOrEqual(40);
  });

  test("the lead is told who asks to come in", () => {
    const store = atTable();
    store.happened({ type: "askersChanged", askers: [{ id: "a1", name: "Eve", watch: true }] });
    expect(store.get().askers).toEqual([{ id: "a1", name: "Eve", watch: true }]);
  });
});
