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
  v: 4,
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
      v: 4,
      type: "action",
      action: { type: "join", table: "ABC", name: "Ada" },
    });
    await socket().say(state({ view }));
    expect(store.get()).toMatchObject({ connection: "open", view: { seq: 3 }, you: { seat: 0 } });
  });

  test("keeps asking to be let in, and joins when the lead says yes", async () => {
    const waitForLead = (requestId: string): ServerMessage => ({
      type: "error",
      requestId,
      error: "table/asked",
      text: "",
    });
    await socket().say(waitForLead(socket().last().requestId));
    expect(store.get().connection).toBe("asking");
    expect(refusals).toEqual([]);
    for (let again = 0; again < 3; again++) {
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(3_000);
      expect(sockets.length).toBe(before + 1);
      socket().accept();
      expect(socket().last().action).toMatchObject({ type: "join", table: "ABC" });
      await socket().say(waitForLead(socket().last().requestId));
    }
    await vi.advanceTimersByTimeAsync(3_000);
    socket().accept();
    await socket().say(state({ view }));
    expect(store.get().connection).toBe("open");
  });

  test("reports a refusal when the lead declines", async () => {
    const requestId = socket().last().requestId;
    await socket().say({ type: "error", requestId, error: "table/declined", text: "You were not let in." });
    expect(refusals.map(({ error }) => error)).toEqual(["table/declined"]);
  });

  test("limits the messages that wait for a connection", async () => {
    await socket().say(state({ view }));
    socket().close();
    const failed: unknown[] = [];
    for (let n = 0; n < 150; n++) void connection.send({ type: "heartbeat" }).catch((error) => failed.push(error));
    await vi.advanceTimersByTimeAsync(0);
    expect(failed.length).toBe(50);
  });

  test("applies batches, and skips one that it already has", async () => {
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "4,0m0-1,2" });
    await socket().say({ type: "event", b: "4,0m0-1,2" });
    expect(store.get().view?.zones[0]?.content).toEqual({ count: 3 });
  });

  test("joins again with its last seq, and sends unacknowledged messages again", async () => {
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

  describe("while a segment waits to be shown", () => {
    const open = { ...view, zones: [{ content: { cards: [] }, turned: false }] };
    /** A batch in which a card arrives and is taken away again; then the viewer has a decision. */
    const passing = "4,0n-1,0,0[9,1]m0-1[9]q[7][0`go``Go`]";
    beforeEach(async () => {
      await socket().say(state({ view: open }));
      await socket().say({ type: "event", b: passing });
    });
    const lying = () => JSON.stringify(store.get().view?.zones[0]?.content);

    test("the next decision waits, but acknowledgements do not", async () => {
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

    test("a batch that was sent twice is skipped", async () => {
      await socket().say({ type: "event", b: passing });
      await vi.advanceTimersByTimeAsync(1100);
      expect(store.get().view?.seq).toBe(4);
    });

    test("a new connection continues after everything that has arrived", async () => {
      socket().close();
      await vi.advanceTimersByTimeAsync(600);
      socket().accept();
      expect(socket().last().action).toMatchObject({ type: "join", last: { seq: 4 } });
      expect(store.get().view?.seq).toBe(4);
    });

    test("a whole view is shown at once and replaces what waits", async () => {
      await socket().say(state({ view: { ...open, seq: 20 } }));
      expect(store.get().view?.seq).toBe(20);
      await vi.advanceTimersByTimeAsync(5000);
      expect(store.get().view).toMatchObject({ seq: 20, zones: open.zones });
    });

    test("a batch that does not fit is not shown, and the client asks for a whole view", async () => {
      await socket().say({ type: "event", b: "5,0m0-1[99]" });
      expect(store.get().view).toBeNull();
      await vi.advanceTimersByTimeAsync(1000);
      socket().accept();
      expect(socket().last().action).not.toHaveProperty("last");
    });
  });

  test("adds what batches tell to the log, live and after a lost connection, and not to the chat", async () => {
    await socket().say(state({ view }));
    expect(store.get().log).toMatchObject({ steps: [], stale: true });
    await socket().say({ type: "event", event: { type: "chat", line: { n: 7, at: 1, kind: "said", text: "hello" } } });
    await socket().say({ type: "event", b: "4,0a`Cut!`1L1[0` cuts`]11[`Cut!`]" });
    await socket().say(state({ batches: ["5,1L0[`Round 2`]"] }));
    expect(store.get().chat.map(({ text }) => text)).toEqual(["hello"]);
    const told = store.get().log.steps.map(({ seq, seat, narrations }) => [seq, seat, narrations]);
    expect(told).toEqual([
      [
        4,
        0,
        [
          { after: 0, kind: "move", text: [{ seat: 0 }, { text: " cuts" }] },
          { after: 1, kind: "announcement", text: [{ text: "Cut!" }] },
        ],
      ],
      [5, 1, [{ after: 0, kind: "round", text: [{ text: "Round 2" }] }]],
    ]);
  });

  test("asks for a whole view when a batch can't be parsed", async () => {
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "4,0?" });
    await vi.advanceTimersByTimeAsync(1000);
    socket().accept();
    expect(socket().last().action).not.toHaveProperty("last");
  });

  test("asks for a whole view when a batch does not fit", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await socket().say(state({ view }));
    await socket().say({ type: "event", b: "9,0" });
    await vi.advanceTimersByTimeAsync(1000);
    socket().accept();
    expect(socket().last().action).not.toHaveProperty("last");
  });

  test("shows why a move was refused, and keeps the selection", async () => {
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

  test("reports a refused join and does not try again", async () => {
    await socket().say({ type: "error", requestId: socket().last().requestId, error: "table/full", text: "Full." });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(refusals.map((refused) => refused.error)).toEqual(["table/full"]);
    expect(sockets).toHaveLength(1);
  });

  test("joins again when the table is about to move to another node", async () => {
    await socket().say({ type: "error", requestId: socket().last().requestId, error: "server/closing", text: "Soon." });
    await vi.advanceTimersByTimeAsync(1000);
    expect(refusals).toEqual([]);
    expect(sockets).toHaveLength(2);
  });

  test("sends a heartbeat to a silent server, and reconnects if there is no answer", async () => {
    await socket().say(state({ view }));
    await vi.advanceTimersByTimeAsync(7_000);
    const waitForLead = socket().last();
    expect(waitForLead.action.type).toBe("heartbeat");
    await socket().say({ type: "ack", requestId: waitForLead.requestId });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(7_500);
    expect(sockets).toHaveLength(2);
    expect(store.get().connection).toBe("lost");
    socket().accept();
    expect(socket().last().action).toMatchObject({ type: "join", last: { game: "g1", seq: 3 } });
  });

  test("reconnects if the server accepts the socket and never answers", async () => {
    await vi.advanceTimersByTimeAsync(12_000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  test("sends its nonce once after the server has committed to a seed", async () => {
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
