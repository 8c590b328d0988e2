/**
 * Everything the table screen shows, in one place: what the server said, what is picked, what was announced.
 * It holds no timers and no socket, so that tests and replays drive it as they like.
 */
import type {
  AskerInfo,
  Batch,
  ChatLine,
  Definition,
  Line,
  Presence,
  Refused,
  TableDefinition,
  TableEvent,
  TableInfo,
  View,
  You,
} from "../protocol/types";
import { text } from "../text/catalogue";
import { isolated } from "../text/isolate";
import { reduce } from "./reduce";
import type { Part, Stage } from "./segments";
import { carried, emptySelection, type FaceOf, type Selection } from "./selection";

/** `asking`: the lead was asked to let this person in. */
export type Connection = "connecting" | "open" | "lost" | "old" | "refused" | "asking";

export interface Announcement {
  id: number;
  /** toast | shout | banner | notice, of the rules; session, of the table: somebody came or went. */
  kind: string;
  line: Line;
}

/** Somebody's reaction, shown for a moment. */
export interface Reaction {
  id: number;
  /** A player or spectator. */
  from: string;
  sign: string;
}

export interface Snapshot {
  connection: Connection;
  you: You | null;
  info: TableInfo | null;
  game: Definition | null;
  table: TableDefinition | null;
  view: View | null;
  chat: ChatLine[];
  /** For the lead: who asks to be let in. */
  askers: AskerInfo[];
  selection: Selection;
  /** A move is on its way; another would be refused. */
  sending: boolean;
  announcements: Announcement[];
  reactions: Reaction[];
  /** With which another device takes this seat, until it runs out (in the time of `now`). */
  seatCode: { code: string; until: number } | null;
  /** The last refusal, until it is dismissed or another move is made. */
  refusal: Refused | null;
  /** What led to this view, for those who listen; null after a whole view. */
  part: Part | null;
  /** When each clock runs out, by decision, in the time of `now`. */
  deadlines: Record<number, number>;
}

export const EMPTY: Snapshot = {
  connection: "connecting",
  you: null,
  info: null,
  game: null,
  table: null,
  view: null,
  chat: [],
  askers: [],
  selection: emptySelection(0),
  sending: false,
  announcements: [],
  reactions: [],
  seatCode: null,
  refusal: null,
  part: null,
  deadlines: {},
};

/** Chat lines kept in the window. */
const MOST_CHAT = 500;
/** Announcements that wait to be seen; and clocks: of more, the oldest go. */
const MOST_ANNOUNCEMENTS = 40;
const MOST_CLOCKS = 64;

export class TableStore {
  private snapshot: Snapshot;
  private listeners = new Set<() => void>();
  /** Called before events change the view, while the old one is still drawn. */
  private before = new Set<(part: Part) => void>();
  private nextId = 1;
  private now: () => number;

  constructor(start: Partial<Snapshot> = {}, now: () => number = () => Date.now()) {
    this.now = now;
    const snapshot = { ...EMPTY, ...start };
    this.snapshot = {
      ...snapshot,
      selection: carried(snapshot.selection, snapshot.view?.decision, faceOf(snapshot.view)),
    };
  }

  get = (): Snapshot => this.snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  onBefore = (listener: (part: Part) => void): (() => void) => {
    this.before.add(listener);
    return () => this.before.delete(listener);
  };

  set(change: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }

  /** A whole view, after joining or when a batch did not fit. What is picked stays picked where it can. */
  show(view: View | null): void {
    const selection = carried(this.snapshot.selection, view?.decision, faceOf(view));
    this.set({ view, selection, part: null });
  }

  /** One batch, all at once. Throws a `ReduceError` if it does not fit; then a whole view is needed. */
  apply(batch: Batch): void {
    const { view } = this.snapshot;
    if (view) this.stage({ part: { ...batch, follows: false }, view: reduce(view, batch) });
  }

  /** The next part of a batch, or all of it. */
  stage({ part, view }: Stage): void {
    for (const listener of this.before) listener(part);
    const { selection, sending, view: old } = this.snapshot;
    const announced = part.events.flatMap((event) => ("announced" in event ? [event.announced] : []));
    this.set({
      view,
      part,
      selection: carried(selection, view.decision, faceOf(view)),
      announcements: this.with(announced),
      sending: sending && view.decision?.id === old?.decision?.id,
    });
  }

  /** The announcements with more of them; what is only for the log is in the chat. */
  private with(announced: { kind: string; text: Line }[]): Announcement[] {
    const shown = announced.filter(({ kind }) => kind !== "log");
    if (shown.length === 0) return this.snapshot.announcements;
    return [
      ...this.snapshot.announcements,
      ...shown.map(({ kind, text }) => ({ id: this.nextId++, kind, line: text })),
    ].slice(-MOST_ANNOUNCEMENTS);
  }

