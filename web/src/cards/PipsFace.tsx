/** Standard cards: ranks and pips, aces and court cards. */
import { Court } from "./Court";
import * as sizes from "./faceSizes";
import type { DrawnSign } from "./suits";

/** A small card shows a large index and one large suit, because nobody could count its pips. */
export type Detail = "full" | "compact";

const LEFT = sizes.pipLeft;
const MIDDLE = sizes.pipMiddle;
const RIGHT = sizes.pipRight;
const ROWS = sizes.pipRows;

const corners: [number, number][] = [
  [LEFT, ROWS.top],
  [RIGHT, ROWS.top],
  [LEFT, ROWS.bottom],
  [RIGHT, ROWS.bottom],
];
const sides: [number, number][] = [
  [LEFT, ROWS.middle],
  [RIGHT, ROWS.middle],
];
const quads: [number, number][] = [
  ...corners,
  [LEFT, ROWS.upper],
  [RIGHT, ROWS.upper],
  [LEFT, ROWS.lower],
  [RIGHT, ROWS.lower],
];
const centre: [number, number] = [MIDDLE, ROWS.middle];

const PIPS: Record<string, [number, number][]> = {
  "2": [
    [MIDDLE, ROWS.top],
    [MIDDLE, ROWS.bottom],
  ],
  "3": [[MIDDLE, ROWS.top], centre, [MIDDLE, ROWS.bottom]],
  "4": corners,
  "5": [...corners, centre],
  "6": [...corners, ...sides],
  "7": [...corners, ...sides, [MIDDLE, sizes.pipUpper]],
  "8": [...corners, ...sides, [MIDDLE, sizes.pipUpper], [MIDDLE, sizes.pipLower]],
  "9": [...quads, centre],
  "10": [...quads, [MIDDLE, sizes.pipUpperOfTen], [MIDDLE, sizes.pipLowerOfTen]],
};

/** What is printed on a card: a letter or number, a sign, and perhaps a word that names the sign. */
export interface Pips {
  rank: string;
  sign: DrawnSign;
  word: string | undefined;
}

export function PipsFace({ detail, ...pips }: Pips & { detail: Detail }) {
  const { className, ink } = pips.sign;
  return (
    <svg
      className={`card-art ${className}`}
      viewBox={sizes.faceViewBox}
      aria-hidden="true"
      style={ink ? { color: ink } : undefined}
    >
      {detail === "compact" ? <Compact {...pips} /> : <Full {...pips} />}
    </svg>
  );
}

const isAce = (rank: string) => rank === "A" || rank === "1";
/** Letters and words have a picture; a number that has no pips has one large sign. */
const isCourt = (rank: string) => !PIPS[rank] && !isAce(rank) && Number.isNaN(Number(rank));

function Full({ rank, sign, word }: Pips) {
  const pips = PIPS[rank];
  return (
    <>
      <Index rank={rank} sign={sign} />
      <g transform={sizes.oppositeCorner}>
        <Index rank={rank} sign={sign} />
      </g>
      {pips?.map(([x, y]) => (
        <use
          key={`${x}.${y}`}
          href={`#${sign.symbol}`}
          x={x - sizes.pipSize / 2}
          y={y - sizes.pipSize / 2}
          width={sizes.pipSize}
          height={sizes.pipSize}
          transform={y > sizes.faceCentreY ? `rotate(180 ${x} ${y})` : undefined}
        />
      ))}
      {!pips && (isCourt(rank) ? <Court rank={rank} symbol={sign.symbol} /> : <Ace symbol={sign.symbol} />)}
      {word && (
        <text
          x={sizes.faceCentreX}
          y={sizes.signWordY}
          textAnchor="middle"
          className="card-title"
          fontSize={wordSize(word, sizes.signWordSize, sizes.signWordWidth)}
        >
          {word}
        </text>
      )}
    </>
  );
}

function Compact({ rank, sign, word }: Pips) {
  const long = rank.length > sizes.maxShortRank;
  const fontSize = sizes.compactRankSize;
  return (
    <>
      <text
        x={rank.length > 1 ? sizes.compactWideRankX : sizes.compactRankX}
        y={long ? sizes.compactLongRankY : sizes.compactRankY}
        className={`card-rank ${rank.length > 1 ? "tight" : ""}`}
        fontSize={long ? wordSize(rank, fontSize, sizes.compactLongRankWidth) : fontSize}
      >
        {rank}
      </text>
      <use href={`#${sign.symbol}`} {...sizes.compactSign} />
      {isCourt(rank) ? (
        <g transform={sizes.compactCourt}>
          <Court rank={rank} symbol={sign.symbol} half />
        </g>
      ) : (
        <use
          href={`#${sign.symbol}`}
          {...sizes.compactLargeSign}
          {...(word && { y: sizes.compactLargeSignAboveWordY })}
        />
      )}
      {word && (
        // The picture of a court card takes the lower edge, so the word stands beside the small sign.
        <text
          x={sizes.compactWordX}
          y={isCourt(rank) ? sizes.compactWordBesideSignY : sizes.compactWordY}
          textAnchor="end"
          className="card-title"
          fontSize={wordSize(
            word,
            sizes.compactWordSize,
            isCourt(rank) ? sizes.compactWordBesideSignWidth : sizes.compactWordWidth,
          )}
        >
          {word}
        </text>
      )}
    </>
  );
}

/** The largest font size at which a word fits into a width. */
export const wordSize = (word: string, most: number, width: number) =>
  Math.min(most, width / (word.length * sizes.letterWidthShare));

function Index({ rank, sign }: { rank: string; sign: DrawnSign }) {
  const long = rank.length > sizes.maxShortRank;
  return (
    <>
      <text
        x={long ? sizes.longIndexX : sizes.indexRankX}
        y={long ? sizes.longIndexY : sizes.indexRankY}
        textAnchor={long ? "start" : "middle"}
        className={`card-rank ${rank.length > 1 ? "tight" : ""}`}
        fontSize={long ? wordSize(rank, sizes.longIndexSize, sizes.longIndexWidth) : sizes.indexRankSize}
      >
        {rank}
      </text>
      <use href={`#${sign.symbol}`} {...sizes.indexSign} />
    </>
  );
}

/** One large sign. The ace of spades has an ornament, as is the custom. */
function Ace({ symbol }: { symbol: string }) {
  const spade = symbol === "suit-s";
  const centre = { cx: sizes.faceCentreX, cy: sizes.faceCentreY };
  return (
    <g>
      {spade && (
        <g fill="none" stroke="currentColor" strokeWidth="2.5">
          <circle {...centre} r={sizes.aceOuterRing} strokeDasharray="1 7" strokeLinecap="round" strokeWidth="4" />
          <circle {...centre} r={sizes.aceInnerRing} />
        </g>
      )}
      <use href={`#${symbol}`} {...sizes.aceSign} />
      {spade && <use href="#suit-s" {...sizes.aceInlay} className="card-inlay" />}
    </g>
  );
}
