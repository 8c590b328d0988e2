// Generated from the Rust types of crates/protocol, crates/engine and crates/narrator. Do not edit:
//   cargo xtask regenerate protocol

export const PROTOCOL_VERSION = 4;

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
  | "table/quota"
  | "table/server-full"
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
   * In the lobby or after the end, any player: say whether this player wants another game (`false` takes it back). The game starts when
   * everybody who is online has said so.
   */
  | {
    type: "again";
    again: boolean;
  }
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
  /** Lead: take back `kickPlayer`, within a minute. */
  | {
    type: "undoKick";
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
  /** Lead: refuse a person's chat lines and reactions, or allow them again. */
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
  /** Report a chat line, a name, the words on a card, or an uploaded pack to the operators of this server. */
  | {
    type: "report";
    about: ReportTarget;
  }
  /** Tell the server that this client is still connected. */
  | { type: "heartbeat" };

/** The thing that a player reports. Later versions may add kinds; a client ignores kinds that it does not know. */
export type ReportTarget =
  /** A line of the chat, by its number. */
  | {
    kind: "line";
    n: number;
  }
  /** The name of a player or spectator. */
  | {
    kind: "name";
    playerId: string;
  }
  /** The words that somebody wrote on a card, or those of an uploaded pack on it, by its handle in the reporter's own view. */
  | {
    kind: "card";
    handle: number;
  }
  /** The name and the description of an uploaded pack that the table has chosen, by the pack's id. */
  | {
    kind: "pack";
    id: string;
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
  line?: RichText;
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
  /** Some of the chosen packs were uploaded by somebody: the words on their cards can be reported. */
  uploadedPacks?: boolean;
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
  /** Ids of players who want to play another game. */
  again?: string[];
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
  /** Absent players for whom something happens by itself, in the order of the players. */
  absences?: Absence[];
};

/** What happens by itself if an absent player does not come back. */
export type Absence = {
  playerId: string;
  /** The milliseconds that were left when this was sent. */
  ms: number;
  end: AbsenceEnd;
};

export type AbsenceEnd =
  /** The rules decide for the player, and the game goes on. */
  | "skipped"
  /** The player loses the seat. */
  | "leaves"
  /** Somebody else becomes the lead. */
  | "leadPasses";

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

/** One line of the chat window: a message of a person, or a session update. */
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
};

export type ChatAuthor = {
  /** The id of a player or spectator. */
  id: string;
  name: string;
};

export type ChatKind =
  /** A person wrote the line. */
  | "said"
  /** A session update: joined, disconnected, lead, pause … Earlier versions stored announcements of the rules as `game`, without a text. */
  | "session";

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
    text: RichText;
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
  /** Names of the people at the table; empty for a stranger if the table is locked. */
  players: string[];
  bots: number;
  /** Name of the person who made the table; absent if they have no place there, or for a stranger at a locked table. */
  host?: string;
  /** How many players and bots can sit at the table; absent in the list of a browser's tables. */
  seats?: number;
  /** Who may come in; absent if everybody with the link may. */
  door?: Door;
  /** Milliseconds since 1970. */
  updatedAt: number;
  /** Why a person without a seat could only watch. */
  onlyWatch?: ErrorCode;
};

/** `GET /api/me/tables`: this browser's tables, without finished and abandoned ones. */
export type MemberTables = {
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
  /** What happened in each batch, in words. */
  narrations?: Narration[][];
};

/** `GET /api/tables/{code}/log`: what happened in the current game, as this browser's player or a spectator was told. */
export type TableLog = {
  game: string;
  /** The server's time, in milliseconds since 1970. */
  now: number;
  /** At most 300 steps, in order. */
  steps: LogStep[];
  /** There are earlier steps: repeat the request with `before` set to the first `seq`. */
  earlier: boolean;
};

