import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TableStore } from "../state/store";
import { TableConnection } from "./connection";
import type { ClientMessage, Refused, ServerMessage, TableInfo, View } from "./types";

/** The server's end of a socket, driven by the test. */
class FakeSocket {
  readyState = 0;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
    this.onclose?.();
  }
  accept() {
    this.readyState = 1;
    this.onopen?.();
  }
  async say(message: ServerMessage) {
    this.onmessage?.({ data: JSON.stringify(message) });
    await vi.advanceTimersByTimeAsync(0);
  }
  last() {
    return this.sent.at(-1) as ClientMessage;
  }
}

const view: View = {
  seat: 0,
  seq: 3,
  paused: false,
  seats: [],
  zones: [{ content: { count: 5 }, turned: false }],
  values: [],
  dice: [],
  highlights: [],
  status: [],
  waiting: [],
};
const info = {
  code: "ABC",
  game: "g1",
  status: "playing",
  players: [{ id: "p1", name: "Ada", presence: "active" }],
  spectators: [],
  votes: [],
  fairness: {},
  definitions: { game: "/api/definitions/1", table: "/api/definitions/2" },
} as unknown as TableInfo;
const state = (sync: object): ServerMessage => ({
  type: "state",
  v: 3,
  state: { you: { id: "p1", seat: 0 }, table: info, chat: [], sync } as never,
});

