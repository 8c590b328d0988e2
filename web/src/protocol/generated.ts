// Generated from the Rust types of crates/protocol and crates/engine. Do not edit:
//   cargo xtask regenerate protocol

export const PROTOCOL_VERSION = 3;

/** Bounds the server enforces. */
export const limits = {
  frameBytes: 8192,
  nameChars: 24,
  chatChars: 400,
  nonceChars: 64,
  secretChars: 22,
  reactions: ["👍", "👏", "😂", "😮", "😢", "😡", "🎉", "🫏"],
} as const;

/** Why something was refused. */
export type ErrorCode =
  | "protocol/bad-message"
  | "protocol/version"
  | "protocol/too-large"
  | "protocol/too-fast"
  | "protocol/join-first"
  | "protocol/already-joined"
  | "action/unknown"
  | "action/rules-only"
  | "action/use-move"
  | "table/unknown"
  | "table/over"
  | "table/closed"
  | "table/full"
  | "table/no-newcomers"
  | "table/watchers-full"
  | "table/locked"
  | "table/asked"
  | "table/declined"
  | "table/unanswered"
  | "table/too-many-ask"
  | "asker/unknown"
  | "table/paused"
  | "table/not-paused"
  | "table/not-in-lobby"
  | "table/not-playing"
  | "table/not-ended"
  | "table/cannot-deal"
  | "table/other-version"
  | "server/busy"
  | "server/storage"
  | "server/fault"
  | "server/closing"
  | "identity/bad-secret"
  | "name/not-usable"
  | "name/taken"
  | "seat/kicked"
  | "seat/forgotten"
  | "seat/left"
  | "seat/none"
  | "player/unknown"
  | "player/not-absent"
  | "player/not-a-bot"
  | "player/not-a-person"
  | "role/not-lead"
  | "role/not-host"
  | "seat/bad-code"
  | "chat/muted"
  | "chat/players-only"
  | "chat/empty"
  | "chat/too-long"
  | "chat/bad-reaction"
  | "report/nothing"
  | "game/unknown"
  | "game/broken"
  | "game/no-new-version"
  | "option/invalid"
  | "pack/unknown"
  | "pack/not-used"
  | "pack/too-many"
  | "pack/invalid"
  | "pack/not-yours"
  | "pack/quota"
  | "pack/server-full"
  | "replay/none"
  | "http/bad-request"
  | "http/origin"
  | "http/host"
  | "http/too-slow"
  | "http/method"
  | "http/not-found"
  | "game/not-started"
  | "game/already-started"
  | "game/over"
  | "game/too-few-players"
  | "game/requires"
  | "decision/closed"
  | "decision/none"
  | "decision/not-yours"
  | "decision/answered"
  | "decision/no-clock"
  | "move/unknown-alternative"
  | "move/wrong-parts"
  | "move/not-a-candidate"
  | "move/not-legal"
  | "move/not-now"
  | "move/text-empty"
  | "move/text-too-long"
  | "seat/unknown"
  | "seat/taken"
  | "seat/empty"
  | "seat/no-newcomers"
  | "role/unknown";

/** The envelope of every message from a client. */
export type ClientMessage = {
  /**
   * The version of the protocol (`PROTOCOL_VERSION` in TypeScript). The server refuses another version with
   * `protocol/version` and closes the socket.
   */
  v: number;
  /** Always `action`. */
  type: Envelope;
  /**
   * The client chooses it; the `ack` or `error` repeats it. A message with an id that the server has seen, on any
   * connection of this browser, has no second effect, so each new action needs a new id.
   */
  requestId: string;
  action: Action;
};

export type Envelope =
  | "action";

/** Everything a client can ask for. */
export type Action =
  /** The first message on every socket. Answered by `ack`, then `state`. */
  | {
    type: "join";
    /** The code in the table's link. */
    table: string;
    /** This browser's secret. A browser that has a seat gets it back. */
    secret: string;
    /** The display name; needed only to sit down for the first time. */
    name?: string;
    /** Join as a spectator. */
    watch?: boolean;
    /** What this client already has, so that the server sends only the rest. */
    last?: LastSeen;
  }
  /**
   * This browser's share in the shuffles: up to 64 characters, chosen after the browser has seen the commitment.
   * The start of a game waits a second for nonces that are missing.
   */
  | {
    type: "nonce";
    nonce: string;
  }
  /** An answer to the open decision: `decision`, `alternative` and `parts` beside `type`. */
  | ({ type: "move" } & Answer)
  /** Lobby, lead: change options, packs and variants. */
  | {
    type: "configure";
    settings: TableSettings;
  }
  /** Lobby, lead: add a bot. */
  | {
    type: "addBot";
    level: BotLevel;
  }
  /** Lead: in the lobby, remove a bot; in a running game, the bot that took the seat of a player who left. */
  | {
    type: "removeBot";
    playerId: string;
  }
  /** Lobby, lead: seat the players who are online and the bots, and start the game. */
  | { type: "startGame" }
  /** Lead. */
  | { type: "pauseGame" }
  /** Lead. */
  | { type: "resumeGame" }
  /** Lead: end the game for everyone; a rematch is possible. */
  | { type: "endGame" }
  /** Host: end the table for everyone; it is never listed again. */
  | { type: "abandonGame" }
  /** After the end, lead: open a lobby with the same players. */
  | { type: "rematch" }
  /**
   * Lead, when the game's file has changed (`table.newRules`): end the running game and start a new one with the new
   * rules and the same people in the same seats.
   */
  | { type: "restartGame" }
  /** Lead: remove a player or a spectator, who can't return. */
  | {
    type: "kickPlayer";
    playerId: string;
  }
  /** A present person votes to remove an absent player; `false` withdraws the vote. */
  | {
    type: "voteRemove";
    playerId: string;
    remove: boolean;
  }
  /** Lead: make somebody else lead. */
  | {
    type: "passLead";
    playerId: string;
  }
  /** Lead: give the seat of a player who is gone to a spectator. */
  | {
    type: "handSeat";
    playerId: string;
    to: string;
  }
  /** Ask for a code with which another device can take this player's seat, once. */
  | { type: "moveSeat" }
  /** On the other device, after `join`: take the seat that belongs to this code. */
  | {
    type: "takeSeat";
    code: string;
  }
  /** Lead: hide a person's chat from everybody. */
  | {
    type: "mute";
    playerId: string;
    muted: boolean;
  }
  /** Lead: who may come to the table from now on. */
  | {
    type: "setDoor";
    door: Door;
  }
  /** Lead: admit or decline a person who asks to come in (`askersChanged`). */
  | {
    type: "answerAsker";
    askerId: string;
    admit: boolean;
  }
  /** Lead: allow chat and reactions to players only, or to everybody. */
  | {
    type: "setChat";
    playersOnly: boolean;
  }
  /** The "I'm away" switch. */
  | {
    type: "away";
    away: boolean;
  }
  /** Give up the seat for good. */
  | { type: "leave" }
  | {
    type: "chat";
    text: string;
  }
  /** Send one of the reactions in `limits`. */
  | {
    type: "react";
    reaction: string;
  }
  /** Report a chat line or a name to the operators of this server. */
  | {
    type: "report";
    about: Reported;
  }
  /** Tell the server that this client is still connected. */
  | { type: "heartbeat" };