/** A step of the game of which there is something to tell. */
export type LogStep = {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  /** The seat that has moved; absent if the step is no move. */
  seat?: number;
  narrations: Narration[];
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

/** The receiver of a view. */
export type Viewer =
  | { Seat: number }
  | "Spectator"
  /**
   * Sees all zones, sealed values and secrets. The server shows replays to this viewer, and sends them to nobody before the
   * table has ended.
   */
  | "Replay";

/** A viewer's own name for a card that the viewer can see or point at. */
export type Handle = number;

/** Index into the catalogue of faces that a client fetches once. */
export type FaceId = number;

export type View = {
  /** The viewer's seat; none for a spectator. */
  seat?: number;
  /** Number of batches applied so far. */
  seq: number;
  phase?: string;
  lead?: number;
  /** Moves are refused until the table is resumed. */
  paused: boolean;
  /** All viewers see the same seats, so their views share one allocation. The other `Arc`s are there for the same reason. */
  seats: SeatView[];
  zones: ZoneView[];
  values: ValueView[];
  dice: DiceView[];
  /** Handles of highlighted cards, ascending. */
  highlights: Handle[];
  /** The table's status lines. */
  status: RichText[];
  /** The seats that the table waits for, each with its prompt if everyone may know it. */
  waiting: Waiting[];
  /** The decision that this viewer has to answer, if any. */
  decision?: DecisionView;
  outcome?: OutcomeView;
};

/** A text in which seats and cards are still numbers, so that the client can write names. */
export type RichText = Piece[];

export type Piece =
  | { text: string }
  | { seat: number }
  | { face: FaceId }
  /** Text that a player wrote on a blank card. Clients mark it, so that it can't pass for a text of the game. */
  | { written: string };

export type SeatView = {
  playing: boolean;
  present: boolean;
  person: boolean;
  /** The player is a newcomer who waits for the next `admit`. */
  pending: boolean;
  /** This seat has an open decision. */
  turn: boolean;
  /** Badges and status words seldom change, so consecutive views share them. */
  badges: BadgeView[];
  status: StatusView[];
};

/** A status word of a seat, such as `out` or `safe`, and the text that the rules want for it. */
export type StatusView = {
  word: string;
  label?: RichText;
};

export type BadgeView = {
  kind: string;
  label?: RichText;
  value?: RichText;
};

/** One instance of a zone. Its zone and index are in `TableDefinition::zones`, at the same position. */
export type ZoneView = {
  content: Content;
  /** The client draws the cards face down although the viewer knows them. */
  turned: boolean;
};

export type Content =
  /** In display order. */
  | { cards: CardView[] }
  | { count: number }
  /** This viewer may not even know the number of cards. */
  | "nothing";

export type CardView = {
  handle: Handle;
  /** None if the card lies face down. */
  face?: FaceId;
  /** The text of a card somebody wrote on. */
  written?: string;
  /** The player who brought the card here, if the zone remembers that publicly. */
  by?: number;
};

/** All elements of a state variable in index order. */
export type ValueView = {
  /** None for an element that this viewer does not know. */
  values: (number | null)[];
};

export type DiceView = {
  /** For each die the number of its face, 0 if it was not rolled yet, or none if it is hidden from this viewer. */
  faces: (number | null)[];
};

export type Waiting = {
  seat: number;
  decision: number;
  prompt?: RichText;
  /** The clock of the decision, if one runs. */
  clock?: Clock;
};

/** A running clock. The server knows when it started. */
export type Clock = {
  /** The decision that the clock belongs to. Decisions that run together have one clock and one id for it. */
  decision: number;
  seconds: number;
};

/** The open decision of this viewer's seat. */
export type DecisionView = {
  id: number;
  prompt?: RichText;
  alternatives: AlternativeView[];
};

export type AlternativeView = {
  name: string;
  label: RichText;
  /** The index by which an answer names this alternative. */
  index: number;
  /** If false, nothing of the alternative can be chosen now, and the client dims it. */
  legal: boolean;
  parts: PartView[];
  /**
   * Present if there are two parts or more and not every combination of their options is legal. Lists the legal
   * combinations as positions in the `options` of each part.
   */
  combinations?: number[][];
};

export type PartView = {
  name: string;
  kind: PartKindView;
};

export type PartKindView =
  /** One card. `blocked` lists cards of the same source that can't be chosen now, with the reason. */
  | { card: {
    options: Handle[];
    blocked: Blocked[];
  } }
  /** A face-down card of a zone instance, by its position 0..count. `zone` is the position of the instance in the layout. */
  | { unseen: {
    zone: number;
    count: number;
  } }
  /** Any selection of `low` to `high` different cards of `options` is legal. Their order counts if `ordered` is set. */
  | { cards: {
    low: number;
    high: number;
    options: Handle[];
    ordered: boolean;
  } }
  /** Cards that form a pattern. Each option is one legal selection. Cards with equal faces may replace one another. */
  | { sets: {
    options: Handle[][];
  } }
  /** A number from `low` to `high`. If `only` is present, just these numbers are legal. */
  | { number: {
    low: number;
    high: number;
    only?: number[];
  } }
  /** A zone instance. Each option has the value of its index and its position in the layout. */
  | { pile: {
    options: [number, number][];
  } }
  | { player: {
    options: number[];
  } }
  /** A value of an attribute or of a choice. Each option has the value and its text. */
  | { value: {
    options: [number, string][];
  } }
  | { yesno: {
    options: number[];
  } }
  | { text: {
    most: number;
  } }
  /** A subset of `count` dice, from element `first` on, as a bit mask. If `only` is present, just these subsets are legal. */
  | { dice: {
    dice: number;
    first: number;
    count: number;
    only?: number[];
  } };

/** A card that can't be chosen, with the reason if the rules give one. */
export type Blocked = {
  handle: Handle;
  /** Most blocked cards share their reason, hence the `Arc`. */
  reason?: RichText;
};

export type OutcomeView = {
  /**
   * One of `winners`, `losers`, `ranking`, `everyone-wins`, `everyone-loses`, `everyone-scores`, `draw`, `void`,
   * `abandoned`.
   */
  kind: string;
  winners: number[];
  losers: number[];
  /** The rank of each seat (1 is best); none if the seat was not playing at the end. */
  ranks: (number | null)[];
  banner?: RichText;
  /** If the kind is `everyone-scores`: what all players reached together, and the most they could have reached. */
  score?: [number, number];
  /** If the game is void because its rules failed: the byte offset in the source at which they did. */
  fault?: number;
};

/**
 * One primitive change, as one viewer sees it.
 * 
 * Events name zones by their position in the layout. They never name a zone of which this viewer sees nothing: it is none
 * in a `Moved`, and the viewer gets no event of a move between two such zones.
 */
export type Event =
  /**
   * `count` cards moved from one zone instance to another. If the view shows the cards of the source, `gone` lists the
   * `count` cards that leave it; if it shows those of the target, `came` lists the `count` cards that enter it. If the view
   * shows only the number of cards, that number changes. A card that is shown on both sides keeps its handle, so that the
   * client can draw its way.
   */
  | { moved: {
    from: number | null;
    to: number | null;
    count: number;
    gone: Handle[];
    came: Placed[];
  } }
  /**
   * The whole content of a zone instance, for changes without an event of their own: a visible shuffle, new handles, a
   * new sort.
   */
  | { zone: {
    zone: number;
    view: ZoneView;
  } }
  /** Cards that were turned or written on. Their handles and positions stay. */
  | { cards: {
    zone: number;
    cards: CardView[];
  } }
  /** Whether the client draws the whole zone face down has changed. */
  | { turned: {
    zone: number;
    turned: boolean;
  } }
  /**
   * The cards of a zone were shuffled. This event is for the animation: if the view shows the cards, a `Zone` event with
   * new handles follows.
   */
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
  /** Dice were rolled. This event is for the animation: `Dice` events have the faces. */
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
  /** Somebody took or left a seat, or came or went. Has the whole view of the seat. */
  | { seat: {
    seat: number;
    view: SeatView;
  } }
  /** Replaces the badges of a seat from position `from` on. */
  | { badges: {
    seat: number;
    from?: number;
    badges: BadgeView[];
  } }
  /** Replaces the value of one badge. */
  | { badge: {
    seat: number;
    at: number;
    value: RichText | null;
  } }
  /** Replaces the status words of a seat. */
  | { marks: {
    seat: number;
    status: StatusView[];
  } }
  | { highlights: {
    handles: Handle[];
  } }
  /** Replaces the table's status lines from position `from` on. */
  | { status: {
    from?: number;
    lines: RichText[];
  } }
  /** The seats that the table waits for now. The client sets `SeatView::turn` of all seats accordingly. */
  | { waiting: {
    waiting: Waiting[];
  } }
  | { decision: {
    decision: DecisionView | null;
  } }
  /** The rules would have asked this seat, but its player is absent, so that the turn passed at once. */
  | { skipped: {
    seat: number;
  } }
  | { announced: {
    text: RichText;
    kind: string;
  } }
  /** Something hidden was revealed: a text, or the faces of cards and the zone in which they lie. */
  | { revealed: {
    text: RichText | null;
    zone: number | null;
    faces: FaceId[];
  } }
  | { outcome: {
    outcome: OutcomeView;
  } };

/** A card that enters a zone. A client inserts the cards of an event in their order. */
export type Placed = {
  /** The position in the target at which the card is inserted. */
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
  /** A seat answered a decision. The events show its answer as far as this viewer may know it. */
  | { move: {
    seat: number;
  } }
  /** A logged input: join, leave, absent, present, replaced, lead, timeout … */
  | { input: {
    kind: string;
    seat: number | null;
  } };

/** An answer to a decision, with cards by the viewer's handles. The observer turns it into a move. */
export type Answer = {
  decision: number;
  /** The `index` of an alternative. */
  alternative: number;
  /** One value for each part of the alternative, in order. */
  parts?: Chosen[];
};

export type Chosen =
  /** A number, a seat, a value, the index of a pile, the position of an unseen card, or a set of dice as bits. */
  | { number: number }
  | { card: Handle }
  /** Several cards, in the order in which the player picked them. */
  | { cards: Handle[] }
  | { text: string };

/** One thing that happened, in words for one viewer. */
export type Narration = {
  /** The number of the batch's events that have happened when it is told. Consecutive narrations of a batch have ascending numbers. */
  after: number;
  kind: NarrationKind;
  /** Calls the viewer “you”. */
  text: RichText;
};

/** What a narration is about. A log groups narrations by rounds and may fold equal ones. */
export type NarrationKind =
  /** A new round begins, as the rules count rounds. */
  | "round"
  /** A player moves cards, rolls dice or answers. */
  | "move"
  /** The rules move cards, shuffle, turn or show something. */
  | "rules"
  /** The rules announce or reveal something. */
  | "announcement"
  /** A player has another score. */
  | "score"
  /** Somebody comes or goes, or the game stops or goes on. */
  | "session"
  | "outcome";

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
  /** The version of the language by which the rules were checked. */
  language?: number;
  /** A short explanation for people who have not played the game before. */
  howToPlay?: HowToLine[];
  /** Explanations of rules for the players. */
  notes: string[];
  options: OptionDefinition[];
  presets: PresetDefinition[];
  /** How the table looks: cloth, back, emblem. */
  theme: Record<string, string>;
  /** What a small picture of the table shows. */
  preview?: Preview;
  /** The fewest and the most minutes that a game usually takes. */
  minutes?: [number, number];
  policies: Policies;
};

export type DeckDefinition = {
  displayName: string;
  /** The type of the cards that the deck takes from packs, else the name of the deck. */
  cardType: string;
  /** Whether the cards come from the packs that were chosen for the table. */
  fromPacks: boolean;
};

/** The settings of a table whose host changes nothing. */
export type Settings = {
  packIds: string[];
  /** Ids of [`Variant`]s. */
  activeVariants: string[];
} & Record<string, Setting>;

/** A switch in the lobby: a yes/no option, or one value of a choice. */
export type Variant = {
  id: string;
  name: string;
  description: string;
  default: boolean;
};

/** The value of an option as a client writes it: a choice by its name, yes/no as a boolean. */
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
  /** Empty if the rules give no title. */
  title: string;
};

