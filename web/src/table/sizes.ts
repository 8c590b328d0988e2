/**
 * The layout numbers of the table screen and the lobby, in one place.
 *
 * Lengths are in rem, because one rem grows with the screen; a name that ends in `Px` is in pixels. `phone` also means
 * a window that is as narrow as a phone, `wide` any other.
 */
import type { Size } from "./geometry";

/** A window of at most this width is laid out like a phone. The media queries of the style sheets have the same number. */
const NARROW_UP_TO_PX = 620;

export const isNarrow = (viewport: Size): boolean => viewport.width <= NARROW_UP_TO_PX;

/** A window of at most this height is a phone on its side. The media queries of the table have the same number. */
const FLAT_UP_TO_PX = 500;

/** A phone on its side: the cloth is on the left, and the viewer's own cards are on the right. */
export const isSideways = ({ width, height }: Size): boolean => height <= FLAT_UP_TO_PX && width > height;

/** The table of a phone, upright or on its side. */
export const isPhone = (viewport: Size): boolean => isNarrow(viewport) || viewport.height <= FLAT_UP_TO_PX;

/** On a phone on its side: the share of the window for the viewer's own cards; `table.css` has the same number. */
export const sidewaysMineShare = 0.44;
/** The hand has that part to itself, so its cards are sized for a window of this multiple of the height. */
export const sidewaysHandHeight = 1.3;

/** Pixels of one rem at the usual size of type. */
export const usualRemPx = 16;

/** A size that differs between a phone and a wide screen: `pileWidth(narrow)`. */
export const perScreen =
  <T>(phone: T, wide: T) =>
  (narrow: boolean): T =>
    narrow ? phone : wide;

/** From this window width on, the score sheet has room beside the table. */
export const scoreSheetFrom = 60;

/** From this window width on, the log has room beside the table. */
export const logFromPx = 1280;

/** What lies at the other players' seats; it decides how tall a seat is. */
export type SeatContent = "nameOnly" | "notes" | "handAndPiles" | "handAndRows";

/** With more other players than this, the seats do not fit round a phone and become chips in a strip. */
export const maxSeatsRoundPhone = 7;
/** From this many other players on, the seats of a phone stand in a row and two columns round the played cards. */
export const surroundedFrom = 4;
/** With more other players than this, the chips in the strip are smaller. */
export const maxFullChips = 8;
/** With more other players than this, seats are narrower, and too flat for cards. */
const maxFullSeats = 9;
/** With more other players than this, seats are chips in a strip. */
export const maxCompactSeats = 11;

const seatWidthPhonePx = 104;
const seatWidth = 12;
const seatWidthCompact = 9.5;
const seatHeight = {
  phone: { nameOnly: 5.3, notes: 6.6, handAndPiles: 7.8, handAndRows: 9.2 },
  wide: { nameOnly: 7.4, notes: 7.4, handAndPiles: 8.6, handAndRows: 9.4 },
  /** Also beside cards with text, which need the room. */
  compact: 5.6,
};

/** The height of each row of a grid before a player but the first. */
const seatGridRow = perScreen(2.4, 3.2);

interface SeatSituation {
  content: SeatContent;
  /** The most rows of cards that lie before a player. */
  rows: number;
  others: number;
  textCards: boolean;
  narrow: boolean;
  rem: number;
}

/** The size of another player's seat, in pixels. */
export function seatSize({ content, rows, others, textCards, narrow, rem }: SeatSituation): Size {
  const more = Math.max(0, rows - 1) * seatGridRow(narrow);
  if (narrow) return { width: seatWidthPhonePx, height: (seatHeight.phone[content] + more) * rem };
  const isCompact = others > maxFullSeats;
  const width = (isCompact ? seatWidthCompact : seatWidth) * rem;
  if (isCompact || textCards) return { width, height: seatHeight.compact * rem };
  return { width, height: (seatHeight.wide[content] + more) * rem };
}

/** The distance of the seats from the edge of the cloth. */
export const feltInsetPhonePx = 4;
export const feltInsetWide = 1.1;
/** The distance of the middle from the seats. */
export const seatGapPhonePx = 6;
export const seatGapWide = 1.2;

/** Piles in the lower left corner of the cloth: their cards, and their distance from the edge (`Share` of the cloth). */
export const sidePileCard = 3.9;
export const sidePilesLeft = 1.2;
export const sidePilesLeftShare = 0.025;
/** A seat stands over the corner if it is this far left and this low; the piles then lie beside it. */
export const cornerWidthShare = 0.3;
export const cornerHeight = 7.6;
/** How far the piles may reach under such a seat. */
export const sidePilesUnderSeat = 1.8;