/** The thing that a player reports. Later versions may add kinds; a client ignores kinds that it does not know. */
export type Reported =
  /** A line of the chat, by its number. */
  | {
    kind: "line";
    n: number;
  }
  /** The name of a player or spectator. */
  | {
    kind: "name";
    playerId: string;
  };

/** The part of a table's state that a returning client already has. */
export type LastSeen = {
  /** The game that the client saw (`state.table.game`). If it is another game now, the server sends a whole view. */
  game: string;
  /** `seq` of the client's view. */
  seq: number;
  /**
   * The seat of the client's view; absent for a spectator. If the client's seat has changed, the server sends a whole
   * view.
   */
  seat?: number;
  /** The number of the last chat line that the client has. */
  chat?: number;
};

export type ServerMessage =
  | {
    type: "state";
    v: number;
    state: TableState;
  }
  /** Carries either `b`, the batch of a move or input as this viewer sees it, or `event`, a change at the table. */
  | {
    type: "event";
    b?: WireBatch;
    event?: TableEvent;
  }
  /** The action is done. The server stored its effect before it sent this, so a crash can't undo it. */
  | {
    type: "ack";
    requestId: string;
  }
  | ({ type: "error" } & Refused);

/** A refused action. Nothing has changed. */
export type Refused = {
  /** Absent if the server could not read the id of the message. */
  requestId?: string;
  /** A stable code. */
  error: ErrorCode;
  /** What to tell the person, and what to do next. */
  text: string;
  /** The reason in the words of the rules, if the rules gave one. */
  line?: Line;
};

/** Everything that this client may know about the table. */
export type TableState = {
  you: You;
  table: TableInfo;
  /** At most a hundred lines, all after the last one that the client has. */
  chat: ChatLine[];
  /** Absent in the lobby. */
  sync?: Sync;
};

/** Who this client is. */
export type You = {
  /** A player or spectator id. */
  id: string;
  /** Absent for a spectator and in the lobby. */
  seat?: number;
  /** Why a client that asked for a seat is a spectator. */
  watchingBecause?: ErrorCode;
};

/** The game: a whole view, or the batches after the `seq` that the client gave. */
export type Sync =
  | { view: View }
  | { batches: WireBatch[] };

export type TableInfo = {
  /** The code in the link. */
  code: string;
  /** The game's id: the name of its file. */
  definitionId: string;
  /** The game's title. */
  title: string;
  /** The id of this game and of its replay; a rematch has another. */
  game: string;
  status: TableStatus;
  /** Why the table is paused; absent if it is not. */
  paused?: PauseReason;
  /** The host ended the table; no rematch is possible. */
  abandoned?: boolean;
  settings: TableSettings;
  /** In the order in which they joined. Players who left stay listed while the game lasts. */
  players: PlayerInfo[];
  spectators: SpectatorInfo[];
  door?: Door;
  /** Only players may chat and react. */
  chatPlayersOnly?: boolean;
  /** The id of the player who made the table. */
  host?: string;
  /** The id of the player who runs the table now. */
  lead?: string;
  /** Open votes to remove a player. */
  votes: Vote[];
  /** In the lobby: why the game can't start yet. */
  cannotStart?: ErrorCode;
  /** The start waits for the players' nonces. */
  starting?: boolean;
  /** The game's file has changed: the lead may restart the game with the new rules. */
  newRules?: boolean;
  /** Under `baize dev`: the errors and warnings of the game's file as it is now. */
  problems?: Problem[];
  /** Milliseconds since 1970. */
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  fairness: Fairness;
  /** Addresses of the definitions, which a client fetches once. */
  definitions: DefinitionLinks;
  /** The running clocks: the id of the decision, and the milliseconds that were left when this was sent. */
  clocks?: [number, number][];
};

export type TableStatus =
  | "lobby"
  | "playing"
  | "paused"
  | "ended";

/** Who may come to the table, to play or to watch. People who are at the table already may always come back. */
export type Door =
  /** Everybody who has the link. */
  | "open"
  /** Only people whom the lead admits. */
  | "ask"
  /** Nobody new. */
  | "locked";

export type PauseReason =
  /** The lead paused the game. */
  | "lead"
  /** The host's connection is lost, and the rules of this game wait for the host. */
  | "hostAbsent"
  /** There are fewer players than the game needs. */
  | "tooFew"
  /** Nobody who could act is present. */
  | "deserted";

/** The choices before a game. The start of the game locks them. */
export type TableSettings = {
  /** Values by the option's name. An absent option has its default. A choice is given by name, yes/no as a boolean. */
  options: Record<string, OptionSetting>;
  /** Ids of the chosen packs. An empty list means all official packs. */
  packIds: string[];
  /** Ids of the definition's variants, which are another way to set some options; applied after `options`. */
  activeVariants?: string[];
  /** A preset of the definition, applied before `options`. */
  preset?: string;
};

export type OptionSetting =
  | boolean
  | number
  | string;

export type PlayerInfo = {
  /** `p1`, `p2` …, unique at this table only. */
  id: string;
  name: string;
  /** The seat in the view; absent before the start. */
  seat?: number;
  /** Absent for a person. */
  bot?: BotLevel;
  presence: Presence;
  joinedAt: number;
  lastSeen: number;
  muted?: boolean;
};

export type SpectatorInfo = {
  /** `s1`, `s2` …, unique at this table only. */
  id: string;
  name: string;
  muted?: boolean;
};

/** A person who asks the lead to come in. */
export type AskerInfo = {
  /** `a1`, `a2` …, unique at this table only. */
  id: string;
  name: string;
  /** The person wants to watch only. */
  watch?: boolean;
};

export type BotLevel =
  | "easy"
  | "medium"
  | "difficult";

export type Presence =
  /** Connected and playing. */
  | "active"
  /** The player switched to "I'm away". */
  | "away"
  /** The connection is lost; the player may return. */
  | "disconnected"
  /** The player left for good. */
  | "left";

export type Vote = {
  playerId: string;
  /** Ids of the players who voted for the removal. */
  by: string[];
  needed: number;
};

export type Fairness = {
  /** SHA-256 of the seed, in hex, published before the deal. */
  commitment?: string;
  /** The seed in hex, published when the game is over. */
  seed?: string;
};

