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

/** How many shapes there are for a game's own suits; see `Symbols.tsx`. */
export const OWN_SHAPES = 8;

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

const inkOf = ({ word, place }: Sign) => NAMED[word.toLowerCase()] ?? INKS[place % INKS.length] ?? "";
