/**
 * A card with a number and a title. The ornament has as many petals as the number says, up to a limit; one and two
 * have more.
 */
import * as sizes from "./faceSizes";
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
    <use href={`#${sign.symbol}`} {...sizes.numberSign} className="number-sign" />
  ) : (
    <Rosette number={number} />
  );
  // The lower of two lines is smaller.
  const named = title === undefined ? [] : detail === "full" && sign ? inTwo(title) : [title];
  const lines = details === undefined ? named : [...named, details];
  const tight = written.length > 1 ? "tight" : "";
  if (detail === "compact") {
    const middleY = lines.length > 1 ? sizes.compactMiddleAboveLinesY : sizes.compactMiddleY;
    return (
      <svg className={art} viewBox={sizes.faceViewBox} style={style} aria-hidden="true">
        <text {...sizes.compactNumber} className={`card-rank ${tight}`}>
          {written}
        </text>
        {sign && <use href={`#${sign.symbol}`} {...sizes.compactNumberSign} />}
        <g transform={`translate(${sizes.compactMiddleX} ${middleY}) scale(${sizes.compactMiddleScale})`}>{middle}</g>
        {lines.map((line, at) => (
          <Title
            key={line}
            title={line}
            y={sizes.compactLastLine - sizes.compactLineHeight * (lines.length - 1 - at)}
            fontSize={at >= named.length ? sizes.compactDetailsSize : sizes.compactTitleSize}
          />
        ))}
      </svg>
    );
  }
  const corner = (
    <>
      <text {...sizes.numberIndex} className={`card-rank ${tight}`}>
        {written}
      </text>
      {sign && <use href={`#${sign.symbol}`} {...sizes.numberIndexSign} />}
    </>
  );
  return (
    <svg className={art} viewBox={sizes.faceViewBox} style={style} aria-hidden="true">
      {corner}
      <g transform={sizes.oppositeCorner}>{corner}</g>
      <g transform={sizes.numberMiddle}>
        {middle}
        <circle r={sizes.numberDisc} className="number-disc" />
        <text {...sizes.numberInDisc} textAnchor="middle" className={`card-rank number-centre ${tight}`}>
          {written}
        </text>
      </g>
      {lines.map((line, at) => (
        <Title
          key={line}
          title={line}
          y={sizes.numberFirstLine + sizes.numberLineHeight * at}
          fontSize={at >= named.length ? sizes.numberDetailsSize : sizes.numberTitleSize}
          width={sign ? sizes.titleWidthBetweenCorners : sizes.titleWidth}
        />
      ))}
    </svg>
  );
}

/** There is little room between the corners, so a long title is split at the space nearest to its middle. */
function inTwo(title: string): string[] {
  const spaces = [...title.matchAll(/ /g)].map((space) => space.index);
  const middle = spaces.sort((a, b) => Math.abs(a - title.length / 2) - Math.abs(b - title.length / 2))[0];
  if (title.length < sizes.splitTitleFrom || middle === undefined) return [title];
  return [title.slice(0, middle), title.slice(middle + 1)];
}

/** A card with words and no number: its sign, and the words below it. */
export function WordsFace({ words, sign, detail }: { words: string[]; sign: DrawnSign | undefined; detail: Detail }) {
  const style = sign?.ink ? { color: sign.ink } : undefined;
  const isCompact = detail === "compact";
  const first = isCompact ? sizes.compactWordsFirstLine : sizes.wordsFirstLine;
  const fontSize = isCompact ? sizes.compactWordsSize : sizes.wordsSize;
  return (
    <svg
      className={`card-art card-words ${sign?.className ?? ""}`}
      viewBox={sizes.faceViewBox}
      style={style}
      aria-hidden="true"
    >
      {sign && <use href={`#${sign.symbol}`} {...sizes.wordsCornerSign} />}
      {sign && <use href={`#${sign.symbol}`} {...sizes.wordsLargeSign} />}
      {words[0] !== undefined && <EdgeName name={words[0]} top={sign ? sizes.edgeNameBelowSign : sizes.edgeNameTop} />}
      {words.map((word, at) => (
        <Title
          key={`${word}${String(at)}`}
          title={word}
          y={first + (fontSize + sizes.wordsGap) * at}
          fontSize={fontSize}
          x={sizes.wordsX}
          width={sizes.wordsWidth}
        />
      ))}
    </svg>
  );
}

/** A name down the left edge, which is the part that shows of a card under others in a fan. */
function EdgeName({ name, top }: { name: string; top: number }) {
  return (
    <text
      transform={`translate(${sizes.edgeNameX} ${top}) rotate(90)`}
      className="card-title card-edge-name"
      fontSize={wordSize(name, sizes.edgeNameSize, sizes.edgeNameBottom - top)}
    >
      {name}
    </text>
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

interface TitleProps {
  title: string;
  y: number;
  fontSize: number;
  width?: number;
  x?: number;
}

function Title({ title, y, fontSize, width = sizes.titleWidth, x = sizes.faceCentreX }: TitleProps) {
  return (
    <text x={x} y={y} textAnchor="middle" className="card-title" fontSize={wordSize(title, fontSize, width)}>
      {title}
    </text>
  );
}

function Rosette({ number }: { number: number }) {
  const isSmall = number <= sizes.maxSmallNumber;
  const petals = isSmall ? number * sizes.petalsOfSmallNumbers : Math.min(sizes.maxPetals, Math.abs(number));
  const some = petals > sizes.mediumPetalsAbove ? sizes.mediumPetal : sizes.widePetal;
  const wide = petals > sizes.narrowPetalsAbove ? sizes.narrowPetal : some;
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
        <circle
          key={String(i)}
          cy={sizes.petalDotY}
          r={sizes.petalDotRadius}
          transform={`rotate(${i * turn + turn / 2})`}
          className="petal-dot"
        />
      ))}
      <circle r={sizes.rosetteRing} className="petal-ring" />
    </g>
  );
}