/** Addresses of resources that never change, so that a browser may cache them for ever. */
export type DefinitionLinks = {
  /** Address of the `Definition`: the game as its rules describe it. */
  game: string;
  /** Address of the `TableDefinition`: layout and faces. Absent before the start. */
  table?: string;
};

/** One line of the chat window: a message of a person, a session update, or an announcement of the rules. */
export type ChatLine = {
  /** The number of the line at this table, counted from 1. */
  n: number;
  /** Milliseconds since 1970. */
  at: number;
  kind: ChatKind;
  /** The author, with the name at the time of writing. */
  from?: ChatAuthor;
  /** Plain text; a client must not interpret markup in it. */
  text?: string;
  /** The announcement of the rules, instead of `text`. */
  line?: Line;
};

export type ChatAuthor = {
  /** The id of a player or spectator. */
  id: string;
  name: string;
};

export type ChatKind =
  /** A person wrote the line. */
  | "said"
  /** A session update: joined, disconnected, lead, pause … */
  | "session"
  /** The rules announced the line to everyone. */
  | "game";

/**
 * A change at the table. Frequent small changes have an event each; after any other change the server sends the whole
 * [`TableInfo`], which is small and cannot be applied wrongly.
 */
export type TableEvent =
  | {
    type: "playerJoined";
    player: PlayerInfo;
  }
  | {
    type: "playerLeft";
    playerId: string;
    reason: LeaveReason;
  }
  | {
    type: "playerPresenceChanged";
    playerId: string;
    presence: Presence;
  }
  | {
    type: "spectatorJoined";
    spectator: SpectatorInfo;
  }
  | {
    type: "spectatorLeft";
    spectatorId: string;
  }
  /** To the lead: everybody who asks to come in at the moment. The list may be empty. */
  | {
    type: "askersChanged";
    askers: AskerInfo[];
  }
  | {
    type: "leadChanged";
    playerId: string | null;
  }
  /** Any other change: settings, status, bots, seats, votes, the door. */
  | {
    type: "tableChanged";
    table: TableInfo;
  }
  /** The game started, or a rematch opened a lobby. A whole `state` follows. */
  | { type: "gameStarted" }
  | { type: "gamePaused" }
  | { type: "gameResumed" }
  /** The game ended. The view has the outcome. */
  | { type: "gameEnded" }
  /** A new line of the chat window (also for session updates), or a new text for the line with this number. */
  | {
    type: "chat";
    line: ChatLine;
  }
  /** A reaction, which clients show for a moment and nobody stores. */
  | {
    type: "reaction";
    from: string;
    reaction: string;
  }
  /** To one client: the code that it asked for with `moveSeat`. */
  | {
    type: "seatCode";
    code: string;
    expiresIn: number;
  }
  /** To one client: an announcement of the deal. The `state` before this event shows the table after the deal. */
  | {
    type: "announced";
    text: Line;
    kind: string;
  };

export type LeaveReason =
  | "left"
  | "kicked"
  | "votedOut"
  /** The grace period after a lost connection is over. */
  | "disconnected"
  /** The lead gave the seat to somebody else. */
  | "handed";

/** `POST /api/tables`. A repeated request with the same `id` and secret gets the same table. */
export type CreateTable = {
  /** The client chooses it: 16 to 64 letters, digits, `-` and `_`. */
  id: string;
  /** The game's id. */
  game: string;
  /** The host's display name. */
  name: string;
  settings?: TableSettings;
};

export type CreatedTable = {
  /** The code in the link: `<public url>/t/<code>`. */
  code: string;
  url: string;
};

/** `GET /api/tables/{code}`: what everybody with the link may know before joining. */
export type TableCard = {
  code: string;
  definitionId: string;
  title: string;
  status: TableStatus;
  /** Names of the people at the table. */
  players: string[];
  bots: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
  /** Why a person without a seat could only watch. */
  onlyWatch?: ErrorCode;
};

/** `GET /api/me/tables`: this browser's tables, without finished and abandoned ones. */
export type MyTables = {
  tables: TableCard[];
};

/** An entry in a list of packs. */
export type PackInfo = {
  id: string;
  name: string;
  description: string;
  official: boolean;
  /** Number of cards by deck. */
  cards: Record<string, number>;
  /** This browser uploaded the pack and may delete it. */
  mine?: boolean;
};

/**
 * `GET /api/packs`: the packs of this server, then those that this browser uploaded. Packs of other browsers are not
 * listed.
 */
export type PackPage = {
  packs: PackInfo[];
  /** Present if there are more packs: repeat the request with `after` set to this. */
  next?: string;
};

/** The answer to `DELETE /api/packs/{id}` and `DELETE /api/me`. */
export type Deleted = {
  /** False if the server has not finished yet and will finish by itself. */
  done: boolean;
};

/** The answer to `POST /api/packs`. */
export type PacksImported = {
  packs: PackInfo[];
};

/** A refused request. */
export type HttpRefused = {
  error: ErrorCode;
  text: string;
  /** The single mistakes of a pack, or the diagnostics of a game. */
  problems?: Problem[];
};

/** `GET /api/workshop`: the current state of the file that `baize dev` serves. */
export type Workshop = {
  /** The file's name, without folders. */
  file: string;
  /** Present if the file has no errors. */
  game?: Definition;
  /** Errors and warnings, in the order of the file. */
  problems: Problem[];
};

/** `GET /api/replays/{game}`: a finished game with all its secrets, and everything needed to verify its shuffles. */
export type Replay = {
  game: string;
  definitionId: string;
  /** Address of the game's `Definition`. */
  gameDefinition: string;
  /** Address of the game's `TableDefinition`. */
  tableDefinition: string;
  /** Names by seat. */
  names: string[];
  /** SHA-256 of the seed, published before the deal. */
  commitment: string;
  seed: string;
  /** The version of the engine's semantics that played the game. */
  semantics: number;
  /** The rules file. */
  source: string;
  /** The options in the engine's form. */
  options: unknown;
  /** Canonical texts of the packs. */
  packs: string[];
  seats: number;
  /** The moves and inputs in the engine's form, one for each batch. */
  steps: unknown[];
  /** The view before the first batch, with everything face up. */
  first: View;
  batches: Batch[];
};

/** `GET /api/online`: people and tables on all nodes together. */
export type Online = {
  /** People who are connected as players or spectators. */
  people: number;
  /** Tables with a connected person, now or a moment ago. */
  tables: number;
};

/** `GET /healthz`. */
export type Health = {
  ok: boolean;
  version: string;
  /** Whether the store accepts commits at the moment. */
  stores: boolean;
  /** Milliseconds since the last successful commit; absent before the first. */
  sinceCommit?: number;
};

/** An error or a warning about a file. */
export type Problem = {
  /** The place in the file: `row 3`, `cards.prompt[2]`, `line 4, column 7`. */
  at: string;
  message: string;
  hint: string;
  /** The line of the file that the message is about. */
  excerpt?: Excerpt;
  /** A warning: the file can be used all the same. */
  warning?: boolean;
};

