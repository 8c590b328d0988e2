/** Standard cards: ranks and pips, aces and court cards. */
import { Court } from "./Court";
import type { DrawnSign } from "./suits";

/** A small card shows a large index and one large suit, because nobody could count its pips. */
export type Detail = "full" | "compact";

const LEFT = 82;
const MIDDLE = 125;
const RIGHT = 168;
const ROWS = { top: 72, upper: 141, middle: 175, lower: 209, bottom: 278 };

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
  "7": [...corners, ...sides, [MIDDLE, 123]],
  "8": [...corners, ...sides, [MIDDLE, 123], [MIDDLE, 227]],
  "9": [...quads, centre],
  "10": [...quads, [MIDDLE, 106], [MIDDLE, 244]],
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
      viewBox="0 0 250 350"
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
      <g transform="rotate(180 125 175)">
        <Index rank={rank} sign={sign} />
      </g>
      {pips?.map(([x, y]) => (
        <use
          key={`${x}.${y}`}
          href={`#${sign.symbol}`}
          x={x - 23}
          y={y - 23}
          width="46"
          height="46"
          transform={y > 175 ? `rotate(180 ${x} ${y})` : undefined}
        />
      ))}
      {!pips && (isCourt(rank) ? <Court rank={rank} symbol={sign.symbol} /> : <Ace symbol={sign.symbol} />)}
      {word && (
        <text x="125" y="338" textAnchor="middle" className="card-title" fontSize={wordSize(word, 24, 130)}>
          {word}
        </text>
      )}
    </>
  );
}

function Compact({ rank, sign, word }: Pips) {
  const long = rank.length > 2;
  return (
    <>
      <text
        x={rank.length > 1 ? 8 : 16}
        y={long ? 74 : 92}
        className={`card-rank ${rank.length > 1 ? "tight" : ""}`}
        fontSize={long ? wordSize(rank, 104, 210) : 104}
      >
        {rank}
      </text>
      <use href={`#${sign.symbol}`} x="18" y="112" width="72" height="72" />
      {isCourt(rank) ? (
        <g transform="translate(34 166) scale(1.06)">
          <Court rank={rank} symbol={sign.symbol} half />
        </g>
      ) : (
        <use href={`#${sign.symbol}`} x="96" y={word ? 172 : 190} width="140" height="140" />
      )}
      {word && (
        // The picture of a court card takes the lower edge, so the word stands beside the small sign.
        <text
          x="240"
          y={isCourt(rank) ? 150 : 342}
          textAnchor="end"
          className="card-title"
          fontSize={wordSize(word, 38, isCourt(rank) ? 140 : 226)}
        >
          {word}
        </text>
      )}
    </>
  );
}

/** As large as it fits: letters are a little more than half as wide as they are high. */
export const wordSize = (word: string, most: number, width: number) => Math.min(most, width / (word.length * 0.56));

function Index({ rank, sign }: { rank: string; sign: DrawnSign }) {
  const long = rank.length > 2;
  return (
    <>
      <text
        x={long ? 14 : 30}
        y={long ? 30 : 58}
        textAnchor={long ? "start" : "middle"}
        className={`card-rank ${rank.length > 1 ? "tight" : ""}`}
        fontSize={long ? wordSize(rank, 30, 150) : 54}
      >
        {rank}
      </text>
      <use href={`#${sign.symbol}`} x="14" y="66" width="34" height="34" />
    </>
  );
}

/** One large sign. The ace of spades has an ornament, as is the custom. */
function Ace({ symbol }: { symbol: string }) {
  const spade = symbol === "suit-s";
  return (
    <g>
      {spade && (
        <g fill="none" stroke="currentColor" strokeWidth="2.5">
          <circle cx="125" cy="175" r="82" strokeDasharray="1 7" strokeLinecap="round" strokeWidth="4" />
          <circle cx="125" cy="175" r="73" />
        </g>
      )}
      <use href={`#${symbol}`} x="73" y="123" width="104" height="104" />
      {spade && <use href="#suit-s" x="105" y="160" width="40" height="40" className="card-inlay" />}
    </g>
  );
}
