/**
 * The layout numbers of card faces, in one place.
 *
 * Lengths are in units of the picture of a card, which is 250 wide and 350 high at every size on the screen. A name
 * with `compact` is about a small card (see `Detail`). The `y` of a text is its base line. Single numbers are constants
 * of their own, because the build then writes them where they are used.
 */

/** Below this width on the screen a card is small: it shows a large index instead of pips. */
export const compactBelowPx = 84;
/** From this width on the screen a back has its medallion with the emblem. */
export const detailedBackFromPx = 40;

export const faceViewBox = "0 0 250 350";
export const faceCentreX = 125;
export const faceCentreY = 175;
/** Turns the upper left corner into the lower right one. */
export const oppositeCorner = "rotate(180 125 175)";

/** The place of a sign. */
const square = (x: number, y: number, size: number) => ({ x, y, width: size, height: size });

/** The width of a letter as a share of its height. */
export const letterWidthShare = 0.56;
/** The width for a line of text that has the whole card. */
export const titleWidth = 232;

/** Pips: their size, their columns and rows, and the single ones between the rows (of a seven and an eight; of a ten). */
export const pipSize = 46;
export const pipLeft = 82;
export const pipMiddle = 125;
export const pipRight = 168;
export const pipRows = { top: 72, upper: 141, middle: 175, lower: 209, bottom: 278 };
export const pipUpper = 123;
export const pipLower = 227;
export const pipUpperOfTen = 106;
export const pipLowerOfTen = 244;

/** The rank and the small sign in a corner. A rank with more letters than `maxShortRank` is smaller. */
export const maxShortRank = 2;
export const indexRankX = 30;
export const indexRankY = 58;
export const indexRankSize = 54;
export const longIndexX = 14;
export const longIndexY = 30;
export const longIndexSize = 30;
export const longIndexWidth = 150;
export const indexSign = square(14, 66, 34);

/** The word that names the sign. */
export const signWordY = 338;
export const signWordSize = 24;
export const signWordWidth = 130;

export const aceSign = square(73, 123, 104);
export const aceInlay = square(105, 160, 40);
export const aceOuterRing = 82;
export const aceInnerRing = 73;

/** A small card: a large rank, a small sign below it, and a picture or a large sign. */
export const compactRankX = 16;
export const compactWideRankX = 8;
export const compactRankY = 92;
export const compactRankSize = 104;
export const compactLongRankY = 74;
export const compactLongRankWidth = 210;
export const compactSign = square(18, 112, 72);
export const compactCourt = "translate(34 166) scale(1.06)";
export const compactLargeSign = square(96, 190, 140);
export const compactLargeSignAboveWordY = 172;
export const compactWordX = 240;
export const compactWordY = 342;
export const compactWordSize = 38;
export const compactWordWidth = 226;
/** On a court card the word stands beside the small sign. */
export const compactWordBesideSignY = 150;
export const compactWordBesideSignWidth = 140;

/** A card with a number and a title. */
export const numberIndex = { x: 18, y: 64, fontSize: 60 };
export const numberIndexSign = square(16, 74, 34);
export const numberMiddle = "translate(125 160)";
/** The sign in the middle, around the centre of the middle. */
export const numberSign = square(-76, -76, 152);
export const numberDisc = 33;
export const numberInDisc = { y: 17, fontSize: 48 };
export const numberFirstLine = 278;
export const numberLineHeight = 26;
export const numberTitleSize = 27;
export const numberDetailsSize = 20;
export const titleWidthBetweenCorners = 156;
/** A title with fewer letters than this has one line, even between two corners. */
export const splitTitleFrom = 12;

export const compactNumber = { x: 14, y: 92, fontSize: 104 };
export const compactNumberSign = square(18, 112, 66);
export const compactMiddleX = 158;
export const compactMiddleY = 220;
export const compactMiddleAboveLinesY = 202;
export const compactMiddleScale = 0.88;
export const compactLastLine = 336;
export const compactLineHeight = 36;
export const compactTitleSize = 34;
export const compactDetailsSize = 27;

/** A card with words and no number. The words stand beside the name down the left edge. */
export const wordsCornerSign = square(16, 16, 62);
export const wordsLargeSign = square(84, 88, 120);
export const edgeNameX = 34;
export const edgeNameTop = 18;
export const edgeNameBelowSign = 92;
export const edgeNameBottom = 330;
export const edgeNameSize = 40;
export const wordsX = 144;
export const wordsWidth = 184;
export const wordsGap = 6;
export const wordsFirstLine = 258;
export const wordsSize = 32;
export const compactWordsFirstLine = 268;
export const compactWordsSize = 44;

/** The ornament of a card with a number: petals round a ring, and a dot between each two of them. */
export const maxPetals = 24;
/** Numbers up to this one have `petalsOfSmallNumbers` petals for each one. */
export const maxSmallNumber = 2;
export const petalsOfSmallNumbers = 12;
/** Petals are narrower if there are many. */
export const widePetal = 22;
export const mediumPetal = 16;
export const mediumPetalsAbove = 6;
export const narrowPetal = 11;
export const narrowPetalsAbove = 9;
export const petalDotY = -72;
export const petalDotRadius = 4.2;
export const rosetteRing = 38;

/** A card with only a name: the name down the side, and a harlequin's cap. Letters of a long name are smaller. */
export const maxNameLetters = 9;
export const nameX = 30;
export const nameTop = 48;
export const nameHeight = 250;
export const nameLetterSize = 34;
export const nameCapPlace = "translate(125 178)";
export const nameCapPlaceCompact = "translate(150 212) scale(1.05)";

/** The word or number on a die, in units of the picture of a die, which is 100 wide and high. */
export const dieCentre = 50;
export const dieLetterSize = 46;
/** The font size of a word is this by its number of letters, so that the word fits between the edges. */
export const dieWordWidth = 140;
/** How far the base line is below the centre, as a share of the font size. */
export const dieWordBaseLineShare = 0.35;