/** A line of a file with a part of it underlined. */
export type Excerpt = {
  line: string;
  /** The underlined characters: from `from` up to, but not including, `to`, counted from 0. */
  from: number;
  to: number;
  /** The note under the underlined part; may be empty. */
  label: string;
};

/** Who looks. */
export type Viewer =
  | { Seat: number }
  | "Spectator"
  /**
   * Sees all zones, sealed values and secrets: for the log, from which replays are shown once the table has ended. Not to be sent to
   * anybody before that.
   */
  | "Replay";

/** A per-viewer name for a card that viewer can see or point at. */
export type Handle = number;

/** Index into the catalogue of faces that a client fetches once. */
export type FaceId = number;

export type View = {
  /** The seat that looks; none for a spectator. */
  seat?: number;
  /** Number of batches applied so far. */
  seq: number;
  phase?: string;
  lead?: number;
  /** Moves are refused until the table is resumed. */
  paused: boolean;
  /** What everyone sees alike is kept once for all viewers of a table; hence the `Arc`s. */
  seats: SeatView[];
  zones: ZoneView[];
  values: ValueView[];
  dice: DiceView[];
  /** Handles of highlighted cards, ascending. */
  highlights: Handle[];
  /** The table's status lines. */
  status: Line[];
  /** Who is being waited for (with the prompt, where everyone may know it). */
  waiting: Waiting[];
  /** What this viewer is asked, if anything. */
  decision?: DecisionView;
  outcome?: OutcomeView;
};

/** A text whose seats and cards are still named by number, so that the reader's side can write names. */
export type Line = Piece[];

export type Piece =
  | { text: string }
  | { seat: number }
  | { face: FaceId }
  /** Text that a player wrote (a blank card): shown as text, marked as theirs. */
  | { written: string };

export type SeatView = {
  playing: boolean;
  present: boolean;
  person: boolean;
  /** A newcomer waiting for the next `admit`. */
  pending: boolean;
  /** This seat has an open decision. */
  turn: boolean;
  /** Seldom change, and are then made anew; hence the `Arc`s. */
  badges: BadgeView[];
  status: Status[];
};

/** A word about a seat such as `out` or `safe`, and how the rules want it put. */
export type Status = {
  word: string;
  label?: Line;
};

export type BadgeView = {
  kind: string;
  label?: Line;
  value?: Line;
};

/** One instance of a zone. Which zone and which index is in the layout (see `Definition`), by position. */
export type ZoneView = {
  content: Content;
  /** To be drawn face down although its cards are known. */
  turned: boolean;
};

export type Content =
  /** In display order. */
  | { cards: CardView[] }
  | { count: number }
  /** This viewer may not even know how many there are. */
  | "nothing";

export type CardView = {
  handle: Handle;
  /** None: face down. */
  face?: FaceId;
  /** The text of a card somebody wrote on. */
  written?: string;
  /** Who brought it here, where the zone remembers that publicly. */
  by?: number;
};

/** A public state variable (or a sealed one this viewer knows), all elements in index order. */
export type ValueView = {
  /** None where this viewer does not know the element. */
  values: (number | null)[];
};

export type DiceView = {
  /** Face numbers; 0 not rolled yet; none: hidden from this viewer. */
  faces: (number | null)[];
};

export type Waiting = {
  seat: number;
  decision: number;
  prompt?: Line;
  /** The clock that runs, if any. */
  clock?: Clock;
};

/** A clock; the server knows since when it runs. */
export type Clock = {
  /** The decision it belongs to (of several that run together: one id for all). */
  decision: number;
  seconds: number;
};

/** The open decision of this viewer's seat. */
export type DecisionView = {
  id: number;
  prompt?: Line;
  alternatives: AlternativeView[];
};

export type AlternativeView = {
  name: string;
  label: Line;
  /** Index to quote in the move. */
  index: number;
  /** False: shown dimmed; nothing of it can be chosen now. */
  legal: boolean;
  parts: PartView[];
  /**
   * With two parts or more, when not every combination of the parts' options is legal:
   * the legal ones as positions into each part's `options`.
   */
  combinations?: number[][];
};

export type PartView = {
  name: string;
  kind: PartKindView;
};

export type PartKindView =
  /** One card; `blocked` are cards of the same source that may not be chosen, with the reason. */
  | { card: {
    options: Handle[];
    blocked: Blocked[];
  } }
  /** A face-down card of a zone instance (position in the layout), by position 0..count. */
  | { unseen: {
    zone: number;
    count: number;
  } }
  /** Between low and high different cards of these, `ordered` or not. Legal are all such picks. */
  | { cards: {
    low: number;
    high: number;
    options: Handle[];
    ordered: boolean;
  } }
  /** Sets by pattern: each option is one legal set, shown by representative cards; any cards with the same faces will do. */
  | { sets: {
    options: Handle[][];
  } }
  /** From low to high; of these only some, if `only` is there. */
  | { number: {
    low: number;
    high: number;
    only?: number[];
  } }
  /** Zone instances (positions in the layout), with the index value each stands for. */
  | { pile: {
    options: [number, number][];
  } }
  | { player: {
    options: number[];
  } }
  /** Values of an attribute or of a choice, with how to write them. */
  | { value: {
    options: [number, string][];
  } }
  | { yesno: {
    options: number[];
  } }
  | { text: {
    most: number;
  } }
  /** A subset of `count` dice, from element `first` on, as a bit mask; any, or one of `only`. */
  | { dice: {
    dice: number;
    first: number;
    count: number;
    only?: number[];
  } };

/** A card that may not be chosen, and why, if the rules say. */
export type Blocked = {
  handle: Handle;
  /** Most cards are blocked for the same reason. */
  reason?: Line;
};

export type OutcomeView = {
  /** How it ended: `winners`, `losers`, `ranking`, `everyone-wins`, `everyone-loses`, `draw`, `void`. */
  kind: string;
  winners: number[];
  losers: number[];
  /** For each seat its rank (1 is best), none if it was not playing at the end. */
  ranks: (number | null)[];
  banner?: Line;
  /** Of a void game: where in the source the rules went wrong (a byte offset), if they did. */
  fault?: number;
};

/**
 * One primitive change. A batch is what one move or input caused.
 * 
 * Zones are named by their position in the layout. A zone of which this viewer sees nothing is never named:
 * its side of a move is none, and a move between two such zones is not told at all.
 */