export type PresetDefinition = {
  id: string;
  settings: Record<string, Setting>;
};

/** What the rules want the room to do: when to start, and what to do about absent players. */
export type Policies = {
  startWhenFull: boolean;
  newcomersPlay: boolean;
  absent: AbsentPolicy;
  hostAbsentPauses: boolean;
  leaversBecomeBots: boolean;
  /** Seconds after which a player without a connection has left the table. */
  grace?: number;
};

export type AbsentPolicy =
  | "wait"
  | "skip"
  | "default";

/** A sentence of the explanation, and what a client draws beside it. */
export type HowToLine = {
  text: string;
  /** Ids of slots. */
  zones?: string[];
  /** Names of dice. */
  dice?: string[];
  /** Cards as they are with the default options. */
  faces?: CardFace[];
};

export type SlotDefinition = {
  id: string;
  name: string;
  scope: SlotScope;
  /** The maximum number of cards; absent if there is none. */
  capacity?: number;
  ordered: boolean;
  visibility: SlotVisibility;
  allowedCardTypes?: string[];
  /** Whether viewers who do not see the cards see their number. */
  counted: boolean;
};

export type SlotScope =
  | "global"
  | "player";

export type SlotVisibility =
  | "public"
  | "owner"
  /** The player who has a certain role sees the cards. */
  | "judge"
  | "hidden";

