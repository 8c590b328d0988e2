/**
 * Holds everything that the table screen shows: the server's state, the person's selection, and announcements. It has
 * no timers and no socket, so that tests and replays can drive it.
 */
import type {
  AbsenceEnd,
  AskerInfo,
  Batch,
  ChatLine,
  Definition,
  Narration,
  Presence,
  Refused,
  RichText,
  TableDefinition,
  TableEvent,
  TableInfo,
  View,
  You,
} from "../protocol/types";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { visibleCards } from "./content";
import { addSegment, EMPTY_LOG, type GameLog } from "./log";
import { reduce } from "./reduce";
import type { BatchSegment, SegmentWithView } from "./segments";
import { carryOver, emptySelection, type FaceOf, type PlayerSelection } from "./selection";

/**
 * `asking`: this person waits for the lead to let them in. `old`: the server speaks a newer protocol than this page.
 */
export type ConnectionStatus = "connecting" | "open" | "lost" | "old" | "refused" | "asking";

export interface Announcement {
  id: number;
  /** The rules send toast, shout, banner and notice; `session` tells that a player came or went. */
  kind: string;
  line: RichText;
  /** The phase of the game that a notice is about. */
  about?: { phase: string | undefined };
}

/** Somebody's reaction, which the screen shows for a moment. */
export interface Reaction {
  id: number;
  /** Id of a player or spectator. */
  from: string;
  emoji: string;
}

/** What a client knows of its table. The store makes a new one for each change. */
export interface ClientState {
  connection: ConnectionStatus;
  you: You | null;
  info: TableInfo | null;
  game: Definition | null;
  table: TableDefinition | null;
  view: View | null;
  chat: ChatLine[];
  /** What happened in the game. */
  log: GameLog;
  /** People who ask to be let in. Only the lead gets them. */
  askers: AskerInfo[];
  selection: PlayerSelection;
  /** The server has not acknowledged the last move yet, and would refuse another one. */
  sending: boolean;
  announcements: Announcement[];
  reactions: Reaction[];
  /** The code with which another device takes this seat. `until` is in the time of `now`. */
  seatCode: { code: string; until: number } | null;
  /** The last refusal. The next selection or move clears it. */
  refusal: Refused | null;
  /** The events that led to this view, for animations and screen readers; null after a whole view. */
  segment: BatchSegment | null;
  /** When the time for each decision is up, by decision id, in the time of `now`. */
  deadlines: Record<number, number>;
  /** What happens by itself to absent players. `until` is in the time of `now`. */
  absences: { playerId: string; until: number; end: AbsenceEnd }[];
  /** Players whom the lead has removed lately. `until` is in the time of `now`. Only the lead's client keeps them. */
  removed: { playerId: string; name: string; until: number }[];
}

export const EMPTY: ClientState = {
  connection: "connecting",
  you: null,
  info: null,
  game: null,
  table: null,
  view: null,
  chat: [],
  log: EMPTY_LOG,
  askers: [],
  selection: emptySelection(0),
  sending: false,
  announcements: [],
  reactions: [],
  seatCode: null,
  refusal: null,
  segment: null,
  deadlines: {},
  absences: [],
  removed: [],
};

/** Bounds on what a long game leaves in memory. The store drops the oldest entries first. */
const MAX_CHAT_LINES = 500;
const MAX_ANNOUNCEMENTS = 40;
const MAX_CLOCKS = 64;
const MAX_REMOVED = 4;
/** How long the server lets the lead take a removal back. */
const UNDO_MS = 60_000;

export class TableStore {
  private snapshot: ClientState;
  private listeners = new Set<() => void>();
  /** Listeners that run before events change the view, while the old view is still on the screen. */
  private changeListeners = new Set<(segment: BatchSegment) => void>();
  private nextId = 1;
  private now: () => number;

  constructor(start: Partial<ClientState> = {}, now: () => number = () => Date.now()) {
    this.now = now;
    const snapshot = { ...EMPTY, ...start };
    this.snapshot = {
      ...snapshot,
      selection: carryOver(snapshot.selection, snapshot.view?.decision, faceOf(snapshot.view)),
    };
  }

  get = (): ClientState => this.snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  onBeforeChange = (listener: (segment: BatchSegment) => void): (() => void) => {
    this.changeListeners.add(listener);
    return () => this.changeListeners.delete(listener);
  };

  set(change: Partial<ClientState>): void {
    const known = this.snapshot.info?.absences;
    this.snapshot = { ...this.snapshot, ...change };
    const { info } = this.snapshot;
    // The times are relative to the moment when the server sent them, so each list is read only once.
    if (info?.absences !== known) {
      const absences = (info?.absences ?? []).map(({ playerId, ms, end }) => ({
        playerId,
        end,
        until: this.now() + ms,
      }));
      this.snapshot = { ...this.snapshot, absences };
    }
    for (const listener of this.listeners) listener();
  }