export type Event =
  /**
   * `count` cards went from one zone instance to another. `gone` leave the source and `came` enter the target,
   * each where its cards are shown (then there are `count` of them); where only a count is shown, that changes.
   * A card shown on both sides keeps its handle, so that it can be seen to travel.
   */
  | { moved: {
    from: number | null;
    to: number | null;
    count: number;
    gone: Handle[];
    came: Placed[];
  } }
  /** The whole content of a zone instance, where it can't be said more simply (a shuffle in sight, new handles, a new sort). */
  | { zone: {
    zone: number;
    view: ZoneView;
  } }
  /** Cards that stay where they are look different now (turned, written on). Same handles, same places. */
  | { cards: {
    zone: number;
    cards: CardView[];
  } }
  /** The whole zone is now drawn face down, or no longer. */
  | { turned: {
    zone: number;
    turned: boolean;
  } }
  /** Cards were shuffled here (for the animation; where cards are shown, `Zone` follows with new handles). */
  | { shuffled: {
    zone: number;
  } }
  | { value: {
    var: number;
    element: number;
    value: number | null;
  } }
  | { dice: {
    dice: number;
    element: number;
    face: number | null;
  } }
  /** These dice were thrown (for the animation). */
  | { rolled: {
    dice: number;
    elements: number[];
  } }
  | { phase: {
    phase: string | null;
  } }
  | { lead: {
    seat: number | null;
  } }
  | { paused: {
    paused: boolean;
  } }
  /** A seat is taken, left, present … or no longer: all of it. */
  | { seat: {
    seat: number;
    view: SeatView;
  } }
  /** The seat wears other badges, from this place on; those before it stay. */
  | { badges: {
    seat: number;
    from?: number;
    badges: BadgeView[];
  } }
  /** The badge at this place has another value, or none. */
  | { badge: {
    seat: number;
    at: number;
    value: Line | null;
  } }
  /** Other words stand at the seat. */
  | { marks: {
    seat: number;
    status: Status[];
  } }
  | { highlights: {
    handles: Handle[];
  } }
  /** Other lines, from this place on; those before it stay. */
  | { status: {
    from?: number;
    lines: Line[];
  } }
  /** Who is waited for now. Whose turn it is (`SeatView::turn`) follows from it and is not told again. */
  | { waiting: {
    waiting: Waiting[];
  } }
  | { decision: {
    decision: DecisionView | null;
  } }
  | { announced: {
    text: Line;
    kind: string;
  } }
  /** Something hidden was told: in words, or cards shown where they lie. */
  | { revealed: {
    text: Line | null;
    zone: number | null;
    faces: FaceId[];
  } }
  | { outcome: {
    outcome: OutcomeView;
  } };

/** A card that enters a zone. Insertions are made in the order given. */
export type Placed = {
  /** Position among the target's cards. */
  at: number;
  card: CardView;
};

export type Batch = {
  seq: number;
  cause: Cause;
  events: Event[];
};

export type Cause =
  | "start"
  /** A seat answered (what it answered is in the events, as far as this viewer may know). */
  | { move: {
    seat: number;
  } }
  /** A logged input: join, leave, absent, present, replaced, lead, timeout … */
  | { input: {
    kind: string;
    seat: number | null;
  } };

/** An answer to a decision in the viewer's own words: cards by handle. The observer turns it into a move. */
export type Answer = {
  decision: number;
  /** The `index` of an alternative. */
  alternative: number;
  /** One for each part, in order. */
  parts?: Chosen[];
};

export type Chosen =
  /** A number, seat, value, index of a pile, position of an unseen card, or set of dice. */
  | { number: number }
  | { card: Handle }
  /** Several, in the order picked. */
  | { cards: Handle[] }
  | { text: string };

/** A game, as its rules file alone describes it. */
export type Definition = {
  id: string;
  name: string;
  description: string;
  minPlayers: number;
  maxPlayers: number;
  decks: Record<string, DeckDefinition>;
  slots: SlotDefinition[];
  defaultSettings: Settings;
  variants: Variant[];
  phases: PhaseDefinition[];
  initialPhase: string;
  /** Rulings the players can read. */
  notes: string[];
  options: OptionDefinition[];
  presets: PresetDefinition[];
  /** Words for the look of the table: cloth, back, emblem. */
  theme: Record<string, string>;
  policies: Policies;
};

export type DeckDefinition = {
  displayName: string;
  /** The type of card taken from packs, else the deck's own name. */
  cardType: string;
  /** Whether its cards come from the chosen packs. */
  fromPacks: boolean;
};

/** The settings a table starts with when its host changes nothing. */
export type Settings = {
  packIds: string[];
  /** Ids of [`Variant`]s. */
  activeVariants: string[];
} & Record<string, Setting>;

/** A toggle: a yes/no option, or one value of a choice. */
export type Variant = {
  id: string;
  name: string;
  description: string;
  default: boolean;
};

/** The value of an option as a client writes it: choices by name, yes/no as a boolean. */
export type Setting =
  | boolean
  | number
  | string;

export type OptionDefinition = {
  id: string;
  title: string;
  kind: OptionKind;
  /** Bounds of the number, of the seconds, or of the length of the text. */
  low?: number;
  high?: number;
  values?: ChoiceValue[];
  default: Setting;
};

export type OptionKind =
  | "number"
  | "seconds"
  | "yesno"
  | "choice"
  | "text";

export type ChoiceValue = {
  id: string;
  /** Empty if the rules give none. */
  title: string;
};

export type PresetDefinition = {
  id: string;
  settings: Record<string, Setting>;
};

/** What the rules leave to the room: when to start, and what becomes of those who are not there. */
export type Policies = {
  startWhenFull: boolean;
  newcomersPlay: boolean;
  absent: AbsentPolicy;
  hostAbsentPauses: boolean;
  leaversBecomeBots: boolean;
  /** Seconds after which a lost connection counts as leaving. */
  grace?: number;
};

export type AbsentPolicy =
  | "wait"
  | "skip"
  | "default";

export type SlotDefinition = {
  id: string;
  name: string;
  scope: SlotScope;
  /** Absent: no limit. */
  capacity?: number;
  ordered: boolean;
  visibility: SlotVisibility;
  allowedCardTypes?: string[];
  /** Whether those who do not see the cards see how many there are. */
  counted: boolean;
};

export type SlotScope =
  | "global"
  | "player";

export type SlotVisibility =
  | "public"
  | "owner"
  /** Seen by whoever has a role. */
  | "judge"
  | "hidden";

export type PhaseDefinition = {
  id: string;
  name: string;
  /** Who is asked in it: `all`, `lead`, a role by its name, or `turn` (one seat after the other). */
  activeRoles: string[];
  /** The alternatives offered in it. */
  allowedActions: string[];
  transitions: PhaseTransition[];
  timeout?: PhaseTimeout;
};

/** Transitions are made by the rules alone; a client's `setPhase` is refused. */
export type PhaseTransition = {
  to: string;
  condition: Condition;
  automatic: boolean;
};

