/** Fixtures for the pages around a table. For development only. */
import type { HomeProps } from "../home/Home";
import type { PlayerInfo } from "../protocol/types";
import { definition, type Fixture, tableInfo } from "./build";

const options = [
  { id: "word", title: "The word that loses", kind: "text" as const, low: 1, high: 12, default: "SNAIL" },
  {
    id: "clock",
    title: "Seconds to play a card (0: no clock)",
    kind: "seconds" as const,
    low: 0,
    high: 300,
    default: 0,
  },
];
const presets = [{ id: "quick", settings: { word: "S" } }];
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
    name: "Reading",
    minPlayers: 3,
    maxPlayers: 20,
    description: "Prompts with blanks, answers to fill them, and somebody who judges.",
    theme: { cloth: "slate", back: "plain", emblem: "✎" },
  }),
  definition({
    id: "b",
    name: "Tricks",
    minPlayers: 2,
    maxPlayers: 8,
    description:
      "Follow suit, or take it all. Whoever is left holding cards takes a letter of the word; the whole word loses the game.",
    theme: { cloth: "green", back: "weave", emblem: "♠" },
    options,
    presets,
    policies,
  }),
  definition({
    id: "c",
    name: "Sets",
    minPlayers: 3,
    maxPlayers: 6,
    description: "Sets of one number, beaten by better ones.",
    theme: { cloth: "wood", back: "rays", emblem: "♚" },
  }),
  definition({
    id: "d",
    name: "Grid",
    minPlayers: 1,
    maxPlayers: 8,
    description: "Everyone against the deck: piles side by side, and a call on the next card.",
    theme: { cloth: "blue", back: "waves", emblem: "♦" },
  }),
  definition({
    id: "e",
    name: "Unseen",
    minPlayers: 2,
    maxPlayers: 8,
    description: "Draw from your neighbour without looking, and lay down what fits.",
    theme: { cloth: "purple", back: "rays", emblem: "♛" },
  }),
  definition({
    id: "f",
    name: "Die",
    minPlayers: 2,
    maxPlayers: 8,
    description: "Roll as often as you dare.",
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
      title: "Tricks",
      status: "playing",
      players: ["Ada", "Cassie", "Otto"],
      bots: 2,
      updatedAt: at,
    },
    {
      code: "P3XW9",
      definitionId: "d",
      title: "Grid",
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
      ...tableInfo({ game: { id: "b", name: "Tricks" }, faces: [], players: [], zones: [] }),
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
