/**
 * The envelope: what goes over the socket, in the words of the platform's document.
 * Also the room around a view: who sits where, chat, roles. Hand-written until it is generated.
 */
import type { Setting, TableDefinition } from "./definition";
import type { Batch, Move, View } from "./view";

export const PROTOCOL_VERSION = 1;

export type Presence = "active" | "away" | "disconnected" | "left";
export type BotLevel = "easy" | "medium" | "difficult";
export type TableStatus = "lobby" | "playing" | "paused" | "ended" | "abandoned";

/** Who sits on a seat. */
export interface Player {
  seat: number;
  name: string;
  /** Absent: a person. */
  bot?: BotLevel;
  presence: Presence;
  isLead: boolean;
  isHost: boolean;
}

/** Everything about a table that is not the game. */
export interface Room {
  code: string;
  gameId: string;
  status: TableStatus;
  /** Why it is paused, in a word the catalogue knows: `host-away`, `too-few`, `lead`. */
  pausedBecause?: string;
  players: Player[];
  /** This browser's seat, none for a spectator. */
  seat: number | null;
  spectators: number;
  settings: Record<string, Setting>;
  packs: string[];
  canStart: boolean;
  /** Why it can't start yet, in the game's words. */
  startRefusal?: string;
  /** Milliseconds left, by decision id. */
  deadlines?: Record<number, number>;
  /** The code of the table a rematch is played at. */
  rematch?: string;
}

/** One line of the session: what someone wrote, or what happened. */
export interface SessionLine {
  id: number;
  at: number;
  kind: "chat" | "update";
  seat?: number;
  name?: string;
  text: string;
}

export type Action =
  | { type: "move"; move: Move }
  | { type: "startGame" }
  | { type: "pauseGame" }
  | { type: "resumeGame" }
  | { type: "endGame" }
  | { type: "abandonGame" }
  | { type: "kickPlayer"; seat: number }
  | { type: "voteRemove"; seat: number }
  | { type: "addBot"; level: BotLevel }
  | { type: "removeBot"; seat: number }
  | { type: "setOptions"; settings: Record<string, Setting> }
  | { type: "away"; away: boolean }
  | { type: "leave" }
  | { type: "rematch" }
  | { type: "chat"; text: string }
  | { type: "react"; reaction: string };

export interface ClientMessage {
  v: number;
  type: "action";
  requestId: string;
  action: Action;
}

export type ServerMessage =
  | { type: "state"; room: Room; table?: TableDefinition; view?: View; session?: SessionLine[] }
  | { type: "event"; batch?: Batch; room?: Room; line?: SessionLine }
  | { type: "ack"; requestId: string }
  | { type: "error"; requestId?: string; code: string; error: string };