export type Condition =
  /** Everyone who is asked has answered. */
  | { type: "allSubmitted" }
  /** A player's answer. */
  | {
    type: "action";
    action: string;
  }
  /** The rules go on by themselves. */
  | { type: "rules" };

export type PhaseTimeout = {
  /** With default options. */
  seconds: number;
  action: string;
};

/** One table's fixed half. Positions in these lists are what views and events quote. */
export type TableDefinition = {
  seats: number;
  settings: Record<string, Setting>;
  zones: ZoneLayout[];
  values: ValueLayout[];
  dice: DiceLayout[];
  /** The catalogue: by face id. */
  faces: CardFace[];
  /** What the game's texts say around their holes, by the number under which batches quote them. */
  texts: string[][];
};

/** One zone instance. */
export type ZoneLayout = {
  /** The zone's name in the rules; the id of its slot. */
  zone: string;
  title: string;
  /** Its index, one per dimension. */
  index?: IndexValue[];
  /** The seat it belongs to. */
  owner?: number;
  /** Its cards are shown in the order in which they lie. */
  ordered: boolean;
  /** auto | fan | pile | row | grid | towards | slots */
  shape: string;
  /** Of a grid. */
  columns?: number;
  rows?: number;
  /** Words of the `show` block for this zone. */
  hints?: string[];
};

export type IndexValue = {
  value: number;
  /** How to write it; for a seat, its player's name is better. */
  label: string;
  /** It is a seat. */
  seat?: boolean;
};

/** A state variable. */
export type ValueLayout = {
  id: string;
  title: string;
  /** number | yesno | player | card | value: how to read the numbers. A card is a face id. Of player and card -1 is nobody, none. */
  kind: string;
  /** Of `value`: names from `first` on. */
  names?: string[];
  /** The index of each element. */
  elements: IndexValue[][];
  /** The title of the seat it names. */
  role?: string;
  /** Only its owner knows it. */
  sealed: boolean;
};

export type DiceLayout = {
  id: string;
  title: string;
  low: number;
  high: number;
  elements: IndexValue[][];
  /** The seat each die belongs to. */
  owners: (number | null)[];
};

/** What is printed on a card. */
export type CardFace = {
  deck: string;
  /** pips | number | text | prompt | die | name */
  template: string;
  /** Shortest way to write it that no other face has: `A♠`, `Joker`, `7`, `5 of cups`. */
  label: string;
  title?: string;
  text?: string;
  /** Attributes by name, written out (`suit: ♠`). */
  attributes?: Record<string, string>;
  /** The attribute a `number` face shows large; of `pips` that have no rank, what is counted. */
  number?: number;
  /** The word by which it has a shape and a colour of its own: a suit, or another attribute made of words. */
  sign?: Sign;
  /** What else has to be read to know the card: `cups`, `red, cost 3`. */
  details?: string;
  /** To be written on. */
  blank?: boolean;
};

/** A value of an attribute made of words, and its place among them; or the name of a card that has a picture. */
export type Sign = {
  word: string;
  /** From 0 on. */
  place: number;
  /** What is drawn in place of one of the shapes: a letter, a symbol or an emoji that the rules name. */
  picture?: string;
};

// Reads the compact form of a batch (docs/protocol.md), like crates/protocol/src/compact/read.rs and spelling.rs. Shared
// test vectors make sure that both agree.

/** A flat list in the notation of spelling.rs: seq, cause, letter, fields of the event …, letter, … */
export type WireBatch = string;
/** `"start"`, the seat that moved, or `[kind of input, seat?]` */
type WireCause = "start" | number | [kind: string, seat?: number];
/** The `texts` of the table's definition. */
export type Texts = string[][];

export interface ExpandedBatch {
  batch: Batch;
  /** The id of each decision with a clock, and the milliseconds left when the batch was sent. */
  clocks: [number, number][];
}

/** Kinds of announcements; the compact form has the index. */
const ANNOUNCED_AS = ["toast", "shout", "banner", "notice", "log"];
/** Kinds of outcomes; the compact form has the index. */
const ENDINGS = ["winners", "losers", "ranking", "everyone-wins", "everyone-loses", "draw", "void"];

export function expandBatch(wire: WireBatch, texts: Texts): ExpandedBatch {
  const [seq, cause, ...rest] = new Spelled(wire).values();
  const reader = new WireReader(rest, texts);
  const events: Event[] = [];
  const clocks: [number, number][] = [];
  while (!reader.done) reader.event(events, clocks);
  return { batch: { seq, cause: expandCause(cause), events }, clocks };
}

/** Reads the notation of a batch. */
class Spelled {
  private at = 0;
  /** The last text between backticks, for `~`. */
  private last: string | undefined;

  constructor(private readonly text: string) {}

  /** Reads values up to the character `end`, or to the end of the text. */
  values(end?: string): any[] {
    const found: any[] = [];
    for (;;) {
      const next = this.text[this.at];
      if (next === end) {
        this.at++;
        return found;
      }
      if (next === ",") this.at++;
      else if (next === "*" && end !== undefined) {
        this.at++;
        const [again, times] = [known(found.at(-1)), Number(this.match(NUMBER))];
        for (let n = 1; n < times; n++) found.push(again);
      } else found.push(this.value(end === undefined));
    }
  }

  private value(outside: boolean): any {
    const first = this.text[this.at] ?? "";
    if (NUMBER_BEGINS.test(first)) return Number(this.match(NUMBER));
    this.at++;
    if (first === "_") return null;
    if (first === "'") return this.match(BARE);
    if (first === "`") this.last = this.match(QUOTED).slice(0, -1).replace(/\\(.)/gs, "$1");
    if (first === "`" || first === "~") return known(this.last);
    if (first === "[") return this.values("]");
    if (first === "#") return [...this.match(DIGITS)].map((digit) => (digit === "." ? null : Number(digit)));
    if (first === "<") {
      const [number, ...holes] = this.values(">");
      return [-1 - number, ...holes];
    }
    if (first === "{") {
      const name = this.text[this.at++] ?? "";
      return { [name]: this.values("}")[0] };
    }
    if (outside && /[a-z]/i.test(first)) return first;
    throw new Error(`a batch does not say ${first}`);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = known(pattern.exec(this.text)?.[0]);
    this.at += found.length;
    return found;
  }
}