let sockets: FakeSocket[];
let store: TableStore;
let refusals: Refused[];
let connection: TableConnection;
const socket = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("location", { protocol: "http:", host: "table.test" });
  vi.stubGlobal("fetch", async () => ({ ok: true, json: async () => ({}) }));
  sockets = [];
  refusals = [];
  store = new TableStore();
  connection = new TableConnection(store, {
    code: "ABC",
    name: "Ada",
    onRefused: (refused) => refusals.push(refused),
    connect: () => {
      sockets.push(new FakeSocket());
      return socket() as unknown as WebSocket;
    },
  });
  connection.open();
  socket().accept();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a table's connection", () => {
  test("joins with code, secret and name, and shows the view", async () => {
    expect(socket().last()).toMatchObject({
      v: 3,
      type: "action",
      action: { type: "join", table: "ABC", name: "Ada" },
    });
    await socket().say(state({ view }));
    expect(store.get()).toMatchObject({ connection: "open", view: { seq: 3 }, you: { seat: 0 } });
  });

  test("keeps asking to be let in, and comes in when the lead says yes", async () => {
    const asked = (requestId: string): ServerMessage => ({ type: "error", requestId, error: "table/asked", text: "" });
    await socket().say(asked(socket().last().requestId));
    expect(store.get().connection).toBe("asking");
    expect(refusals).toEqual([]);
    for (let again = 0; again < 3; again++) {
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(3_000);
      expect(sockets.length).toBe(before + 1);
      socket().accept();
      expect(socket().last().action).toMatchObject({ type: "join", table: "ABC" });
      await socket().say(asked(socket().last().requestId));
    }
    await vi.advanceTimersByTimeAsync(3_000);
    socket().accept();
    await socket().say(state({ view }));
    expect(store.get().connection).toBe("open");
  });

  test("is told when it is not let in", async () => {
    const requestId = socket().last().requestId;
    await socket().say({ type: "error", requestId, error: "table/declined", text: "You were not let in." });
    expect(refusals.map(({ error }) => error)).toEqual(["table/declined"]);
  });

  test("does not pile up what can't be sent", async () => {
    await socket().say(state({ view }));
    socket().close();
    const failed: unknown[] = [];
    for (let n = 0; n < 150; n++) void connection.send({ type: "heartbeat" }).catch((error) => failed.push(error));
    await vi.advanceTimersByTimeAsync(0);
    expect(failed.length).toBe(50);
  });

  test("applies batches, and skips one it has", async () => {
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "4,0m0-1,2" });
    await socket().say({ type: "event", b: "4,0m0-1,2" });
    expect(store.get().view?.zones[0]?.content).toEqual({ count: 3 });
  });

  test("comes back with what it has, and sends again what was not acknowledged", async () => {
    await socket().say(state({ view }));
    let acknowledged = false;
    void connection.send({ type: "move", decision: 1, alternative: 0, parts: [] }).then(() => {
      acknowledged = true;
    });
    const { requestId } = socket().last();
    socket().close();
    expect(store.get().connection).toBe("lost");
    expect(store.get().view?.seq).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    socket().accept();
    expect(socket().last().action).toMatchObject({ type: "join", last: { game: "g1", seq: 3 } });
    await socket().say(state({ batches: ["4,0y0-1"] }));
    expect(store.get().view).toMatchObject({ seq: 4, zones: [{ content: { count: 4 } }] });
    expect(socket().last().requestId).toBe(requestId);
    await socket().say({ type: "ack", requestId });
    expect(acknowledged).toBe(true);
  });

  describe("while the table rests", () => {
    const open = { ...view, zones: [{ content: { cards: [] }, turned: false }] };
    /** A batch in which a card arrives and is taken away again; then the viewer has a decision. */
    const passing = "4,0n-1,0,0[9,1]m0-1[9]q[7][0`go``Go`]";
    beforeEach(async () => {
      await socket().say(state({ view: open }));
      await socket().say({ type: "event", b: passing });
    });
    const lying = () => JSON.stringify(store.get().view?.zones[0]?.content);

    test("what is asked next waits, and no acknowledgement does", async () => {
      expect(lying()).toContain("9");
      expect(store.get().view?.decision).toBeUndefined();
      let acknowledged = false;
      void connection.send({ type: "react", reaction: "👍" }).then(() => {
        acknowledged = true;
      });
      await socket().say({ type: "ack", requestId: socket().last().requestId });
      expect(acknowledged).toBe(true);
      await vi.advanceTimersByTimeAsync(1100);
      expect(store.get().view).toMatchObject({ seq: 4, decision: { id: 7 } });
      expect(lying()).toBe('{"cards":[]}');
    });

    test("a batch that was sent twice is skipped all the same", async () => {
      await socket().say({ type: "event", b: passing });
      await vi.advanceTimersByTimeAsync(1100);
      expect(store.get().view?.seq).toBe(4);
    });

    test("a lost connection is taken up after all that was received", async () => {
      socket().close();
      await vi.advanceTimersByTimeAsync(600);
      socket().accept();
      expect(socket().last().action).toMatchObject({ type: "join", last: { seq: 4 } });
      expect(store.get().view?.seq).toBe(4);
    });

    test("a whole view is shown at once, and nothing comes after it", async () => {
      await socket().say(state({ view: { ...open, seq: 20 } }));
      expect(store.get().view?.seq).toBe(20);
      await vi.advanceTimersByTimeAsync(5000);
      expect(store.get().view).toMatchObject({ seq: 20, zones: open.zones });
    });

    test("a batch that does not fit makes it ask for a whole view, and nothing of it is shown", async () => {
      await socket().say({ type: "event", b: "5,0m0-1[99]" });
      expect(store.get().view).toBeNull();
      await vi.advanceTimersByTimeAsync(1000);
      socket().accept();
      expect(socket().last().action).not.toHaveProperty("last");
    });
  });

  test("what the rules announce is a line of the chat, numbered like the others", async () => {
    await socket().say(state({ view }));
    await socket().say({ type: "event", event: { type: "chat", line: { n: 7, at: 1, kind: "said", text: "hello" } } });
    await socket().say({ type: "event", b: "4,0a`Cut!`1a`For you alone`3a`Over`4" });
    const lines = store.get().chat.map(({ n, line, text }) => [n, text || line]);
    expect(lines).toEqual([
      [7, "hello"],
      [8, [{ text: "Cut!" }]],
      [9, [{ text: "Over" }]],
    ]);
  });

  test("a batch that can't be read makes it ask for a whole view", async () => {
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "4,0?" });
    await vi.advanceTimersByTimeAsync(1000);
    socket().accept();
    expect(socket().last().action).not.toHaveProperty("last");
  });

  test("a batch that does not fit makes it ask for a whole view", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "9,0" });
    await vi.advanceTimersByTimeAsync(1000);
    socket().accept();
    expect(socket().last().action).not.toHaveProperty("last");
  });

  test("a refused move says why, and nothing picked is lost", async () => {
    await socket().say(
      state({
        view: {
          ...view,
          decision: {
            id: 1,
            alternatives: [
              {
                name: "a",
                label: [],
                index: 0,
                legal: true,
                parts: [{ name: "c", kind: { card: { options: [7], blocked: [] } } }],
              },
            ],
          },
        },
      }),
    );
    store.select({ ...store.get().selection, cards: [7] });
    const sent = connection.send({ type: "move", decision: 1, alternative: 0, parts: [{ card: 7 }] });
    const failed = expect(sent).rejects.toMatchObject({ error: "move/not-legal" });
    await socket().say({ type: "error", requestId: socket().last().requestId, error: "move/not-legal", text: "No." });
    await failed;
    expect(store.get()).toMatchObject({ refusal: { text: "No." }, selection: { cards: [7] } });
  });

  test("a refused join is told and not tried again", async () => {
    await socket().say({ type: "error", requestId: socket().last().requestId, error: "table/full", text: "Full." });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(refusals.map((refused) => refused.error)).toEqual(["table/full"]);
    expect(sockets).toHaveLength(1);
  });

  test("a table that is about to be elsewhere is asked for again", async () => {
    await socket().say({ type: "error", requestId: socket().last().requestId, error: "server/closing", text: "Soon." });
    await vi.advanceTimersByTimeAsync(1000);
    expect(refusals).toEqual([]);
    expect(sockets).toHaveLength(2);
  });

  test("a server that is silent is asked for a sign of life, and left when it gives none", async () => {
    await socket().say(state({ view }));
    await vi.advanceTimersByTimeAsync(7_000);
    const asked = socket().last();
    expect(asked.action.type).toBe("heartbeat");
    await socket().say({ type: "ack", requestId: asked.requestId });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(7_500);
    expect(sockets).toHaveLength(2);
    expect(store.get().connection).toBe("lost");
    socket().accept();
    expect(socket().last().action).toMatchObject({ type: "join", last: { game: "g1", seq: 3 } });
  });

  test("a server that takes the call and does not speak is left, too", async () => {
    await vi.advanceTimersByTimeAsync(12_000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  test("gives its share in the shuffles once the server has committed", async () => {
    await socket().say(state({ view }));
    await socket().say({
      type: "event",
      event: { type: "tableChanged", table: { ...info, fairness: { commitment: "c0ffee" } } },
    });
    await socket().say({
      type: "event",
      event: { type: "tableChanged", table: { ...info, fairness: { commitment: "c0ffee" } } },
    });
    expect(socket().sent.filter(({ action }) => action.type === "nonce")).toHaveLength(1);
  });
});