export const pileWidth = perScreen(3.9, 6.2);
/** The width of a card in a row of cards that lie whole, side by side. With more than `manyAbove` cards they are smaller. */
export const slotCard = perScreen({ few: 3.8, many: 2.9, manyAbove: 5 }, { few: 6, many: 4.6, manyAbove: 8 });
export const slotCardWithText = 9;
/** A card with the gap beside it, as a share of its width. */
export const slotPitch = 1.1;
/** The width of a card in a set. */
export const setCard = perScreen(2.7, 4.4);
/** The share of a card that the next one of its set covers. */
export const setOverlap = 0.55;
export const setPadding = 0.4;
export const setGap = 0.7;
/** The width of an answer with text. */
export const answerWidth = perScreen(9.1, 11);
export const hiddenAnswerWidth = 4;

/** Space of the middle that slots and piles leave free: once, and for the title below each row. */
export const middleMargin = perScreen(0.8, 4.4);
export const titleMargin = 1.9;
/** Slots and piles do not shrink below this share. */
export const minMiddleScale = 0.5;
/** Space around sets that lie beside the piles, and below piles that lie above the sets. */
export const setsMarginBeside = 2;
export const setsMarginBelow = 3;
export const diceMargin = perScreen(0, 3);
export const maxDieSize = 7;

export const gridMargin = perScreen(0, 1);
/** The line below a grid that shows the status. */
export const inscriptionMargin = 3.2;
export const maxGridCard = 8.6;

/** Cards that lie towards the player who played them. Shares are of the cloth's height, the others of the card's size. */
export const playedCardPhonePx = 60;
export const playedCardPhoneShare = 0.155;
export const playedCardWide = 6.6;
export const playedCardWideShare = 0.19;
export const minPlayedCardPx = 40;
export const minPlayedScale = 0.72;
export const maxPlayedScale = 1.25;
/** With more other players than this, cards are smaller. */
export const fullPlayedCardsUpTo = 5;
export const manyPlayedScale = 0.86;
/** How far from the centre played cards lie, sideways. */
export const minReachX = 0.95;
export const reachSeatGap = 0.62;
export const shortReachUpTo = 3;
export const shortReachX = 2.1;
export const longReachX = 3;
/** How far from the centre played cards lie, up and down. */
export const minReachY = 0.55;
export const reachEdgeGap = 0.52;
export const maxReachY = perScreen(1.7, 1.25);
/** The distance of played cards from the seats at the sides. */
export const playedSideGap = 0.16;
/** With at most this many other players, no card covers another. */
export const separatedUpTo = 3;
/** If played cards would cover each other's ranks, they lie in columns: the gap between cards, and the part of a card
 * that shows its rank. Shares of a card's size. */
export const playedColumns = 3;
export const playedColumnGap = 0.06;
export const rankCorner = { width: 0.4, height: 0.42 };
/** How far the next card of the same player lies: less if there are many. */
export const maxFanStep = 0.42;
export const totalFanStep = 2.2;

/** Small cards at the seats of others. A few that are face up can be read, so they are larger and hardly turned. */
export const heldCard = perScreen({ few: 1.8, many: 1.36 }, { few: 2.7, many: 2.16 });
export const heldCardSpreadOver = { few: 5, many: 8 };
export const heldCardTurn = { few: 14, many: 40 };
export const fewHeldCards = 7;
export const maxHeldCardsDrawn = 13;
/** A hand whose number of cards is not drawn shows this many backs at most. */
export const uncountedCards = 3;
/** How many badges fit beside the name of a player. On a phone a long one does not fit. */
export const plateBadges = perScreen(1, 2);

/** Small piles at a seat; those of the viewer are larger. */
export const miniPileOpenCard = perScreen(2.4, 2.8);
export const miniPileCard = { own: 2.3, other: 1.55 };
export const miniPileMaxRow = { own: perScreen(7, 11), other: perScreen(6.2, 8.4) };
/** The share of a card that the next one in a row leaves free, at most. */
export const miniPileFreeShare = 0.66;

/** Cards of a row and cells of a grid at another player's seat. */
export const miniCell = perScreen(1.5, 2);
export const miniCellGap = 0.12;

/** Cards that lie before the viewer: rows and grids. The gap is a share of a card's width. */
export const ownCard = { min: 2.5, max: perScreen(4.4, 5.6) };
/** The height of everything above them: the top bar, the cloth, the decision and the viewer's name. */
export const ownHeightAbove = { phone: 29, wide: 33, sideways: 13 };
export const ownMargin = 1.2;
export const ownGap = 0.1;
/** The title above a row, in rem. */
export const ownTitle = 1.3;
/** A hand that never held more cards than this lies apart from the viewer's other cards, whole. */
export const apartUpTo = 2;
export const apartCard = perScreen(4.2, 5.8);

/** A hand that others hold out face down. Shares are of the card's height. */
export const unseenCard = perScreen(3.5, 5);
export const unseenRowShare = 0.5;
export const unseenLiftShare = 0.15;

/** The width of a card that a thumb can hit, in pixels while one rem is `usualRemPx`. */
export const thumbStripPx = 28;
/** The viewer's hand. Shares are of the card's height. */
export const maxHandScale = 1.15;
export const minHandRowPx = 44;
export const handRowShare = 0.46;
export const handLiftShare = 0.13;

