/**
 * The signs of cards. The four standard suits have their own shapes and colours. A game's own suits and colours get
 * one of the plain shapes, by their index.
 */
import type { CardFace, Sign } from "../protocol/types";

export interface Suit {
  id: "s" | "h" | "d" | "c";
  sign: string;
  name: string;
}

const SUITS: Suit[] = [
  { id: "s", sign: "♠", name: "spades" },
  { id: "h", sign: "♥", name: "hearts" },
  { id: "d", sign: "♦", name: "diamonds" },
  { id: "c", sign: "♣", name: "clubs" },
];

export const suitOf = (sign: string | undefined): Suit | undefined => SUITS.find((suit) => suit.sign === sign);

/** How many plain shapes there are for a game's own suits; see `Symbols.tsx`. */
export const PLAIN_SHAPES = 8;
/** Each plain shape is drawn plain, then in a ring, then in a frame, so that more words have shapes of their own. */
export const OWN_SHAPES = 3 * PLAIN_SHAPES;

/** Inks that are easy to read on the card and differ from each other. */
const INKS = ["#96700a", "#b8202f", "#1a5fb4", "#17713f", "#6b2fa0", "#c2560a", "#0f7480", "#8a2f5d"];

/** A colour word gets its own colour. */
const NAMED: Record<string, string> = {
  red: "#b8202f",
  green: "#17713f",
  blue: "#1a5fb4",
  yellow: "#a67c00",
  orange: "#c2560a",
  purple: "#6b2fa0",
  violet: "#6b2fa0",
  pink: "#c2417f",
  brown: "#7a4a21",
  black: "#1b2030",
  white: "#857f70",
  grey: "#60656d",
  gray: "#60656d",
  silver: "#6d7885",
  gold: "#96700a",
  teal: "#0f7480",
  turquoise: "#0f7480",
  cyan: "#0f7480",
};

/** How a sign is drawn: the id of its symbol, and a class or a colour for its ink. */
export interface DrawnSign {
  symbol: string;
  className: string;
  ink?: string;
}

/** The id of the symbol for a picture. An id in a reference must have plain letters. */
export const pictureId = (picture: string) =>
  `picture-${Array.from(picture, (letter) => letter.codePointAt(0)?.toString(16)).join("-")}`;

export function signOf(face: CardFace): DrawnSign | undefined {
  const picture = face.sign?.picture;
  if (face.sign && picture !== undefined) {
    return { symbol: pictureId(picture), className: "suit-own", ink: inkOf(face.sign) };
  }
  const known = suitOf(face.attributes?.suit);
  if (known) return { symbol: `suit-${known.id}`, className: `suit-${known.id}` };
  if (!face.sign) return undefined;
  return { symbol: `sign-${face.sign.place % OWN_SHAPES}`, className: "suit-own", ink: inkOf(face.sign) };
}

const inkOf = (sign: Sign) => assigned.get(sign) ?? NAMED[sign.word.toLowerCase()] ?? inkAt(sign.place);

/** The inks of a table's signs. */
const assigned = new WeakMap<Sign, string>();

/**
 * Gives every word of these faces an ink of its own. A colour word keeps its colour, and no other word gets one that
 * looks like it.
 */
export function assignInks(faces: CardFace[]): void {
  const signs = faces.flatMap(({ sign }) => sign ?? []);
  const named = new Set(signs.flatMap(({ word }) => NAMED[word.toLowerCase()] ?? []));
  const isFree = (ink: string) => [...named].every((other) => !looksLike(ink, other));
  const places = [...new Set(signs.flatMap(({ word, place }) => (NAMED[word.toLowerCase()] ? [] : [place])))];
  const inks = new Map<number, string>();
  let next = 0;
  for (const place of places.sort((a, b) => a - b)) {
    while (next < MAX_INKS && !isFree(inkAt(next))) next += 1;
    inks.set(place, inkAt(next));
    next += 1;
  }
  for (const sign of signs) assigned.set(sign, NAMED[sign.word.toLowerCase()] ?? inks.get(sign.place) ?? "");
}

/** After the chosen inks come computed ones: each hue is far from the hues before it. */
const MAX_INKS = 60;
const GOLDEN_ANGLE = 137.5;
const inkAt = (place: number): string =>
  INKS[place] ?? `hsl(${Math.round((place * GOLDEN_ANGLE) % 360)} ${place % 2 ? 70 : 45}% ${place % 3 ? 27 : 36}%)`;

/** Hues that are closer than this many degrees look alike on a card. */
const ALIKE_HUES = 16;

function looksLike(ink: string, other: string): boolean {
  const [a, b] = [hueOf(ink), hueOf(other)];
  // Black, white and grey have no hue.
  if (a === null || b === null) return ink === other;
  const apart = Math.abs(a - b) % 360;
  return Math.min(apart, 360 - apart) < ALIKE_HUES;
}

/** The hue of `#rrggbb` or `hsl(…)` in degrees; null if the colour is nearly grey. */
function hueOf(ink: string): number | null {
  if (ink.startsWith("hsl(")) return Number.parseInt(ink.slice(4), 10);
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16));
  const most = Math.max(r, g, b);
  const range = most - Math.min(r, g, b);
  if (range < 40) return null;
  const sector = most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  return (sector * 60 + 360) % 360;
}
