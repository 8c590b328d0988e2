/**
 * A card with a number and a title. The ornament has as many petals as the number says, up to 24; one and two have
 * more.
 */
import { type Detail, wordSize } from "./PipsFace";
import type { DrawnSign } from "./suits";

/** Hues that differ from their neighbours and are easy to read on the card. */
const HUES = [38, 350, 214, 150, 22, 268, 186, 328, 96, 242, 12, 170, 290];

export interface Numbered {
  number: number;
  title: string | undefined;
  /** Further text: `cups`, `red, cost 3`. */
  details: string | undefined;
  sign: DrawnSign | undefined;
}

export function NumberFace({ number, title, details, sign, detail }: Numbered & { detail: Detail }) {
  // The sign decides the colour; without a sign, the number does.
  const style = (sign ? { color: sign.ink } : { "--hue": hueOf(number) }) as React.CSSProperties;
  const written = String(number);
  const art = `card-art card-number ${sign?.className ?? ""}`;
  const middle = sign ? (
    <use href={`#${sign.symbol}`} x="-76" y="-76" width="152" height="152" className="number-sign" />
  ) : (
    <Rosette number={number} />
  );
  // The lower of two lines is smaller.
  const named = title === undefined ? [] : detail === "full" && sign ? inTwo(title) : [title];
  const lines = details === undefined ? named : [...named, details];
  if (detail === "compact") {
    return (
      <svg className={art} viewBox="0 0 250 350" style={style} aria-hidden="true">
        <text x="14" y="92" className={`card-rank ${written.length > 1 ? "tight" : ""}`} fontSize="104">
          {written}
        </text>
        {sign && <use href={`#${sign.symbol}`} x="18" y="112" width="66" height="66" />}
        <g transform={`translate(158 ${lines.length > 1 ? 202 : 220}) scale(0.88)`}>{middle}</g>
        {lines.map((line, at) => (
          <Title
            key={line}
            title={line}
            y={336 - 36 * (lines.length - 1 - at)}
            fontSize={at >= named.length ? 27 : 34}
          />
        ))}
      </svg>
    );
  }
  const corner = (
    <>
      <text x="18" y="64" className={`card-rank ${written.length > 1 ? "tight" : ""}`} fontSize="60">
        {written}
      </text>
      {sign && <use href={`#${sign.symbol}`} x="16" y="74" width="34" height="34" />}
    </>
  );
  return (
    <svg className={art} viewBox="0 0 250 350" style={style} aria-hidden="true">
      {corner}
      <g transform="rotate(180 125 175)">{corner}</g>
      <g transform="translate(125 160)">
        {middle}
        <circle r="33" className="number-disc" />
        <text
          y="17"
          textAnchor="middle"
          className={`card-rank number-centre ${written.length > 1 ? "tight" : ""}`}
          fontSize="48"
        >
          {written}
        </text>
      </g>
      {lines.map((line, at) => (
        <Title
          key={line}
          title={line}
          y={278 + 26 * at}
          fontSize={at >= named.length ? 20 : 27}
          width={sign ? 156 : 232}
        />
      ))}
    </svg>
  );
}

/** There is little room between the corners, so a long title is split at the space nearest to its middle. */
function inTwo(title: string): string[] {
  const spaces = [...title.matchAll(/ /g)].map((space) => space.index);
  const middle = spaces.sort((a, b) => Math.abs(a - title.length / 2) - Math.abs(b - title.length / 2))[0];
  return title.length < 12 || middle === undefined ? [title] : [title.slice(0, middle), title.slice(middle + 1)];
}

/** A card with words and no number: its sign, and the words below it. */
export function WordsFace({ words, sign, detail }: { words: string[]; sign: DrawnSign | undefined; detail: Detail }) {
  const style = sign?.ink ? { color: sign.ink } : undefined;
  const size = detail === "compact" ? 44 : 32;
  return (
    <svg
      className={`card-art card-words ${sign?.className ?? ""}`}
      viewBox="0 0 250 350"
      style={style}
      aria-hidden="true"
    >
      {sign && <use href={`#${sign.symbol}`} x="16" y="16" width="62" height="62" />}
      {sign && <use href={`#${sign.symbol}`} x="65" y="88" width="120" height="120" />}
      {words.map((word, at) => (
        <Title
          key={`${word}${String(at)}`}
          title={word}
          y={(detail === "compact" ? 268 : 258) + (size + 6) * at}
          fontSize={size}
        />
      ))}
    </svg>
  );
}

/** The number and the title in one line, for cards that lie side by side. */
export function TitleFace({ number, title }: { number: number | undefined; title: string }) {
  const style = { "--hue": hueOf(number ?? 0) } as React.CSSProperties;
  return (
    <span className="card-text card-titled" style={style}>
      <b>{number ?? "★"}</b>
      <span className="card-text-body">{title}</span>
    </span>
  );
}

const hueOf = (number: number) => HUES[(((number - 1) % HUES.length) + HUES.length) % HUES.length] ?? 214;

function Title({ title, y, fontSize, width = 232 }: { title: string; y: number; fontSize: number; width?: number }) {
  return (
    <text x={125} y={y} textAnchor="middle" className="card-title" fontSize={wordSize(title, fontSize, width)}>
      {title}
    </text>
  );
}

function Rosette({ number }: { number: number }) {
  const petals = number <= 2 ? number * 12 : Math.min(24, Math.abs(number));
  const wide = petals > 9 ? 11 : petals > 6 ? 16 : 22;
  const turn = 360 / petals;
  return (
    <g>
      {Array.from({ length: petals }, (_, i) => (
        <path
          key={String(i)}
          d={`M0-28C${wide}-46 ${wide * 0.8}-70 0-86C${-wide * 0.8}-70 ${-wide}-46 0-28Z`}
          transform={`rotate(${i * turn})`}
          className="petal"
        />
      ))}
      {Array.from({ length: petals }, (_, i) => (
        <circle key={String(i)} cy="-72" r="4.2" transform={`rotate(${i * turn + turn / 2})`} className="petal-dot" />
      ))}
      <circle r="38" className="petal-ring" />
    </g>
  );
}