export type PhaseDefinition = {
  id: string;
  name: string;
  /** Who is asked in the phase: `all`, `lead`, the name of a role, or `turn` (one seat after the other). */
  activeRoles: string[];
  /** The alternatives that the phase offers. */
  allowedActions: string[];
  transitions: PhaseTransition[];
  timeout?: PhaseTimeout;
};

/** Only the rules change the phase; the server refuses a client's `setPhase`. */
export type PhaseTransition = {
  to: string;
  condition: TransitionCondition;
  automatic: boolean;
};

export type TransitionCondition =
  /** Everyone who is asked has answered. */
  | { type: "allSubmitted" }
  /** A player has chosen this action. */
  | {
    type: "action";
    action: string;
  }
  /** The rules decide it. */
  | { type: "rules" };

export type PhaseTimeout = {
  /** The time limit with default options. */
  seconds: number;
  action: string;
};

/** The part of a table that never changes. Views and events refer to the positions in these lists. */
export type TableDefinition = {
  seats: number;
  settings: Record<string, Setting>;
  zones: ZoneLayout[];
  values: ValueLayout[];
  dice: DiceLayout[];
  /** Values that always lie on the cloth. The first status lines of every view are these counters, in this order. */
  counters?: CounterLayout[];
  /** The catalogue of faces, by face id. */
  faces: CardFace[];
  /** The strings around the holes of each text of the game. Batches quote a text by its position here. */
  texts: string[][];
};

