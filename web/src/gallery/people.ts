/** The people of the gallery, and what lies before them. */
import type { CardView } from "../protocol/types";
import type { PlayerSpec, ZoneSpec } from "./build";

export const people: PlayerSpec[] = [
  { name: "Ada" },
  { name: "Cassie" },
  { name: "Otto" },
  { name: "Biscuit", bot: "easy" },
  { name: "Margarethe", presence: "disconnected" },
  { name: "Waffles", bot: "difficult" },
  { name: "Jun", presence: "away" },
  { name: "Priya" },
];

/** The first so many people, each with what their seat shows. */
export const seatPlayers = (players: number, seat: (i: number) => PlayerSpec["seat"]): PlayerSpec[] =>
  people.slice(0, players).map((player, i) => ({ ...player, seat: seat(i) }));

/** The viewer's own hand, and the number of cards that each other player holds. */
export const hands = (own: CardView[], others: number[]): ZoneSpec[] => [
  { zone: "hand", shape: "fan", owner: 0, content: { cards: own } },
  ...others.map((count, i): ZoneSpec => ({ zone: "hand", shape: "fan", owner: i + 1, content: { count } })),
];
/** Numbers for the other players, in the order of their seats after the viewer. */
export const counts = (others: number, count: (i: number) => number) =>
  Array.from({ length: others }, (_, i) => count(i));

export const numberIndex = (i: number) => [{ value: i + 1, label: String(i + 1) }];

/** Dice with six faces, by owner. */
export const makeDice = (id: string, title: string, owners: (number | null)[]) => ({
  dice: [{ id, title, low: 1, high: 6, elements: owners.map(() => []), owners }],
});
