/**
 * The socket to one table. It joins and keeps the store up to date. After a lost connection it joins again with the
 * last `seq` that it has, and sends unacknowledged messages again under the same id, so that the server counts each
 * only once.
 */

import { EMPTY_LOG } from "../state/log";
import { PlaybackQueue } from "../state/playback";
import { ReduceError } from "../state/reduce";
import type { TableStore } from "../state/store";
import { http } from "./http";
import { fairnessRecordOf, randomId, rememberFairness, requestId, secret } from "./identity";
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
  /**
   * The connection calls this when the server refuses the join for good: the table is full, unknown or over, or the
   * name can't be used.
   */
  onRefused: (refused: Refused) => void;
  /** Opens the socket. Tests replace it. */
  connect?: (address: string) => WebSocket;
}

interface Pending {
  message: ClientMessage;
  resolve: () => void;
  reject: (refused: Refused) => void;
  /** The client sends the message by itself, so the screen does not show a refusal. */
  isBackground?: boolean;
}

const FIRST_RETRY_MS = 400;
const MAX_RETRY_MS = 8000;
/**
 * After so long without a message the client sends a heartbeat: earlier while others may be moving or an answer is
 * due.
 */
const PING_AFTER_WHILE_PLAYING_MS = 5_000;
const PING_AFTER_MS = 20_000;
/**
 * If the server does not answer a heartbeat in this time, the connection counts as lost, even if the socket is open.
 */
const PING_TIMEOUT_MS = 4_000;
/** The time for opening a socket and joining. It grows with every attempt, for networks that really are that slow. */
const JOIN_TIMEOUT_MS = 8_000;
/** How often the client checks these times. */
const CHECK_EVERY_MS = 1_000;
/** How often somebody who waits to be let in asks again. */
const ASK_AGAIN_MS = 3_000;
/**
 * Upper bound on messages that wait for a connection. Further ones fail at once, so that the person learns that
 * nothing is sent.
 */
const MAX_PENDING = 100;
/** Errors after which the client joins again: the table moves to another node, or the server could not store a step. */
const TEMPORARY_ERRORS: Refused["error"][] = ["server/closing", "server/storage", "server/fault"];

/** The server has closed the connection for good; joining again would only create a stranger. */
const FINAL_ERRORS: Refused["error"][] = ["seat/forgotten", "table/closed"];

export class TableConnection {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private joinId = "";
  private retryDelay = FIRST_RETRY_MS;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private checkTimer: ReturnType<typeof setInterval> | undefined;
  /** When the last message arrived. */
  private lastHeardAt = 0;
  /** When a heartbeat, or a join, was sent that has no answer yet. */
  private pingSentAt: number | null = null;
  private closed = false;
  /** The commitment for which this browser has sent its nonce. */
  private nonceSentFor = "";
  /** Handles messages one after the other, even if one of them has to wait for a definition. */
  private queue: Promise<void> = Promise.resolve();
  /** Shows the batches that arrive, with delays. */
  private readonly playback: PlaybackQueue;

  constructor(
    private readonly store: TableStore,
    private readonly options: ConnectionOptions,
  ) {
    this.playback = new PlaybackQueue(store);
  }