/** One zone instance. */
export type ZoneLayout = {
  /** The name of the zone in the rules, which is also the id of its slot. */
  zone: string;
  title: string;
  /** The index of the instance, one value for each dimension. */
  index?: IndexValue[];
  /** The seat that the instance belongs to. */
  owner?: number;
  /** The client shows the cards in the order in which they lie. */
  ordered: boolean;
  /** One of `auto`, `fan`, `pile`, `row`, `grid`, `towards`, `slots`. */
  shape: string;
  /** The number of columns of a grid. */
  columns?: number;
  rows?: number;
  /** The words of the `show` block about this zone. */
  hints?: string[];
};

export type IndexValue = {
  value: number;
  /** The value as text. For a seat, clients write the name of its player instead. */
  label: string;
  /** The value is a seat. */
  seat?: boolean;
};

/** A state variable. */
export type ValueLayout = {
  id: string;
  title: string;
  /**
   * The meaning of the numbers: `number`, `yesno`, `player`, `card` (a face id) or `value`. For `player` and `card`, -1 means
   * nobody or none.
   */
  kind: string;
  /** The names of the values 0, 1 …, if `kind` is `value`. */
  names?: string[];
  /** The index of each element. */
  elements: IndexValue[][];
  /** The title of the player whom the variable names, if it is a role. */
  role?: string;
  /** Only the owner of an element knows its value. */
  sealed: boolean;
};

