/** Standard cards: ranks and pips, aces and courts of our own drawing. */
import { Court } from "./Court";
import { suitOf } from "./suits";

/** Small cards show a large index and one large suit instead of pips that nobody could count. */
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

export function PipsFace({ rank, suit, detail }: { rank: string; suit: string; detail: Detail }) {
  const known = suitOf(suit);
  const shape = known?.id ?? "d";
  return (
    <svg className={`card-art suit-${known ? shape : "x"}`} viewBox="0 0 250 350" aria-hidden="true">
      {detail === "compact" ? <Compact rank={rank} shape={shape} /> : <Full rank={rank} shape={shape} />}
    </svg>
  );
}

function Full({ rank, shape }: { rank: string; shape: string }) {
  const pips = PIPS[rank];
  return (
    <>
      <Index rank={rank} shape={shape} />
      <g transform="rotate(180 125 175)">
        <Index rank={rank} shape={shape} />
      </g>
      {rank === "A" && <Ace shape={shape} />}
      {pips?.map(([x, y]) => (
        <use
          key={`${x}.${y}`}
          href={`#suit-${shape}`}
          x={x - 23}
          y={y - 23}
          width="46"
          height="46"
          transform={y > 175 ? `rotate(180 ${x} ${y})` : undefined}
        />
      ))}
      {!pips && rank !== "A" && <Court rank={rank} shape={shape} />}
    </>
  );
}

function Compact({ rank, shape }: { rank: string; shape: string }) {
  const court = !PIPS[rank] && rank !== "A";
  return (
    <>
      <text
        x={rank.length > 1 ? 8 : 16}
        y="92"
        className={`card-rank ${rank.length > 1 ? "tight" : ""}`}
        fontSize="104"
      >
        {rank}
      </text>
      <use href={`#suit-${shape}`} x="18" y="112" width="72" height="72" />
      {court ? (
        <g transform="translate(34 166) scale(1.06)">
          <Court rank={rank} shape={shape} half />
        </g>
      ) : (
        <use href={`#suit-${shape}`} x="96" y="190" width="140" height="140" />
      )}
    </>
  );
}

function Index({ rank, shape }: { rank: string; shape: string }) {
  return (
    <>
      <text x="30" y="58" textAnchor="middle" className={`card-rank ${rank.length > 1 ? "tight" : ""}`} fontSize="54">
        {rank}
      </text>
      <use href={`#suit-${shape}`} x="14" y="66" width="34" height="34" />
    </>
  );
}

/** One suit, large; the ace of spades wears the ornament that makers have always put there. */
function Ace({ shape }: { shape: string }) {
  return (
    <g>
      {shape === "s" && (
        <g fill="none" stroke="currentColor" strokeWidth="2.5">
          <circle cx="125" cy="175" r="82" strokeDasharray="1 7" strokeLinecap="round" strokeWidth="4" />
          <circle cx="125" cy="175" r="73" />
        </g>
      )}
      <use href={`#suit-${shape}`} x="73" y="123" width="104" height="104" />
      {shape === "s" && <use href="#suit-s" x="105" y="160" width="40" height="40" className="card-inlay" />}
    </g>
  );
}