  /** Shows a whole view, after joining or when a batch did not fit. The selection stays as far as possible. */
  show(view: View | null): void {
    const selection = carryOver(this.snapshot.selection, view?.decision, faceOf(view));
    const { announcements, log } = this.snapshot;
    this.set({
      view,
      selection,
      segment: null,
      log: { ...log, stale: true },
      announcements: view ? currentNotices(this.snapshot, view) : announcements.filter(({ kind }) => kind !== "notice"),
    });
  }

  /**
   * Applies a batch at once, without delays. Throws a `ReduceError` if it does not fit; then the client has to fetch
   * a whole view.
   */
  apply(batch: Batch, narrations: Narration[] = []): void {
    const { view } = this.snapshot;
    if (view) this.showSegment({ segment: { ...batch, isContinuation: false, narrations }, view: reduce(view, batch) });
  }

  /** Shows one segment of a batch, or a whole batch as one segment. */
  showSegment({ segment, view }: SegmentWithView): void {
    for (const listener of this.changeListeners) listener(segment);
    const { selection, sending, view: old } = this.snapshot;
    const announced = segment.events.flatMap((event) => ("announced" in event ? [event.announced] : []));
    this.set({
      view,
      segment,
      selection: carryOver(selection, view.decision, faceOf(view)),
      announcements: this.withAnnouncements(announced, currentNotices(this.snapshot, view, segment), view),
      log: addSegment(this.snapshot.log, segment, this.now()),
      sending: sending && view.decision?.id === old?.decision?.id,
    });
  }

  /** Adds to the announcements. Those of kind `log` appear only in the log. */
  private withAnnouncements(
    announced: { kind: string; text: RichText }[],
    before = this.snapshot.announcements,
    view = this.snapshot.view,
  ): Announcement[] {
    const shown = announced.filter(({ kind }) => kind !== "log");
    if (shown.length === 0) return before;
    const about = { phase: view?.phase };
    return [...before, ...shown.map(({ kind, text }) => ({ id: this.nextId++, kind, line: text, about }))].slice(
      -MAX_ANNOUNCEMENTS,
    );
  }

  /** Applies an event that is not part of the game: people, chat, reactions. */
  applyTableEvent(event: TableEvent): void {
    if (event.type === "tableChanged") this.set({ info: event.table });
    else if (event.type === "announced") this.set({ announcements: this.withAnnouncements([event]) });
    else if (event.type === "chat") this.addChatLines([event.line]);
    else if (event.type === "askersChanged") this.set({ askers: event.askers });
    else if (event.type === "reaction") this.addReaction(event.from, event.reaction);
    else if (event.type === "seatCode") {
      this.set({ seatCode: { code: event.code, until: this.now() + event.expiresIn } });
    } else if (this.snapshot.info) {
      const announcement = this.presenceAnnouncement(event);
      this.noteRemoval(event);
      const info = updateTableInfo(this.snapshot.info, event);
      const announcements = announcement ? [...this.snapshot.announcements, announcement] : this.snapshot.announcements;
      this.set({ info, announcements: announcements.slice(-MAX_ANNOUNCEMENTS) });
    }
  }

  /** Notes whom the lead has removed, so that the menu can offer to take it back. */
  private noteRemoval(event: TableEvent): void {
    const { info, you, removed } = this.snapshot;
    if (event.type !== "playerLeft" || event.reason !== "kicked" || info?.lead !== you?.id) return;
    const player = info?.players.find(({ id }) => id === event.playerId);
    if (!player || player.bot) return;
    const { id: playerId, name } = player;
    this.set({ removed: [...removed, { playerId, name, until: this.now() + UNDO_MS }].slice(-MAX_REMOVED) });
  }

  /**
   * A toast when another person joins, leaves, or changes presence. Bots get none: the lead has added them, or they
   * replace a player who has left, which has its own toast.
   */
  private presenceAnnouncement(event: TableEvent): Announcement | null {
    const { info, you } = this.snapshot;
    const id = event.type === "playerJoined" ? event.player.id : "playerId" in event ? event.playerId : null;
    const known = info?.players.find((player) => player.id === id);
    const who = event.type === "playerJoined" ? event.player : known;
    if (!who || who.bot || who.id === you?.id) return null;
    const words = presenceWording(event, known?.presence);
    return words ? { id: this.nextId++, kind: "session", line: [{ text: words(isolateName(who.name)) }] } : null;
  }

