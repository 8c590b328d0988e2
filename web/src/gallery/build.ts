/** Builds views for fixtures: decks, seats and tables. For development and tests only. */
import type {
  CardFace,
  CardView,
  Content,
  DecisionView,
  Definition,
  LogStep,
  Narration,
  PartKindView,
  PlayerInfo,
  RichText,
  SeatView,
  TableDefinition,
  TableInfo,
  View,
  ZoneLayout,
} from "../protocol/types";
import type { Announcement, ClientState } from "../state/store";

export interface Fixture {
  name: string;
  snapshot: Partial<ClientState>;
}

export const say = (text: string): RichText => [{ text }];

const SUITS = ["♦", "♣", "♥", "♠"];
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** Face ids go suit by suit, 2 to A, then the Joker. */
export const standardFaces: CardFace[] = [
  ...SUITS.flatMap((suit) =>
    RANKS.map(
      (rank): CardFace => ({ deck: "cards", template: "pips", label: rank + suit, attributes: { rank, suit } }),
    ),
  ),
  { deck: "cards", template: "name", label: "Joker", title: "Joker" },
];

export const card = (label: string): number => standardFaces.findIndex((face) => face.label === label);
export const cards = (labels: string): number[] => labels.split(" ").map(card);

let handle = 0;
export const freshHandles = () => {
  handle = 0;
};
export const shown = (faces: number[], by?: number): CardView[] =>
  faces.map((face) => ({ handle: ++handle, face, ...(by === undefined ? {} : { by }) }));

export interface ZoneSpec extends Partial<ZoneLayout> {
  zone: string;
  content: Content;
  turned?: boolean;
}

export interface PlayerSpec {
  name: string;
  bot?: PlayerInfo["bot"];
  presence?: PlayerInfo["presence"];
  seat?: Partial<SeatView>;
}

export interface TableSpec {
  game: Partial<Definition> & { id: string; name: string };
  faces: CardFace[];
  players: PlayerSpec[];
  zones: ZoneSpec[];
  view?: Partial<View>;
  table?: Partial<TableDefinition>;
  info?: Partial<TableInfo>;
  announcements?: Announcement[];
  /** Null for a spectator. */
  me?: number | null;
}

export function snapshot(spec: TableSpec): Partial<ClientState> {
  const me = spec.me === undefined ? 0 : spec.me;
  return {
    connection: "open",
    you: { id: me === null ? "s1" : `p${me + 1}`, ...(me === null ? {} : { seat: me }) },
    game: definition(spec.game),
    table: {
      seats: spec.players.length,
      settings: {},
      zones: spec.zones.map(({ content: _, turned: __, ...layout }) => ({
        title: titleOf(layout.zone),
        ordered: true,
        shape: "auto",
        ...layout,
      })),
      values: [],
      dice: [],
      faces: spec.faces,
      texts: [],
      ...spec.table,
    },
    view: {
      ...(me === null ? {} : { seat: me }),
      seq: 1,
      paused: false,
      seats: spec.players.map(({ bot, presence, seat }) => ({
        playing: true,
        present: presence === undefined || presence === "active",
        person: bot === undefined,
        pending: false,
        turn: false,
        badges: [],
        status: [],
        ...seat,
      })),
      zones: spec.zones.map(({ content, turned }) => ({ content, turned: turned ?? false })),
      values: [],
      dice: [],
      highlights: [],
      status: [],
      waiting: spec.view?.decision ? [{ seat: 0, decision: 1 }] : [],
      ...spec.view,
    },
    info: tableInfo(spec),
    announcements: spec.announcements ?? [],
    log: { steps: steps(spec.players.length), earlier: false, stale: false },
    chat: [
      { n: 1, at: Date.now() - 600000, kind: "session", text: `${spec.players[0]?.name} made the table` },
      ...spec.players.slice(1, 4).map((p, i) => ({
        n: 2 + i,
        at: Date.now() - 500000,
        kind: "session" as const,
        text: `${p.name} joined the game`,
      })),
      {
        n: 9,
        at: Date.now() - 400000,
        kind: "said",
        from: { id: "p2", name: spec.players[1]?.name ?? "" },
        text: "Good luck everyone!",
      },
    ],
  };
}

/** Two rounds in words, with equal lines and a last move of the viewer. */
function steps(players: number): LogStep[] {
  const told = (kind: Narration["kind"], ...text: RichText): Narration => ({ after: 0, kind, text });
  const answers = (seat: number) => [told("move", { seat }, { text: " has answered" })];
  const lines: Omit<LogStep, "seq" | "at">[] = [
    {
      narrations: [
        told("round", { text: "Round 1" }),
        told("rules", { text: "Everybody gets 7 cards from the stock" }),
      ],
    },
    { seat: 1, narrations: answers(1) },
    { narrations: [told("round", { text: "Round 2" }), told("rules", { text: "The stock is shuffled" })] },
    { seat: 0, narrations: [told("move", { text: "You draw " }, { face: 0 }, { text: " from the stock" })] },
    { seat: 1, narrations: [told("move", { seat: 1 }, { text: " plays " }, { face: 0 }, { text: " to the pile" })] },
    { seat: 1, narrations: answers(Math.min(1, players - 1)) },
    { seat: 1, narrations: answers(Math.min(1, players - 1)) },
    { narrations: [told("announcement", { text: "The deck is turned over" })] },
  ];
  return lines.map((line, i) => ({ seq: i + 1, at: Date.now() - 1000 * (lines.length - i), ...line }));
}

export function tableInfo(spec: TableSpec): TableInfo {
  return {
    code: "K7QM2",
    definitionId: spec.game.id,
    title: spec.game.name,
    game: "g1",
    status: spec.view?.outcome ? "ended" : "playing",
    settings: { options: {}, packIds: [] },
    players: spec.players.map(({ name, bot, presence }, seat) => ({
      id: `p${seat + 1}`,
      name,
      seat,
      ...(bot ? { bot } : {}),
      presence: presence ?? "active",
      joinedAt: 0,
      lastSeen: 0,
    })),
    spectators: [],
    host: "p1",
    lead: "p1",
    votes: [],
    createdAt: 0,
    fairness: {},
    definitions: { game: "" },
    ...spec.info,
  } as TableInfo;
}

export function definition(game: Partial<Definition> & { id: string; name: string }): Definition {
  return {
    description: "",
    minPlayers: 2,
    maxPlayers: 8,
    decks: {},
    slots: [],
    defaultSettings: { packIds: [], activeVariants: [] },
    variants: [],
    phases: [],
    initialPhase: "play",
    notes: [],
    options: [],
    presets: [],
    theme: {},
    preview: { zones: [], faces: [], dice: [] },
    policies: {
      startWhenFull: false,
      newcomersPlay: false,
      absent: "wait",
      hostAbsentPauses: false,
      leaversBecomeBots: false,
    },
    ...game,
  } as unknown as Definition;
}

export const decide = (prompt: string, ...alternatives: [string, string, ...PartKindView[]][]): DecisionView => ({
  id: 1,
  prompt: say(prompt),
  alternatives: alternatives.map(([name, label, ...kinds], index) => ({
    name,
    label: label ? say(label) : [],
    index,
    legal: true,
    parts: kinds.map((kind, i) => ({ name: `part${i}`, kind })),
  })),
});

const titleOf = (zone: string) => zone.charAt(0).toUpperCase() + zone.slice(1).replaceAll("_", " ");