  /** What happened at the table, apart from the game. */
  happened(event: TableEvent): void {
    if (event.type === "tableChanged") this.set({ info: event.table });
    else if (event.type === "announced") this.set({ announcements: this.with([event]) });
    else if (event.type === "chat") this.said([event.line]);
    else if (event.type === "askersChanged") this.set({ askers: event.askers });
    else if (event.type === "reaction") this.reacted(event.from, event.reaction);
    else if (event.type === "seatCode") {
      this.set({ seatCode: { code: event.code, until: this.now() + event.expiresIn } });
    } else if (this.snapshot.info) {
      const told = this.told(event);
      const info = informed(this.snapshot.info, event);
      const announcements = told ? [...this.snapshot.announcements, told] : this.snapshot.announcements;
      this.set({ info, announcements: announcements.slice(-MOST_ANNOUNCEMENTS) });
    }
  }

  /** Somebody else came or went: worth a toast. Bots are put there by whoever looks, or take a place that was told of. */
  private told(event: TableEvent): Announcement | null {
    const { info, you } = this.snapshot;
    const id = event.type === "playerJoined" ? event.player.id : "playerId" in event ? event.playerId : null;
    const known = info?.players.find((player) => player.id === id);
    const who = event.type === "playerJoined" ? event.player : known;
    if (!who || who.bot || who.id === you?.id) return null;
    const words = comings(event, known?.presence);
    return words ? { id: this.nextId++, kind: "session", line: [{ text: words(isolated(who.name)) }] } : null;
  }

  /** New lines; a session update may also be another text for a line that is there. */
  said(lines: ChatLine[]): void {
    const known = new Map(this.snapshot.chat.map((line) => [line.n, line]));
    const news = lines.filter(({ n, kind, text }) => kind === "session" && (known.get(n)?.text ?? text) !== text);
    const fresh = lines.filter((line) => !known.has(line.n));
    if (news.length + fresh.length === 0) return;
    const revised = new Map(news.map((line) => [line.n, line]));
    const chat = this.snapshot.chat.map((line) => revised.get(line.n) ?? line);
    this.set({ chat: [...chat, ...fresh].sort((a, b) => a.n - b.n).slice(-MOST_CHAT) });
  }

  /** What the rules announce to everyone is a line of the chat: the batch is all that is sent of it. */
  retell(batch: Batch): void {
    let n = this.snapshot.chat.at(-1)?.n ?? 0;
    const lines = batch.events.flatMap((event) => {
      if ("announced" in event && event.announced.kind !== "notice") return [event.announced.text];
      if ("outcome" in event && event.outcome.outcome.banner) return [event.outcome.outcome.banner];
      return [];
    });
    this.said(lines.map((line) => ({ n: ++n, at: this.now(), kind: "game", text: "", line })));
  }

  private reacted(from: string, sign: string): void {
    // One at a time for each person, so that a busy thumb does not cover the table.
    const others = this.snapshot.reactions.filter((reaction) => reaction.from !== from);
    this.set({ reactions: [...others, { id: this.nextId++, from, sign }] });
  }

  faded(id: number): void {
    this.set({ reactions: this.snapshot.reactions.filter((reaction) => reaction.id !== id) });
  }

  select(selection: Selection): void {
    this.set({ selection, refusal: null });
  }

  dismiss(id: number): void {
    this.set({ announcements: this.snapshot.announcements.filter((a) => a.id !== id) });
  }

  clocks(clocks: [number, number][]): void {
    if (clocks.length === 0) return;
    const deadlines = Object.fromEntries(clocks.map(([decision, ms]) => [decision, this.now() + ms]));
    // Decisions are numbered, so the largest numbers are the latest.
    const all = Object.entries<number>({ ...this.snapshot.deadlines, ...deadlines }).slice(-MOST_CLOCKS);
    this.set({ deadlines: Object.fromEntries(all) });
  }
}

/** How a coming or going is worded, if it is one. */
function comings(event: TableEvent, before: Presence | undefined): ((name: string) => string) | null {
  const words = text.comings;
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

/** A table after one of the small events that happen often; after any other change the whole of it is sent. */
function informed(info: TableInfo, event: TableEvent): TableInfo {
  const changed = (id: string, presence: Presence) => info.players.map((p) => (p.id === id ? { ...p, presence } : p));
  const others = (spectator: string) => info.spectators.filter(({ id }) => id !== spectator);
  switch (event.type) {
    case "playerJoined":
      return { ...info, players: [...info.players.filter(({ id }) => id !== event.player.id), event.player] };
    case "playerLeft":
      return { ...info, players: changed(event.playerId, "left") };
    case "playerPresenceChanged":
      return { ...info, players: changed(event.playerId, event.presence) };
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

/** Faces by handle, over everything the viewer sees. */
export function faceOf(view: View | null): FaceOf {
  const faces = new Map<number, number>();
  for (const { content } of view?.zones ?? []) {
    if (content === "nothing" || !("cards" in content)) continue;
    for (const { handle, face } of content.cards) if (face !== undefined) faces.set(handle, face);
  }
  return (handle) => faces.get(handle);
}
