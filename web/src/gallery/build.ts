/** Builds views for fixtures: decks, seats and tables. For development and tests only. */
import type {
  CardFace,
  CardView,
  Content,
  DecisionView,
  Definition,
  PartKindView,
  PlayerInfo,
  RichText,
  SeatView,
  TableDefinition,
  TableInfo,
  View,
  ZoneLayout,
} from "../protocol/types";
import type { Announcement, Snapshot } from "../state/store";

export interface Fixture {
  name: string;
  snapshot: Partial<Snapshot>;
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
  /** null: a spectator. */
  me?: number | null;
}

export function snapshot(spec: TableSpec): Partial<Snapshot> {
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
