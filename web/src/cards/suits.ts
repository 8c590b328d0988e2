/** The four suits by sign; their shapes are symbols of the same id. */
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
