/**
 * The socket to one table. It joins, keeps the store up to date, comes back after a lost connection with the last
 * `seq` it has, and sends what was not acknowledged again under the same id, which the server counts once.
 */

import { PlaybackQueue } from "../state/playback";
import { ReduceError } from "../state/reduce";
import type { TableStore } from "../state/store";
import { http } from "./http";
import { randomId, rememberShare, requestId, secret, shareOf } from "./identity";
import {
  type Action,
  type ClientMessage,
  type ExpandedBatch,
  expandBatch,
  PROTOCOL_VERSION,
  type Refused,
  type ServerMessage,
  type TableState,
  type Texts,
  type WireBatch,
} from "./types";

export interface ConnectionOptions {
  code: string;
  name?: string;
  watch?: boolean;
  /** Joining was refused for good: the table is full, unknown, over; or a name is needed. */
  onRefused: (refused: Refused) => void;
  /** Replaced in tests. */
  connect?: (address: string) => WebSocket;
}

interface Pending {
  message: ClientMessage;
  done: () => void;
  failed: (refused: Refused) => void;
  /** Not asked for by the person: a refusal is not shown. */
  quiet?: boolean;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** After so long without a word from the server it is asked for one: soon where others may be moving, or an answer is due. */
const QUIET_AT_PLAY = 5_000;
const QUIET = 20_000;
/** A server that does not answer within this is as good as gone, even if its socket is open. */
const SILENCE = 4_000;
/** For a socket to open and the table to answer; more with every attempt, for lines that are really that slow. */
const OPENING = 8_000;
/** How often that is looked at. */
const LOOK = 1_000;
/** How often somebody who waits to be let in asks again. */
const ASK_AGAIN = 3_000;
/** Messages that wait for a connection; somebody who presses on is told that nothing is sent. */
const MOST_PENDING = 100;
/** The table is about to be somewhere else: asking again is all there is to do. */
const PASSING: Refused["error"][] = ["server/closing", "server/storage", "server/fault"];

/** The server hangs up for good: whoever asked again would only be a stranger there. */
const FINAL: Refused["error"][] = ["seat/forgotten", "table/closed"];

export class TableConnection {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private joinId = "";
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  /** When the server was last heard. */
  private heard = 0;
  /** When it was asked for a sign of life, and has not given one since. */
  private asked: number | null = null;
  private closed = false;
  /** The commitment this browser has answered with its nonce. */
  private contributed = "";
  /** Messages are taken one after the other, also when one has to fetch a definition first. */
  private queue: Promise<void> = Promise.resolve();
  /** What has arrived goes through it to the store. */
  private readonly playback: PlaybackQueue;

  constructor(
    private readonly store: TableStore,
    private readonly options: ConnectionOptions,
  ) {
    this.playback = new PlaybackQueue(store);
  }