export type DiceLayout = {
  id: string;
  title: string;
  low: number;
  high: number;
  /** What the sides `low..=high` say, if they do not show their numbers. */
  faces?: DieFace[];
  elements: IndexValue[][];
  /** The seat that each die belongs to. */
  owners: (number | null)[];
};

/** A side of a die that says a word. */
export type DieFace = {
  word: string;
  /** A letter, a symbol or an emoji that clients draw instead of the word. */
  sign?: string;
};

/** A value that always lies on the cloth. Its status line is the label, a colon, a space and the value. */
export type CounterLayout = {
  label: string;
  /** The position of the zone beside which it lies; absent if it lies by itself. */
  zone?: number;
};

/** What is printed on a card. */
export type CardFace = {
  deck: string;
  /** One of `pips`, `number`, `text`, `prompt`, `die`, `name`. */
  template: string;
  /** A short text that no other face has: `A♠`, `Joker`, `7`, `5 of cups`. */
  label: string;
  title?: string;
  text?: string;
  /** The text of each attribute, by its name (`suit: ♠`). */
  attributes?: Record<string, string>;
  /** The attribute that a `number` face shows large, or the number of pips of a `pips` face without a rank. */
  number?: number;
  /** The word that gives the face its shape and colour: a suit, or another attribute whose values are words. */
  sign?: Sign;
  /** The attributes that number, title and sign do not show: `cups`, `red, cost 3`. */
  details?: string;
  /** A player can write on the card. */
  blank?: boolean;
};

/** A value of an attribute whose values are words, or the name of a card that has a picture. */
export type Sign = {
  word: string;
  /** The position of the word among the values of its attribute, from 0 on. */
  place: number;
  /** A letter, a symbol or an emoji of the rules that clients draw instead of a shape. */
  picture?: string;
};

export type Preview = {
  zones: PreviewZone[];
  /** Some faces of the game, spread over its cards. Empty if the game has no cards. */
  faces: CardFace[];
  dice: PreviewDice[];
};

/** A zone as the owner of the first seat would see it. */
export type PreviewZone = {
  /** The id of its slot. */
  zone: string;
  /** One of `auto`, `fan`, `pile`, `row`, `grid`, `towards`, `slots`. */
  shape: string;
  /** Every player has such a zone. */
  own: boolean;
  /** The cards lie face up for this viewer. */
  open: boolean;
  /** The zone has all cards of a deck at the beginning. */
  startsFull: boolean;
  /** How many zones of this kind lie side by side. */
  count: number;
  /** The number of columns, of a grid. */
  columns?: number;
};

export type PreviewDice = {
  /** The name of the dice in the rules. Definitions of earlier versions have none. */
  dice?: string;
  count: number;
  low: number;
  high: number;
  /** What the sides say, if they do not show their numbers. */
  faces?: DieFace[];
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
  /** What happened in the batch, in words for its viewer. */
  narrations: Narration[];
  /** The id of each decision with a clock, and the milliseconds left when the batch was sent. */
  clocks: [number, number][];
}

/** Kinds of announcements; the compact form has the index. */
const ANNOUNCEMENT_KINDS = ["toast", "shout", "banner", "notice", "log"];
/** Kinds of outcomes; the compact form has the index. */
const OUTCOME_KINDS = ["winners", "losers", "ranking", "everyone-wins", "everyone-loses", "draw", "void", "everyone-scores"];

/**
 * Kinds of narrations. One number has the kind and the place in the batch: the place times `KINDS`, plus the index of
 * the kind.
 */
const NARRATION_KINDS: NarrationKind[] = ["round", "move", "rules", "announcement", "score", "session", "outcome"];
const KINDS = 8;