/** Cards with text in the viewer's hand: [least, most]; `aside` while the decision is about something else. */
export const textHand: Record<"titled" | "aside" | "normal", [number, number]> = {
  titled: [7.6, 9.4],
  aside: [8.6, 10.4],
  normal: [10.4, 13],
};
export const textHandPhone = 10;
export const textHandMargin = 3;
export const textHandGap = 0.5;

/** A decision bar that is taller than this for one decision shrinks again after it. */
export const maxKeptBarHeightPx = 144;
/** A mouse that moves this far while pressed drags; a finger drags after it has rested this long. */
export const dragThresholdPx = 6;
export const dragDelayMs = 220;

/** A pile shows the edge of one more card for each so many cards below the top card, up to a limit. */
export const cardsPerPileEdge = 3;
export const maxPileEdges = 10;

/** The size of a flying card as a multiple of its own size: at the start, and at the end if it disappears in a zone. */
export const flightScale = { smallestStart: 0.3, largestStart: 1.6, intoZone: 0.4, intoWideZone: 0.6 };

/** Cards in the panel that lists a zone. */
export const listedCard = 3.3;
export const listedCardWithText = 9;

/** The height of a card as a multiple of its width. */
export const cardRatio = 1.4;

/** The distance between two cards of a hand if there is enough width, as a share of a card's width. */
export const handSpacing = 0.72;
/** A row of at most this many cards is not curved. */
export const flatUpTo = 2;
/** The tilt from one card to the next, in degrees: less if there are many. */
export const maxTilt = 2.4;
export const totalTilt = 22;
/** How far the outer cards hang below the middle ones, as a share of a card's height. */
export const maxSag = 0.14;
export const sagPerCard = 0.012;

/** Bounds on the width of a hand's cards: shares of the window, pixels, and rem. */
export const handCardShareOfWidth = 0.18;
export const handCardShareOfHeight = 0.138;
export const minHandCardPx = 46;
export const maxHandCardRem = 7.6;

/** The angle of a played card at the left or right end of the table, in degrees. */
export const playedTilt = 8;

/** Each card of a small fan lies lower than the next one inwards, by this share of its height, and is tilted more. */
export const fanDrop = 0.02;
export const fanTilt = 3;

export const outlinePoints = 240;

/** A seat that begins in this upper share of the area is at the far side. */
export const farSideShare = 0.12;

/** The space below all seats is used if it is this tall, and at least this large compared with the space between them. */
export const minHeightBelowSeats = 0.4;
export const minAreaBelowSeats = 0.9;

/** The gap around a die, as a share of its size. */
export const diceGap = 0.16;
/** Dice must become this much larger before they take another row. */
export const moreRowsGain = 1.15;

/** Below half of their size, cards could not be told apart. */
export const minRowScale = 0.5;
export const rowScaleStep = 0.05;

/** The gap between the cards of a grid, as a share of a card's width. */
export const gridGap = 0.16;
/** The space that piles take beside or above a grid, in cards; and the share of the height that a grid may use. */
export const pilesBesideGrid = 1.35;
export const pilesAboveGrid = 1.4;
export const gridHeightShare = 0.96;
/** The share of the middle that a grid leaves to rows of sets, which lie below it on a phone and else beside it. */
export const setsShareWithGrid = 0.36;

/** A table is upright if it is narrower than this multiple of its height. The ring of seats is then squarer. */
export const uprightBelow = 1.15;
export const ringSquarenessUpright = 4.5;
export const ringSquarenessWide = 3;
/** Where the first seat stands, as a share of the ring from the bottom centre on. */
export const firstSeatUpright = 0.16;
export const firstSeatWide = 0.19;

/** The lobby draws a ring of seats, free ones included: at least `min`, at most as many as the screen has room for. */
export const lobbySeats = { min: 4, maxPhone: 8, maxWide: 20 };
/** The size of a seat in the lobby. Three fit side by side on a phone; a long name may use `lobbyExtraWidthPx` more. */
export const lobbySeatWidth = perScreen(6.9, 8.6);
export const lobbySeatsAcrossPhone = 3;
export const lobbySeatHeight = 3.4;
export const lobbyExtraWidthPx = perScreen(4, 40);
/** The distance of the viewer's own seat from the bottom of the ring. */
export const lobbyOwnSeatBottom = 1.9;
/** The distance of the seats from the edge of the ring, and of three seats on a phone from both edges together. */
export const lobbyInsetPx = 6;
export const lobbyMarginPhonePx = 16;

/** A large step of a slider is at most this share of its range. */
export const rangeLargeStepShare = 0.1;

/** If at least this many players are asked at the same time, the table says how many have answered. */
export const minCountedAnswers = 4;
/** From this many other players on, a button opens a scoreboard. */
export const scoreboardFrom = 7;

/** The strip at the near edge of the cloth in which counters lie. */
export const counterHeight = 2.3;