  open(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/ws`;
    const socket = (this.options.connect ?? ((url) => new WebSocket(url)))(address);
    this.socket = socket;
    this.asked = Date.now();
    clearInterval(this.beat);
    this.beat = setInterval(() => this.listen(), LOOK);
    socket.onopen = () => this.join();
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.asked = null;
      const message = JSON.parse(String(event.data)) as ServerMessage;
      this.queue = this.queue.then(() => this.receive(message)).catch((error) => this.misfit(error));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      const final = FINAL.find((error) => error === event?.reason);
      // What came before it is told first: why a table was closed, say.
      if (final) void this.queue.then(() => this.turnAway({ error: final, text: "" }));
      else this.lost();
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.playback.clear();
    this.socket?.close();
  }

  /** Shows all that has arrived: nobody looks any more. */
  settle = (): void => this.playback.flush();

  /** At once instead of after the wait: the network or the window is back. */
  hurry = (): void => {
    if (this.store.get().connection === "lost") this.open();
  };

  send = (action: Action): Promise<void> => {
    const message = envelope(action);
    return new Promise((done, failed) => {
      if (this.pending.size >= MOST_PENDING) return failed({});
      this.pending.set(message.requestId, { message, done, failed });
      if (this.store.get().connection === "open") this.write(message);
    });
  };

  private join(): void {
    // What follows comes on top of all that was received, and is told from there.
    this.playback.flush();
    const { code, name, watch } = this.options;
    const { view, info, chat } = this.store.get();
    const seen = chat.at(-1)?.n ?? 0;
    const last = view && info ? { game: info.game, seq: view.seq, seat: view.seat, chat: seen } : undefined;
    const message = envelope({
      type: "join",
      table: code,
      secret: secret(),
      ...(name ? { name } : {}),
      ...(watch ? { watch } : {}),
      ...(last ? { last } : {}),
    });
    this.joinId = message.requestId;
    this.write(message);
  }

  private async receive(message: ServerMessage): Promise<void> {
    switch (message.type) {
      case "state":
        await this.entered(message.state);
        return;
      case "event":
        if (message.b) this.apply(message.b);
        if (message.event) this.store.applyTableEvent(message.event);
        this.contribute();
        return;
      case "ack":
        this.pending.get(message.requestId)?.done();
        this.pending.delete(message.requestId);
        return;
      case "error":
        this.refused(message);
        return;
    }
  }

  private async entered(state: TableState): Promise<void> {
    const { definitions } = state.table;
    const [game, table] = await Promise.all([
      http.gameDefinition(definitions.game),
      definitions.table ? http.tableDefinition(definitions.table) : Promise.resolve(null),
    ]);
    const reason = this.store.get().info ? null : nothingHere(state, game.maxPlayers, this.options.watch ?? false);
    if (reason) return this.turnAway({ error: reason, text: "" });
    this.wait = FIRST_WAIT;
    if (state.sync && "batches" in state.sync) this.playback.flush();
    else this.playback.clear();
    const same = this.store.get().info?.game === state.table.game;
    this.store.set({
      connection: "open",
      you: state.you,
      info: state.table,
      // Whoever leads is told next.
      askers: [],
      game,
      table,
      ...(same ? {} : { announcements: [] }),
    });
    this.store.addChatLines(state.chat);
    if (!state.sync) this.store.show(null);
    else if ("view" in state.sync) this.store.show(state.sync.view);
    // What was announced meanwhile is among the lines of the chat that came with the state.
    else for (const batch of state.sync.batches) this.apply(batch, true);
    this.store.setClocks(state.table.clocks ?? []);
    this.contribute();
    for (const { message } of this.pending.values()) this.write(message);
  }

  /** A socket can stay open long after there is nobody at its other end. */
  private listen(): void {
    const now = Date.now();
    if (this.asked !== null) {
      const open = this.store.get().connection === "open";
      if (now - this.asked > (open ? SILENCE : OPENING + this.wait)) this.giveUp();
      return;
    }
    const busy = this.pending.size > 0 || this.store.get().info?.status === "playing";
    if (now - this.heard < (busy ? QUIET_AT_PLAY : QUIET)) return;
    this.asked = now;
    this.write(envelope({ type: "heartbeat" }));
  }

  /** Does not wait for the other end to agree. */
  private giveUp(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost();
  }

  /**
   * This browser's share in the shuffles, made only after it has seen what the server committed to; once for each
   * game. It is sent again after a reconnect if nobody has acknowledged it: then the start is still to come.
   */
  private contribute(): void {
    const { info, you } = this.store.get();
    const commitment = info?.fairness.commitment;
    const seated = info?.players.some((player) => player.id === you?.id);
    if (!info || !commitment || !seated || this.contributed === commitment) return;
    this.contributed = commitment;
    // A reload in the lobby must not make this browser doubt its own share: what it sent before stands.
    const kept = shareOf(info.game);
    if (kept?.commitment === commitment) return;
    const nonce = randomId(18);
    this.quietly({ type: "nonce", nonce }, () => rememberShare(info.game, { commitment, nonce }));
  }

  /** Sends what the person has not asked for, so that a refusal is nothing to tell. */
  private quietly(action: Action, done: () => void): void {
    const message = envelope(action);
    this.pending.set(message.requestId, { message, done, failed: () => undefined, quiet: true });
    this.write(message);
  }

  /** `missed`: it came about while there was no connection, and is caught up with at once. */
  private apply(wire: WireBatch, missed = false): void {
    const { batch, clocks } = expanded(wire, this.store.get().table?.texts ?? []);
    // Sent twice around a reconnect: what is already applied is skipped.
    const view = this.playback.latestView();
    if (view && batch.seq <= view.seq) return;
    if (missed) this.store.apply(batch);
    else {
      this.playback.enqueue(batch);
      this.store.addAnnouncementsToChat(batch);
    }
    this.store.setClocks(clocks);
  }

  private refused(refused: { requestId?: string } & Refused): void {
    if (refused.error === "protocol/version") {
      this.closed = true;
      this.store.set({ connection: "old" });
      return;
    }
    const id = refused.requestId ?? "";
    if (id === this.joinId) {
      if (PASSING.includes(refused.error)) this.giveUp();
      else if (refused.error === "table/asked") this.askAgain();
      else this.turnAway(refused);
      return;
    }
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (!pending?.quiet) this.store.set({ refusal: refused });
    pending?.failed(refused);
  }

  /** The lead was asked, and has not answered yet. */
  private askAgain(): void {
    const socket = this.socket;
    this.socket = null;
    clearInterval(this.beat);
    socket?.close();
    this.wait = FIRST_WAIT;
    this.store.set({ connection: "asking" });
    this.timer = setTimeout(() => this.open(), ASK_AGAIN);
  }

  /** There is no place here for this person. */
  private turnAway(refused: Refused): void {
    this.close();
    this.store.set({ connection: "refused", refusal: refused });
    this.options.onRefused(refused);
  }

  /** A batch that does not fit: forget the view and ask for a whole one. */
  private misfit(error: unknown): void {
    console.error(error);
    if (error instanceof ReduceError) {
      this.playback.clear();
      this.store.set({ view: null });
    }
    this.socket?.close();
  }

  private lost(): void {
    clearInterval(this.beat);
    this.socket = null;
    if (this.closed) return;
    const before = this.store.get();
    this.store.set({ connection: before.info ? "lost" : before.connection === "asking" ? "asking" : "connecting" });
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private write(message: ClientMessage): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }
}

const envelope = (action: Action): ClientMessage => ({
  v: PROTOCOL_VERSION,
  type: "action",
  requestId: requestId(),
  action,
});

/**
 * Why somebody is better off at home: the table was abandoned, it is over and was never theirs, or all of its seats are
 * taken in a running game. Whoever played in a finished game may look at its end and ask for a rematch.
 */
function nothingHere({ you, table }: TableState, seats: number, watch: boolean): Refused["error"] | null {
  if (table.abandoned) return "table/over";
  if (watch || you.seat !== undefined) return null;
  if (table.status === "ended") return "table/over";
  const taken = table.players.filter(({ presence }) => presence !== "left").length;
  return you.watchingBecause === "table/no-newcomers" && taken >= seats ? "table/full" : null;
}

/** What can't be read fits no view. */
function expanded(wire: WireBatch, texts: Texts): ExpandedBatch {
  try {
    return expandBatch(wire, texts);
  } catch (error) {
    throw new ReduceError("form", String(error));
  }
}