export function expandBatch(wire: WireBatch, texts: Texts): ExpandedBatch {
  const [seq, cause, ...rest] = new Spelled(wire).values();
  const reader = new WireReader(rest, texts);
  const events: Event[] = [];
  const narrations: Narration[] = [];
  const clocks: [number, number][] = [];
  while (!reader.done) reader.event(events, narrations, clocks);
  return { batch: { seq, cause: expandCause(cause), events }, narrations, clocks };
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
  private nextBeforeLetter(): any {
    return this.done || typeof this.rest[this.at] === "string" ? undefined : this.next();
  }

  /** All values before the next letter. */
  private allBeforeLetter(): any[] {
    const all: any[] = [];
    for (let value = this.nextBeforeLetter(); value !== undefined; value = this.nextBeforeLetter()) all.push(value);
    return all;
  }

  event(events: Event[], narrations: Narration[], clocks: [number, number][]): void {
    const texts = this.texts;
    const letter = this.next();
    switch (letter) {
      case "m":
        events.push(this.moved());
        break;
      case "n":
      case "g": {
        const [from, to, first] = [place(this.next()), place(this.next()), this.next()];
        const came = this.allBeforeLetter().map((card, n) => ({ at: first + n, card: expandCard(card) }));
        const gone = letter === "g" ? came.map((placed) => placed.card.handle) : [];
        events.push({ moved: { from, to, count: came.length, gone, came } });
        break;
      }
      case "y":
        for (let from = this.nextBeforeLetter(); from !== undefined; from = this.nextBeforeLetter()) {
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
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          const [first, values] = [this.next(), this.next()];
          each(values).forEach((value, n) => void events.push({ value: { var: of, element: first + n, value } }));
        }
        break;
      case "V":
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          events.push({ value: { var: of, element: 0, value: this.next() } });
        }
        break;
      case "d":
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          const [first, faces] = [this.next(), this.next()];
          each(faces).forEach((face, n) => void events.push({ dice: { dice: of, element: first + n, face } }));
        }
        break;
      case "R":
        for (let dice = this.nextBeforeLetter(); dice !== undefined; dice = this.nextBeforeLetter()) {
          const [first, faces] = [this.next(), this.next()];
          faces.forEach((face: number | null, n: number) => {
            events.push({ rolled: { dice, elements: [first + n] } });
            if (face !== null) events.push({ dice: { dice, element: first + n, face } });
          });
        }
        break;
      case "T": {
        const [dice, faces, elements] = [this.next(), this.next(), expandRuns(this.allBeforeLetter())];
        events.push({ rolled: { dice, elements } });
        elements.forEach((element, n) => {
          if (faces[n] !== null) events.push({ dice: { dice, element, face: faces[n] } });
        });
        break;
      }
      case "r":
        events.push({ rolled: { dice: this.next(), elements: expandRuns(this.allBeforeLetter()) } });
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
        const [seat, more] = [this.next(), this.allBeforeLetter()];
        const from = typeof more[0] === "number" ? more.shift() : undefined;
        events.push({ badges: without({ seat, from, badges: this.badges(more) }) });
        break;
      }
      case "f": {
        let seat: any;
        for (let next = this.nextBeforeLetter(); next !== undefined; next = this.nextBeforeLetter()) {
          if (!Array.isArray(next)) seat = next;
          const [first, ...values] = Array.isArray(next) ? next : this.next();
          values.forEach((value: any, n: number) => {
            events.push({ badge: { seat: known(seat), at: first + n, value: optionalLine(value, texts) ?? null } });
          });
        }
        break;
      }
      case "j":
        events.push({ marks: { seat: this.next(), status: this.marks(this.allBeforeLetter()) } });
        break;
      case "h":
        events.push({ highlights: { handles: expandRuns(this.allBeforeLetter()) } });
        break;
      case "s":
      case "S": {
        const from = letter === "S" ? this.next() : undefined;
        events.push({ status: without({ from, lines: this.allBeforeLetter().map((line) => expandLine(line, texts)) }) });
        break;
      }
      case "w": {
        const entries = this.allBeforeLetter();
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
        events.push({ announced: { text, kind: typeof kind === "string" ? kind : known(ANNOUNCEMENT_KINDS[kind]) } });
        break;
      }
      case "e": {
        const [text, zone, faces] = [this.next(), place(this.next()), this.allBeforeLetter()];
        events.push({ revealed: { text: text === -1 ? null : expandLine(text, texts), zone, faces } });
        break;
      }
      case "O":
        events.push({ outcome: { outcome: this.outcome() } });
        break;
      case "P":
        events.push({ skipped: { seat: this.next() } });
        break;
      case "K":
      case "L":
        for (let place = this.nextBeforeLetter(); place !== undefined; place = this.nextBeforeLetter()) {
          const [after, kind] = [Math.floor(place / KINDS), known(NARRATION_KINDS[place % KINDS])];
          const value = this.next();
          narrations.push({ after, kind, text: letter === "K" ? expandLine(value, texts) : expandFragments(value, texts) });
        }
        break;
      case "u":
        for (let decision = this.nextBeforeLetter(); decision !== undefined; decision = this.nextBeforeLetter()) {
          clocks.push([decision, this.next()]);
        }
        break;
      default:
        throw new Error(`unknown event ${letter}`);
    }
  }

  private outcome(): OutcomeView {
    const [kind, winners, losers, ranks, banner] = Array(5).fill(0).map(() => this.next());
    // One number is a fault, two are a score.
    const [first, most] = [this.nextBeforeLetter(), this.nextBeforeLetter()];
    return without({
      kind: typeof kind === "string" ? kind : known(OUTCOME_KINDS[kind]),
      winners,
      losers,
      ranks,
      banner: optionalLine(banner, this.texts),
      score: most === undefined ? undefined : [first, most],
      fault: most === undefined ? first : undefined,
    });
  }

  private moved(): Event {
    const [from, to] = [place(this.next()), place(this.next())];
    const second = this.nextBeforeLetter();
    if (!Array.isArray(second)) return { moved: { from, to, count: second ?? 1, gone: [], came: [] } };
    const gone = expandRuns(second);
    const came = expandCame(this.nextBeforeLetter() ?? []);
    const count = this.nextBeforeLetter() ?? Math.max(gone.length, came.length);
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

  private marks(marks: any[]): StatusView[] {
    return marks.map(([word, label]) =>
      without({ word: expandWord(word, this.texts), label: optionalLine(label, this.texts) }),
    );
  }

  private decision(): DecisionView | null {
    const head = this.nextBeforeLetter();
    if (head === undefined) return null;
    const asked = typeof head === "number" ? known(this.waiting[head]) : undefined;
    const id = asked ? asked.decision : head[0];
    const prompt = asked ? asked.prompt : optionalLine(head[1], this.texts);
    const alternatives = this.allBeforeLetter().map((alternative) => expandAlternative(alternative, this.texts));
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

export function expandLine(line: any, texts: Texts): RichText {
  if (!Array.isArray(line)) return [{ text: expandWord(line, texts) }];
  if (!(typeof line[0] === "number" && line[0] < 0)) return line.map(expandPiece);
  const around = known(texts[-1 - line[0]]);
  if (around.length !== line.length) throw new Error("a text has other holes");
  const made: RichText = [];
  around.forEach((literal, n) => {
    if (n > 0) {
      const hole = line[n];
      if (typeof hole === "number" && hole < 0) made.push({ seat: -1 - hole });
      else if (typeof hole === "number" || typeof hole === "string") appendText(made, String(hole));
      else if (Array.isArray(hole) && hole[0] < 0) appendText(made, expandWord(-1 - hole[0], texts));
      else made.push(expandPiece(hole));
    }
    appendText(made, literal);
  });
  return made;
}

/**
 * Reads a line from the fragments that the server has split it into. A negative number stands for a text of the table.
 */
function expandFragments(fragments: any[], texts: Texts): RichText {
  const made: RichText = [];
  for (const fragment of fragments) {
    if (typeof fragment === "number" && fragment < 0) appendText(made, known(texts[-1 - fragment]?.[0]));
    else if (typeof fragment === "string") appendText(made, fragment);
    else made.push(expandPiece(fragment));
  }
  return made;
}

/** Appends a text. Adjacent texts become one piece. */
function appendText(line: RichText, text: string): void {
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

function optionalLine(line: any, texts: Texts): RichText | undefined {
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
