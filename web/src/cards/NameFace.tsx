/** A card that has only a name, such as a joker: a harlequin's cap, and the name down the side. */
import {
  faceViewBox,
  maxNameLetters,
  nameCapPlace,
  nameCapPlaceCompact,
  nameHeight,
  nameLetterSize,
  nameTop,
  nameX,
  oppositeCorner,
} from "./faceSizes";
import type { Detail } from "./PipsFace";

export function NameFace({ name, detail }: { name: string; detail: Detail }) {
  const letters = [...name.toUpperCase()].slice(0, maxNameLetters);
  const step = Math.min(nameLetterSize, nameHeight / letters.length);
  const side = letters.map((letter, i) => (
    <text
      key={`${letter}${String(i)}`}
      x={nameX}
      y={nameTop + i * step}
      textAnchor="middle"
      fontSize={step}
      className="card-rank"
    >
      {letter}
    </text>
  ));
  return (
    <svg className="card-art card-name" viewBox={faceViewBox} aria-hidden="true">
      {side}
      {detail === "full" && <g transform={oppositeCorner}>{side}</g>}
      <g transform={detail === "full" ? nameCapPlace : nameCapPlaceCompact}>
        <path
          d="M-52 52C-58 0-30-20-62-62-30-58-16-44-8-24-6-54 0-70 14-88 22-62 20-44 12-26 24-46 40-54 68-52 38-24 56 4 50 52Z"
          className="harlequin-a"
        />
        <path d="M-8-24C-6-54 0-70 14-88 22-62 20-44 12-26L4 52H-12Z" className="harlequin-b" />
        {[
          [-62, -62],
          [14, -88],
          [68, -52],
        ].map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="9" className="harlequin-bell" />
        ))}
        <path d="M-58 46H56L48 78H-50Z" className="harlequin-band" />
        {[-34, -12, 10, 32].map((x) => (
          <path key={x} d={`M${x} 51l10 11-10 11-10-11z`} className="harlequin-bell" />
        ))}
      </g>
    </svg>
  );
}
