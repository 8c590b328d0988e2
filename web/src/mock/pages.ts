/** The pages around a table, for the gallery. Development only. */
import type { HomeProps } from "../home/Home";
import type { PlayerInfo } from "../protocol/types";
import { definition, type Fixture, tableInfo } from "./build";

const options = [
  { id: "word", title: "The word that loses", kind: "text" as const, low: 1, high: 12, default: "DONKEY" },
  {
    id: "clock",
    title: "Seconds to play a card (0: no clock)",
    kind: "seconds" as const,
    low: 0,
    high: 300,
    default: 0,
  },
];
const presets = [{ id: "quick", settings: { word: "D" } }];
const policies = {
  startWhenFull: true,
  newcomersPlay: false,
  absent: "wait" as const,
  hostAbsentPauses: true,
  leaversBecomeBots: true,
};

const games = [
  definition({
    id: "a",
    name: "Cards Against Humanity",
    minPlayers: 3,
    maxPlayers: 20,
    description: "One prompt, everybody's worst answer, one judge. The funniest card wins the round.",
    theme: { cloth: "slate", back: "plain", emblem: "✎" },
  }),
  definition({
    id: "b",
    name: "Donkey",
    minPlayers: 2,
    maxPlayers: 8,
    description:
      "Shed your cards, follow suit, dodge the CUT. Whoever is left holding cards takes a letter; the whole word makes a donkey.",
    theme: { cloth: "green", back: "weave", emblem: "♠" },
    options,
    presets,
    policies,
  }),
  definition({
    id: "c",
    name: "The Great Dalmuti",
    minPlayers: 3,
    maxPlayers: 6,
    description: "Life isn't fair: the first out rules the next round.",
    theme: { cloth: "wood", back: "rays", emblem: "♚" },
  }),
  definition({
    id: "d",
    name: "High/Low",
    minPlayers: 1,
    maxPlayers: 8,
    description: "Everyone against the deck: nine piles, one question. Will the next card be higher or lower?",
    theme: { cloth: "blue", back: "waves", emblem: "♦" },
  }),
  definition({
    id: "e",
    name: "Old Maid",
    minPlayers: 2,
    maxPlayers: 8,
    description: "Draw from your neighbour, lay your pairs, and don't be the one left with the odd card.",
    theme: { cloth: "purple", back: "rays", emblem: "♛" },
  }),
  definition({
    id: "f",
    name: "Pig",
    minPlayers: 2,
    maxPlayers: 8,
    description: "Roll as often as you dare; a one loses everything you made this turn.",
    theme: { cloth: "red", back: "dots", emblem: "⚀" },
  }),
];

const at = new Date(2024, 10, 15, 20, 41).getTime();

export const homeFixture: HomeProps = {
  games,
  mine: [
    {
      code: "K7QM2",
      definitionId: "b",
      title: "Donkey",
      status: "playing",
      players: ["Ada", "Cassie", "Otto"],
      bots: 2,
      updatedAt: at,
    },
    {
      code: "P3XW9",
      definitionId: "d",
      title: "High/Low",
      status: "paused",
      players: ["Ada", "Jun"],
      bots: 0,
      updatedAt: at - 86400000,
    },
  ],
};

const sitting: Partial<PlayerInfo>[] = [
  { name: "Ada" },
  { name: "Cassie" },
  { name: "Biscuit", bot: "easy" },
  { name: "Margarethe", presence: "disconnected" },
];

export const lobbyFixture: Fixture = {
  name: "lobby",
  snapshot: {
    connection: "open",
    you: { id: "p1" },
    game: games[1],
    info: {
      ...tableInfo({ game: { id: "b", name: "Donkey" }, faces: [], players: [], zones: [] }),
      status: "lobby",
      players: sitting.map((player, i) => ({
        id: `p${i + 1}`,
        name: "",
        presence: "active" as const,
        joinedAt: 0,
        lastSeen: 0,
        ...player,
      })),
    },
  },
};
