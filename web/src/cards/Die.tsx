/** A die: what its sides say, pips for one to six, else the number; a question mark if the viewer can't see it. */
import type { DieFace } from "../protocol/types";
import { dieCentre, dieLetterSize, dieWordBaseLineShare, dieWordWidth } from "./faceSizes";

const PIPS: Record<number, [number, number][]> = {
  1: [[50, 50]],
  2: [
    [28, 28],
    [72, 72],
  ],
  3: [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  4: [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  5: [
    [27, 27],
    [73, 27],
    [50, 50],
    [27, 73],
    [73, 73],
  ],
  6: [
    [28, 24],
    [72, 24],
    [28, 50],
    [72, 50],
    [28, 76],
    [72, 76],
  ],
};

interface Sides {
  low: number;
  high: number;
  faces?: DieFace[];
}

/** What a side shows: its sign, its word, its number, or a question mark. */
const dieWord = ({ low, faces }: Sides, face: number | null): string => {
  if (face === null) return "?";
  const side = faces?.[face - low];
  return side?.sign ?? side?.word ?? String(face);
};

/** Long words are smaller, so that they fit between the edges. */
const placeOf = (said: string): { x: number; y: number; fontSize: number } => {
  const fontSize = Math.min(dieLetterSize, dieWordWidth / Math.max(1, said.length));
  return { x: dieCentre, y: dieCentre + fontSize * dieWordBaseLineShare, fontSize };
};

/** How a side is read aloud. */
export const dieName = ({ low, faces }: Sides, face: number): string => faces?.[face - low]?.word ?? String(face);

/** Draws a die. `face` is null if the die is hidden from this viewer, and 0 if it is not rolled yet. */
export function Die({ face, layout }: { face: number | null; layout: Sides }) {
  const { low, high, faces } = layout;
  const said = dieWord(layout, face);
  const pips = !faces && low === 1 && high <= 6 && face !== null ? PIPS[face] : undefined;
  const unrolled = face === 0 && low > 0;
  return (
    <svg
      className={`die ${face === null ? "hidden" : ""} ${unrolled ? "unrolled" : ""}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
    >
      <rect x="3" y="6" width="94" height="93" rx="22" className="die-shade" />
      <rect x="3" y="1" width="94" height="93" rx="22" className="die-body" />
      <rect x="8" y="5" width="84" height="84" rx="26" className="die-top" />
      <path d="M20 12Q50 4 80 12 50 20 20 12Z" className="die-shine" />
      {pips?.map(([x, y]) => (
        <g key={`${x}.${y}`}>
          <circle cx={x} cy={y - 2} r="9.4" className={face === 1 ? "die-pip one" : "die-pip"} />
          <path d={`M${x - 6} ${y + 2.5}a8 8 0 0 0 12 0`} className="die-glint" />
        </g>
      ))}
      {!pips && !unrolled && (
        <text {...placeOf(said)} textAnchor="middle" className="die-number">
          {said}
        </text>
      )}
    </svg>
  );
}

/** A cup over dice that this viewer can't see. */
export function Cup() {
  return (
    <svg className="cup" viewBox="0 0 100 100" aria-hidden="true">
      <path d="M28 12H72L88 86Q50 100 12 86Z" className="cup-body" />
      <path d="M28 12Q50 4 72 12 50 20 28 12Z" className="cup-base" />
      <path d="M15 74Q50 87 85 74L88 86Q50 100 12 86Z" className="cup-rim" />
      <path d="M36 20L26 76" className="cup-light" />
    </svg>
  );
}