  open(): void {
    if (this.closed) return;
    clearTimeout(this.retryTimer);
    const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/ws`;
    const socket = (this.options.connect ?? ((url) => new WebSocket(url)))(address);
    this.socket = socket;
    this.pingSentAt = Date.now();
    clearInterval(this.checkTimer);
    this.checkTimer = setInterval(() => this.checkLiveness(), CHECK_EVERY_MS);
    socket.onopen = () => this.join();
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.lastHeardAt = Date.now();
      this.pingSentAt = null;
      const message = JSON.parse(String(event.data)) as ServerMessage;
      this.queue = this.queue.then(() => this.receive(message)).catch((error) => this.recoverFrom(error));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      const final = FINAL_ERRORS.find((error) => error === event?.reason);
      // Handles earlier messages first, because they may say why the table was closed.
      if (final) void this.queue.then(() => this.endRefused({ error: final, text: "" }));
      else this.handleLostSocket();
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.checkTimer);
    this.playback.clear();
    this.socket?.close();
  }

  /** Shows everything that has arrived, because the window is hidden. */
  flush = (): void => this.playback.flush();

  /** Reconnects without waiting: the network or the window is back. */
  reconnectNow = (): void => {
    if (this.store.get().connection === "lost") this.open();
  };

  send = (action: Action): Promise<void> => {
    const message = envelope(action);
    return new Promise((resolve, reject) => {
      if (this.pending.size >= MAX_PENDING) return reject({});
      this.pending.set(message.requestId, { message, resolve, reject });
      if (this.store.get().connection === "open") this.write(message);
    });
  };

  private join(): void {
    // The server sends what follows the last view, so everything that has arrived must be shown first.
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
        await this.applyState(message.state);
        return;
      case "event":
        if (message.b) this.applyBatch(message.b);
        if (message.event) this.store.applyTableEvent(message.event);
        this.sendNonce();
        return;
      case "ack":
        this.pending.get(message.requestId)?.resolve();
        this.pending.delete(message.requestId);
        return;
      case "error":
        this.handleRefusal(message);
        return;
    }
  }

  private async applyState(state: TableState): Promise<void> {
    const { definitions } = state.table;
    const [game, table] = await Promise.all([
      http.gameDefinition(definitions.game),
      definitions.table ? http.tableDefinition(definitions.table) : Promise.resolve(null),
    ]);
    const reason = this.store.get().info ? null : refusalReason(state, game.maxPlayers, this.options.watch ?? false);
    if (reason) return this.endRefused({ error: reason, text: "" });
    this.retryDelay = FIRST_RETRY_MS;
    if (state.sync && "batches" in state.sync) this.playback.flush();
    else this.playback.clear();
    const same = this.store.get().info?.game === state.table.game;
    this.store.set({
      connection: "open",
      you: state.you,
      info: state.table,
      // The server sends the askers to the lead in the next message.
      askers: [],
      game,
      table,
      ...(same ? {} : { announcements: [], log: EMPTY_LOG }),
    });
    this.store.addChatLines(state.chat);
    if (!state.sync) this.store.show(null);
    else if ("view" in state.sync) this.store.show(state.sync.view);
    else for (const batch of state.sync.batches) this.applyBatch(batch, true);
    this.store.setClocks(state.table.clocks ?? []);
    this.sendNonce();
    for (const { message } of this.pending.values()) this.write(message);
  }

  /** Detects a dead connection: a socket can stay open long after the server is gone. */
  private checkLiveness(): void {
    const now = Date.now();
    if (this.pingSentAt !== null) {
      const open = this.store.get().connection === "open";
      if (now - this.pingSentAt > (open ? PING_TIMEOUT_MS : JOIN_TIMEOUT_MS + this.retryDelay)) this.dropSocket();
      return;
    }
    const busy = this.pending.size > 0 || this.store.get().info?.status === "playing";
    if (now - this.lastHeardAt < (busy ? PING_AFTER_WHILE_PLAYING_MS : PING_AFTER_MS)) return;
    this.pingSentAt = now;
    this.write(envelope({ type: "heartbeat" }));
  }

  /** Closes the socket without waiting for the server to agree. */
  private dropSocket(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.handleLostSocket();
  }

  /**
   * Sends this browser's nonce, once for each game, after the server has committed to its seed. If the server does
   * not acknowledge it, it is sent again after a reconnect.
   */
  private sendNonce(): void {
    const { info, you } = this.store.get();
    const commitment = info?.fairness.commitment;
    const seated = info?.players.some((player) => player.id === you?.id);
    if (!info || !commitment || !seated || this.nonceSentFor === commitment) return;
    this.nonceSentFor = commitment;
    // After a reload in the lobby, the nonce that was sent before is still valid; a new one would make the fairness
    // check fail.
    const kept = fairnessRecordOf(info.game);
    if (kept?.commitment === commitment) return;
    const nonce = randomId(18);
    this.sendInBackground({ type: "nonce", nonce }, () => rememberFairness(info.game, { commitment, nonce }));
  }

  /** Sends a message that the person has not asked for. */
  private sendInBackground(action: Action, resolve: () => void): void {
    const message = envelope(action);
    this.pending.set(message.requestId, { message, resolve, reject: () => undefined, isBackground: true });
    this.write(message);
  }

  /** `missed`: the batch happened while there was no connection, so it is shown without delays. */
  private applyBatch(wire: WireBatch, missed = false): void {
    const { batch, narrations, clocks } = parseBatch(wire, this.store.get().table?.texts ?? []);
    // Around a reconnect the server may send a batch twice.
    const view = this.playback.latestView();
    if (view && batch.seq <= view.seq) return;
    if (missed) this.store.apply(batch, narrations);
    else this.playback.enqueue(batch, narrations);
    this.store.setClocks(clocks);
  }

  private handleRefusal(refused: { requestId?: string } & Refused): void {
    if (refused.error === "protocol/version") {
      this.closed = true;
      this.store.set({ connection: "old" });
      return;
    }
    const id = refused.requestId ?? "";
    if (id === this.joinId) {
      if (TEMPORARY_ERRORS.includes(refused.error)) this.dropSocket();
      else if (refused.error === "table/asked") this.askAgain();
      else this.endRefused(refused);
      return;
    }
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (!pending?.isBackground) this.store.set({ refusal: refused });
    pending?.reject(refused);
  }

  /** Asks again to be let in, because the lead has not answered yet. */
  private askAgain(): void {
    const socket = this.socket;
    this.socket = null;
    clearInterval(this.checkTimer);
    socket?.close();
    this.retryDelay = FIRST_RETRY_MS;
    this.store.set({ connection: "asking" });
    this.retryTimer = setTimeout(() => this.open(), ASK_AGAIN_MS);
  }

  /** Ends the connection, because this person can't be at the table. */
  private endRefused(refused: Refused): void {
    this.close();
    this.store.set({ connection: "refused", refusal: refused });
    this.options.onRefused(refused);
  }

  /** If a batch does not fit, the client forgets its view and joins again for a whole one. */
  private recoverFrom(error: unknown): void {
    console.error(error);
    if (error instanceof ReduceError) {
      this.playback.clear();
      this.store.set({ view: null });
    }
    this.socket?.close();
  }

  private handleLostSocket(): void {
    clearInterval(this.checkTimer);
    this.socket = null;
    if (this.closed) return;
    const before = this.store.get();
    this.store.set({ connection: before.info ? "lost" : before.connection === "asking" ? "asking" : "connecting" });
    this.retryTimer = setTimeout(() => this.open(), this.retryDelay * (0.75 + Math.random() / 2));
    this.retryDelay = Math.min(MAX_RETRY_MS, this.retryDelay * 2);
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
 * Returns why this person should be at home instead: the table was abandoned, the game is over and was not theirs, or
 * all seats of a running game are taken. A player of a finished game may look at its end and ask for a rematch.
 */
function refusalReason({ you, table }: TableState, seats: number, watch: boolean): Refused["error"] | null {
  if (table.abandoned) return "table/over";
  if (watch || you.seat !== undefined) return null;
  if (table.status === "ended") return "table/over";
  const taken = table.players.filter(({ presence }) => presence !== "left").length;
  return you.watchingBecause === "table/no-newcomers" && taken >= seats ? "table/full" : null;
}

/** Parses a batch. The client treats a batch that it can't parse like one that does not fit. */
function parseBatch(wire: WireBatch, texts: Texts): ExpandedBatch {
  try {
    return expandBatch(wire, texts);
  } catch (error) {
    throw new ReduceError("form", String(error));
  }
}