  /** Adds new lines. A session line with a known number replaces the earlier text. */
  addChatLines(lines: ChatLine[]): void {
    const known = new Map(this.snapshot.chat.map((line) => [line.n, line]));
    const withPresence = lines.filter(
      ({ n, kind, text }) => kind === "session" && (known.get(n)?.text ?? text) !== text,
    );
    const added = lines.filter((line) => !known.has(line.n));
    if (withPresence.length + added.length === 0) return;
    const revised = new Map(withPresence.map((line) => [line.n, line]));
    const chat = this.snapshot.chat.map((line) => revised.get(line.n) ?? line);
    this.set({ chat: [...chat, ...added].sort((a, b) => a.n - b.n).slice(-MAX_CHAT_LINES) });
  }

  private addReaction(from: string, emoji: string): void {
    // One reaction per person, so that somebody who taps quickly does not cover the table.
    const others = this.snapshot.reactions.filter((reaction) => reaction.from !== from);
    this.set({ reactions: [...others, { id: this.nextId++, from, emoji }] });
  }

  removeReaction(id: number): void {
    this.set({ reactions: this.snapshot.reactions.filter((reaction) => reaction.id !== id) });
  }

  select(selection: PlayerSelection): void {
    this.set({ selection, refusal: null });
  }

  dismiss(id: number): void {
    this.set({ announcements: this.snapshot.announcements.filter((a) => a.id !== id) });
  }

  setClocks(clocks: [number, number][]): void {
    if (clocks.length === 0) return;
    const deadlines = Object.fromEntries(clocks.map(([decision, ms]) => [decision, this.now() + ms]));
    // `Object.entries` sorts by decision id, and the largest ids are the newest decisions.
    const all = Object.entries<number>({ ...this.snapshot.deadlines, ...deadlines }).slice(-MAX_CLOCKS);
    this.set({ deadlines: Object.fromEntries(all) });
  }
}

/**
 * Drops the notices that are no longer true in the next view: the person has moved or answered a decision since, another
 * round has begun, or the game is in another phase or over.
 */
function currentNotices({ announcements, view: old }: ClientState, view: View, segment?: BatchSegment): Announcement[] {
  const cause = segment?.cause;
  const isMove = typeof cause === "object" && "move" in cause && !segment?.isContinuation;
  const hasMoved = isMove && cause.move.seat === view.seat;
  const isNextRound = segment?.narrations?.some(({ kind }) => kind === "round");

  const hasAnswered = old?.decision !== undefined && view.decision?.id !== old.decision.id;
  const isPast = hasMoved || isNextRound || hasAnswered || view.outcome !== undefined;
  const isTrue = ({ about }: Announcement) => !isPast && about?.phase === view.phase;
  const current = announcements.filter((a) => a.kind !== "notice" || isTrue(a));
  return current.length < announcements.length ? current : announcements;
}

/** Returns the wording for a change of presence, or null if nothing has changed. */
function presenceWording(event: TableEvent, before: Presence | undefined): ((name: string) => string) | null {
  const words = text.presence;
  switch (event.type) {
    case "playerJoined":
      return before === undefined ? words.joined : null;
    case "playerLeft":
      return event.reason === "kicked" || event.reason === "votedOut" ? words.removed : words.left;
    case "playerPresenceChanged":
      if (event.presence === before) return null;
      if (event.presence === "active") return words.back;
      return event.presence === "away" ? words.away : event.presence === "disconnected" ? words.lost : null;
    default:
      return null;
  }
}

/** Applies a small, frequent event to the table's info. For any other change the server sends the whole info. */
function updateTableInfo(info: TableInfo, event: TableEvent): TableInfo {
  const withPresence = (id: string, presence: Presence) =>
    info.players.map((p) => (p.id === id ? { ...p, presence } : p));
  const others = (spectator: string) => info.spectators.filter(({ id }) => id !== spectator);
  switch (event.type) {
    case "playerJoined":
      return { ...info, players: [...info.players.filter(({ id }) => id !== event.player.id), event.player] };
    case "playerLeft":
      return { ...info, players: withPresence(event.playerId, "left") };
    case "playerPresenceChanged":
      return { ...info, players: withPresence(event.playerId, event.presence) };
    case "spectatorJoined":
      return { ...info, spectators: [...others(event.spectator.id), event.spectator] };
    case "spectatorLeft":
      return { ...info, spectators: others(event.spectatorId) };
    case "leadChanged":
      return { ...info, lead: event.playerId ?? undefined };
    case "gamePaused":
      return { ...info, status: "paused" };
    case "gameResumed":
      return { ...info, status: "playing", paused: undefined };
    case "gameEnded":
      return { ...info, status: "ended" };
    default:
      return info;
  }
}

/** Returns a lookup of faces by handle, over all cards that the viewer sees. */
export function faceOf(view: View | null): FaceOf {
  const faces = new Map<number, number>();
  for (const { content } of view?.zones ?? []) {
    for (const { handle, face } of visibleCards(content)) if (face !== undefined) faces.set(handle, face);
  }
  return (handle) => faces.get(handle);
}
