/**
 * The layout numbers of the table screen, in one place.
 *
 * Lengths are in rem, because one rem grows with the screen; a name that ends in `Px` is in pixels. `phone` also means
 * a window that is as narrow as a phone, `wide` any other.
 */
import type { Size } from "./geometry";

/** A window narrower than this is laid out like a phone. */
const NARROW_BELOW_PX = 620;

export const isNarrow = (viewport: Size): boolean => viewport.width < NARROW_BELOW_PX;

/** The numbers of one column: `forScreen(narrow, pileWidth)`. */
export const forScreen = <T>(narrow: boolean, { phone, wide }: { phone: T; wide: T }): T => (narrow ? phone : wide);

/** From this window width on, the score sheet has room beside the table. */
export const scoreSheetFrom = 60;

/** What lies at the other players' seats; it decides how tall a seat is. */
export type SeatContent = "nameOnly" | "notes" | "handAndPiles" | "handAndRows";

/** Numbers of other players above which the seats change. */
export const seatLimit = {
  /** More do not fit round a phone; they become chips in a strip. */
  roundPhone: 7,
  /** Above it the chips in the strip are smaller. */
  strip: 8,
  /** Above it seats are narrower, and too flat for cards. */
  compact: 9,
  /** Above it seats are chips. */
  crowded: 11,
};

const seatWidth = { phonePx: 104, wide: 12, compact: 9.5 };
const seatHeight = {
  phone: { nameOnly: 5.3, notes: 6.6, handAndPiles: 7.8, handAndRows: 9.2 },
  wide: { nameOnly: 7.4, notes: 7.4, handAndPiles: 8.6, handAndRows: 9.4 },
  /** Also beside cards with text, which need the room. */
  compact: 5.6,
  crowded: 2.6,
};

interface SeatSituation {
  content: SeatContent;
  others: number;
  textCards: boolean;
  narrow: boolean;
  rem: number;
}

/** The size of another player's seat, in pixels. */
export function seatSize({ content, others, textCards, narrow, rem }: SeatSituation): Size {
  if (narrow) return { width: seatWidth.phonePx, height: seatHeight.phone[content] * rem };
  const isCompact = others > seatLimit.compact;
  const width = (isCompact ? seatWidth.compact : seatWidth.wide) * rem;
  if (others > seatLimit.crowded) return { width, height: seatHeight.crowded * rem };
  if (isCompact || textCards) return { width, height: seatHeight.compact * rem };
  return { width, height: seatHeight.wide[content] * rem };
}

const feltInset = { phonePx: 4, wide: 1.1 };
const seatGap = { phonePx: 6, wide: 1.2 };

/** The distance of the seats from the edge of the cloth, in pixels. */
export const feltInsetPx = (narrow: boolean, rem: number): number =>
  narrow ? feltInset.phonePx : feltInset.wide * rem;
/** The distance of the middle from the seats, in pixels. */
export const seatGapPx = (narrow: boolean, rem: number): number => (narrow ? seatGap.phonePx : seatGap.wide * rem);

/** Piles in the lower left corner of the cloth. */
export const sidePiles = {
  cardWidth: 3.9,
  /** Their distance from the edge; `leftShare` is a share of the cloth's width. */
  left: 1.2,
  leftShare: 0.025,
  /** A seat stands over the corner if it is this far left and this low; the piles then lie beside it. */
  cornerShare: 0.3,
  cornerHeight: 7.6,
  /** How far the piles may reach under such a seat. */
  underSeat: 1.8,
};

export const pileWidth = { phone: 3.9, wide: 6.2 };
/** Cards that lie whole, side by side; `many` is the number of cards above which they are smaller. */
export const slotCard = {
  phone: { few: 3.8, many: 2.9, manyAbove: 5 },
  wide: { few: 6, many: 4.6, manyAbove: 8 },
  withText: 9,
  /** A card with the gap beside it, as a share of its width. */
  pitch: 1.1,
};
/** Sets of cards in rows. */
export const setCard = { phone: 2.7, wide: 4.4 };
export const setSpacing = { padding: 0.4, gap: 0.7 };
/** Answers with text. */
export const answerWidth = { phone: 9.1, wide: 11 };
export const hiddenAnswerWidth = 4;

/** Space of the middle that slots and piles leave free: once, and for the title below each row. */
export const middleMargin = { phone: 0.8, wide: 4.4, perRow: 1.9 };
/** Slots and piles do not shrink below this share. */
export const minMiddleScale = 0.5;
/** Space around sets that lie beside the piles, and below piles that lie above the sets. */
export const setsMargin = { beside: 2, below: 3 };
export const diceMargin = { phone: 0, wide: 3 };
export const maxDieSize = 7;

export const gridMargin = { phone: 0, wide: 4.2 };
export const maxGridCard = 8.6;

/** Cards that lie towards the player who played them. Shares are of the card's width or height unless they say more. */
export const playedCard = {
  /** The width that a card would like to have. */
  phone: { maxWidthPx: 60, shareOfHeight: 0.155 },
  wide: { maxWidth: 6.6, shareOfHeight: 0.19 },
  minScale: 0.72,
  maxScale: 1.25,
  /** With more other players than this, cards are smaller. */
  manyAbove: 5,
  manyScale: 0.86,
  /** How far from the centre they lie. */
  reachX: { min: 0.95, seatGap: 0.62, few: 2.1, many: 3, manyAbove: 3 },
  reachY: { min: 0.55, edgeGap: 0.52, phone: 1.7, wide: 1.25 },
  /** The distance from the seats at the sides. */
  sideGap: 0.16,
  /** With at most so many other players, no card covers another. */
  separatedUpTo: 3,
  /** How far the next card of the same player lies: less if there are many. */
  fanStep: { most: 0.42, total: 2.2 },
};

/** Small cards at the seats of others. A few that are face up can be read, so they are larger and hardly turned. */
export const heldCard = {
  phone: { few: 1.8, many: 1.36 },
  wide: { few: 2.7, many: 2.16 },
  fewUpTo: 7,
  most: 13,
  spreadOver: { few: 5, many: 8 },
  turn: { few: 14, many: 40 },
};

/** Small piles at a seat; those of the viewer are larger. */
export const miniPile = {
  openCard: { phone: 2.4, wide: 2.8 },
  card: { own: 2.3, other: 1.55 },
  maxRow: { own: { phone: 7, wide: 11 }, other: { phone: 6.2, wide: 8.4 } },
  /** The share of a card that the next one in a row leaves free, at most. */
  freeShare: 0.66,
};

/** A hand that others hold out face down. Shares are of the card's height. */
export const unseenFan = { phone: 3.5, wide: 5, rowShare: 0.5, liftShare: 0.15 };

/** The width of a card that a thumb can hit, in pixels at the usual size of type. */
export const thumbStripPx = 28;
/** The viewer's hand. Shares are of the card's height. */
export const hand = { maxScale: 1.15, minRowPx: 44, rowShare: 0.46, liftShare: 0.13 };

/** Cards with text in the viewer's hand; `aside` while the decision is about something else. */
export const textHand = {
  phone: 10,
  titled: { min: 7.6, max: 9.4 },
  aside: { min: 8.6, max: 10.4 },
  normal: { min: 10.4, max: 13 },
  margin: 3,
  gap: 0.5,
};

/** Cards in the panel that lists a zone. */
export const listedCard = { plain: 3.3, withText: 9 };