const NUMBER_BEGINS = /[-\d]/;
const NUMBER = /-?\d+/y;
const BARE = /[\d().:/%+]*/y;
const DIGITS = /[\d.]*/y;
const QUOTED = /(?:[^`\\]|\\.)*`/sy;

/** Reads a flat list from front to back. */
class WireReader {
  private at = 0;
  /** The last list of waiting players in this batch, to which a decision may refer. */
  private waiting: Waiting[] = [];

  constructor(
    private readonly rest: any[],
    private readonly texts: Texts,
  ) {}

  get done(): boolean {
    return this.at >= this.rest.length;
  }

  private next(): any {
    if (this.done) throw new Error("the batch ends too early");
    return this.rest[this.at++];
  }

  /** The next value unless it is the letter of the next event. */
  private more(): any {
    return this.done || typeof this.rest[this.at] === "string" ? undefined : this.next();
  }

  /** All values before the next letter. */
  private others(): any[] {
    const all: any[] = [];
    for (let value = this.more(); value !== undefined; value = this.more()) all.push(value);
    return all;
  }

  event(events: Event[], clocks: [number, number][]): void {
    const texts = this.texts;
    const letter = this.next();
    switch (letter) {
      case "m":
        events.push(this.moved());
        break;
      case "n":
      case "g": {
        const [from, to, first] = [place(this.next()), place(this.next()), this.next()];
        const came = this.others().map((card, n) => ({ at: first + n, card: expandCard(card) }));
        const gone = letter === "g" ? came.map((placed) => placed.card.handle) : [];
        events.push({ moved: { from, to, count: came.length, gone, came } });
        break;
      }
      case "y":
        for (let from = this.more(); from !== undefined; from = this.more()) {
          events.push({ moved: { from: place(from), to: place(this.next()), count: 1, gone: [], came: [] } });
        }
        break;
      case "z": {
        const [zone, content, turned] = [this.next(), expandContent(this.next()), this.next() === 1];
        events.push({ zone: { zone, view: { content, turned } } });
        break;
      }
      case "c":
        events.push({ cards: { zone: this.next(), cards: this.next().map(expandCard) } });
        break;
      case "t":
        events.push({ turned: { zone: this.next(), turned: this.next() === 1 } });
        break;
      case "x":
        events.push({ shuffled: { zone: this.next() } });
        break;
      case "v":
        for (let of = this.more(); of !== undefined; of = this.more()) {
          const [first, values] = [this.next(), this.next()];
          each(values).forEach((value, n) => void events.push({ value: { var: of, element: first + n, value } }));
        }
        break;
      case "V":
        for (let of = this.more(); of !== undefined; of = this.more()) {
          events.push({ value: { var: of, element: 0, value: this.next() } });
        }
        break;
      case "d":
        for (let of = this.more(); of !== undefined; of = this.more()) {
          const [first, faces] = [this.next(), this.next()];
          each(faces).forEach((face, n) => void events.push({ dice: { dice: of, element: first + n, face } }));
        }
        break;
      case "R":
        for (let dice = this.more(); dice !== undefined; dice = this.more()) {
          const [first, faces] = [this.next(), this.next()];
          faces.forEach((face: number | null, n: number) => {
            events.push({ rolled: { dice, elements: [first + n] } });
            if (face !== null) events.push({ dice: { dice, element: first + n, face } });
          });
        }
        break;
      case "T": {
        const [dice, faces, elements] = [this.next(), this.next(), expandRuns(this.others())];
        events.push({ rolled: { dice, elements } });
        elements.forEach((element, n) => {
          if (faces[n] !== null) events.push({ dice: { dice, element, face: faces[n] } });
        });
        break;
      }
      case "r":
        events.push({ rolled: { dice: this.next(), elements: expandRuns(this.others()) } });
        break;
      case "p": {
        const phase = this.next();
        events.push({ phase: { phase: phase === null ? null : expandWord(phase, texts) } });
        break;
      }
      case "l":
        events.push({ lead: { seat: place(this.next()) } });
        break;
      case "k":
        events.push({ paused: { paused: this.next() === 1 } });
        break;
      case "i":
        events.push({ seat: { seat: this.next(), view: this.seat() } });
        break;
      case "b": {
        const [seat, more] = [this.next(), this.others()];
        const from = typeof more[0] === "number" ? more.shift() : undefined;
        events.push({ badges: without({ seat, from, badges: this.badges(more) }) });
        break;
      }
      case "f": {
        let seat: any;
        for (let next = this.more(); next !== undefined; next = this.more()) {
          if (!Array.isArray(next)) seat = next;
          const [first, ...values] = Array.isArray(next) ? next : this.next();
          values.forEach((value: any, n: number) => {
            events.push({ badge: { seat: known(seat), at: first + n, value: optionalLine(value, texts) ?? null } });
          });
        }
        break;
      }
      case "j":
        events.push({ marks: { seat: this.next(), status: this.marks(this.others()) } });
        break;
      case "h":
        events.push({ highlights: { handles: expandRuns(this.others()) } });
        break;
      case "s":
      case "S": {
        const from = letter === "S" ? this.next() : undefined;
        events.push({ status: without({ from, lines: this.others().map((line) => expandLine(line, texts)) }) });
        break;
      }
      case "w": {
        const entries = this.others();
        const one = typeof entries[0] === "number";
        this.waiting = (one ? [entries] : entries).map((entry) => expandWaiting(entry, texts));
        events.push({ waiting: { waiting: this.waiting } });
        break;
      }
      case "q":
        events.push({ decision: { decision: this.decision() } });
        break;
      case "a": {
        const [text, kind] = [expandLine(this.next(), texts), this.next()];
        events.push({ announced: { text, kind: typeof kind === "string" ? kind : known(ANNOUNCED_AS[kind]) } });
        break;
      }
      case "e": {
        const [text, zone, faces] = [this.next(), place(this.next()), this.others()];
        events.push({ revealed: { text: text === -1 ? null : expandLine(text, texts), zone, faces } });
        break;
      }
      case "O":
        events.push({ outcome: { outcome: this.outcome() } });
        break;
      case "u":
        for (let decision = this.more(); decision !== undefined; decision = this.more()) {
          clocks.push([decision, this.next()]);
        }
        break;
      default:
        throw new Error(`unknown event ${letter}`);
    }
  }

  private outcome(): OutcomeView {
    const [kind, winners, losers, ranks, banner, fault] = [...Array(5).fill(0).map(() => this.next()), this.more()];
    return without({
      kind: typeof kind === "string" ? kind : known(ENDINGS[kind]),
      winners,
      losers,
      ranks,
      banner: optionalLine(banner, this.texts),
      fault,
    });
  }

  private moved(): Event {
    const [from, to] = [place(this.next()), place(this.next())];
    const second = this.more();
    if (!Array.isArray(second)) return { moved: { from, to, count: second ?? 1, gone: [], came: [] } };
    const gone = expandRuns(second);
    const came = expandCame(this.more() ?? []);
    const count = this.more() ?? Math.max(gone.length, came.length);
    return { moved: { from, to, count, gone, came } };
  }

  private seat(): SeatView {
    const flags: number = this.next();
    return {
      playing: (flags & 1) !== 0,
      present: (flags & 2) !== 0,
      person: (flags & 4) !== 0,
      pending: (flags & 8) !== 0,
      turn: (flags & 16) !== 0,
      badges: this.badges(this.next()),
      status: this.marks(this.next()),
    };
  }

  private badges(badges: any[]): BadgeView[] {
    return badges.map(([kind, label, value]: any) =>
      without({
        kind: expandWord(kind, this.texts),
        label: optionalLine(label, this.texts),
        value: optionalLine(value, this.texts),
      }),
    );
  }

  private marks(marks: any[]): Status[] {
    return marks.map(([word, label]) =>
      without({ word: expandWord(word, this.texts), label: optionalLine(label, this.texts) }),
    );
  }

  private decision(): DecisionView | null {
    const head = this.more();
    if (head === undefined) return null;
    const asked = typeof head === "number" ? known(this.waiting[head]) : undefined;
    const id = asked ? asked.decision : head[0];
    const prompt = asked ? asked.prompt : optionalLine(head[1], this.texts);
    const alternatives = this.others().map((alternative) => expandAlternative(alternative, this.texts));
    return without({ id, prompt, alternatives });
  }
}

/** Reads a zone or a seat; -1 means none. */
function place(at: number): number | null {
  return at === -1 ? null : at;
}

function expandCause(cause: WireCause): Cause {
  if (cause === "start") return "start";
  if (typeof cause === "number") return { move: { seat: cause } };
  return { input: { kind: cause[0], seat: cause[1] ?? null } };
}

function expandWord(word: string | number, texts: Texts): string {
  return typeof word === "string" ? word : known(texts[word]?.[0]);
}

export function expandLine(line: any, texts: Texts): Line {
  if (!Array.isArray(line)) return [{ text: expandWord(line, texts) }];
  if (!(typeof line[0] === "number" && line[0] < 0)) return line.map(expandPiece);
  const around = known(texts[-1 - line[0]]);
  if (around.length !== line.length) throw new Error("a text has other holes");
  const made: Line = [];
  around.forEach((literal, n) => {
    if (n > 0) {
      const hole = line[n];
      if (typeof hole === "number" && hole < 0) made.push({ seat: -1 - hole });
      else if (typeof hole === "number" || typeof hole === "string") say(made, String(hole));
      else if (Array.isArray(hole) && hole[0] < 0) say(made, expandWord(-1 - hole[0], texts));
      else made.push(expandPiece(hole));
    }
    say(made, literal);
  });
  return made;
}

/** Appends a text. Adjacent texts become one piece. */
function say(line: Line, text: string): void {
  if (text === "") return;
  const last = line.at(-1);
  if (last && "text" in last) line[line.length - 1] = { text: last.text + text };
  else line.push({ text });
}

function expandPiece(piece: string | number | [face: number] | { w: string }): Piece {
  if (typeof piece === "string") return { text: piece };
  if (typeof piece === "number") return { seat: piece };
  if (Array.isArray(piece)) return { face: piece[0] };
  return { written: piece.w };
}

/** One value, or one for each of several elements. */
function each(values: any): any[] {
  return Array.isArray(values) ? values : [values];
}

/** Reads numbers. A negative number -n stands for the run from the number before it up to n. */
function expandRuns(numbers: number[]): number[] {
  const all: number[] = [];
  for (const n of numbers) {
    if (n >= 0) all.push(n);
    else for (let next = known(all.at(-1)) + 1; next <= -n; next++) all.push(next);
  }
  return all;
}

function expandCard(card: any): CardView {
  if (typeof card === "number") return { handle: card };
  const [handle, face, by, written] = card;
  return without({ handle, face, written, by });
}

function expandCame(came: any[]): Placed[] {
  if (typeof came[0] !== "number") return came.map(([at, card]) => ({ at, card: expandCard(card) }));
  const [first, ...cards] = came;
  return cards.map((card, n) => ({ at: first + n, card: expandCard(card) }));
}

function expandContent(content: any): Content {
  if (content === null) return "nothing";
  if (typeof content === "number") return { count: content };
  return { cards: content.map(expandCard) };
}

function expandWaiting([seat, decision, prompt, seconds, clock]: any, texts: Texts): Waiting {
  const runs = seconds === undefined ? undefined : { decision: clock ?? decision, seconds };
  return without({ seat, decision, prompt: optionalLine(prompt, texts), clock: runs });
}

function expandAlternative([index, name, label, ...rest]: any, texts: Texts): AlternativeView {
  return without({
    name: expandWord(name, texts),
    label: expandLine(label, texts),
    index,
    legal: !rest.includes(0),
    parts: rest.filter(Array.isArray).map((part: any) => expandPart(part, texts)),
    combinations: rest.find((more: any) => more?.c)?.c,
  });
}

function expandPart(p: any[], texts: Texts): PartView {
  return { name: expandWord(p[0], texts), kind: expandKind(p, texts) };
}

function expandKind(p: any[], texts: Texts): PartKindView {
  switch (p[1]) {
    case 0:
      return {
        card: { options: expandRuns(p[2]), blocked: p.slice(3).flatMap((run: any) => expandBlocked(run, texts)) },
      };
    case 1:
      return { unseen: { zone: p[2], count: p[3] } };
    case 2:
      return { cards: { low: p[2], high: p[3], options: expandRuns(p[4]), ordered: p[5] === 1 } };
    case 3:
      return { sets: { options: p.slice(2).map(expandRuns) } };
    case 4:
      return { number: without({ low: p[2], high: p[3], only: p[4] }) };
    case 5:
      return { pile: { options: expandPiles(p[2], p.slice(3)) } };
    case 6:
      return { player: { options: p[2] } };
    case 7:
      return { value: { options: pairs(p.slice(2)).map(([value, name]) => [value, expandWord(name, texts)]) } };
    case 8:
      return { yesno: { options: p[2] } };
    case 9:
      return { text: { most: p[2] } };
    case 10:
      return { dice: without({ dice: p[2], first: p[3], count: p[4], only: p[5] && expandRuns(p[5]) }) };
    default:
      throw new Error(`unknown part ${p[1]}`);
  }
}

function expandPiles(first: number | number[], values: number[]): [number, number][] {
  if (Array.isArray(first)) return pairs(first);
  return expandRuns(values).map((value) => [value, value + first]);
}

function pairs(flat: any[]): [any, any][] {
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], flat[2 * n + 1]]);
}

function expandBlocked([reason, ...handles]: any, texts: Texts): Blocked[] {
  return expandRuns(handles).map((handle) => without({ handle, reason: optionalLine(reason, texts) }));
}

function optionalLine(line: any, texts: Texts): Line | undefined {
  return line === -1 || line === undefined ? undefined : expandLine(line, texts);
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the batch names something the definition does not have");
  return value;
}

/** Views omit absent fields, so the expanded batch omits them too. */
function without<T extends object>(value: T): T {
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined || value[key] === null) delete value[key];
  }
  return value;
}
