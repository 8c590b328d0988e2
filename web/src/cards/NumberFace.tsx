/** A number and a title. The ornament has as many petals as the number says, so that no two values look alike. */
import type { Detail } from "./PipsFace";

/** Hues that stay apart from their neighbours and read well on the card's paper. */
const HUES = [38, 350, 214, 150, 22, 268, 186, 328, 96, 242, 12, 170, 290];

export function NumberFace({ number, title, detail }: { number: number; title: string | undefined; detail: Detail }) {
  const style = { "--hue": hueOf(number) } as React.CSSProperties;
  const written = String(number);
  if (detail === "compact") {
    return (
      <svg className="card-art card-number" viewBox="0 0 250 350" style={style} aria-hidden="true">
        <text x="14" y="92" className={`card-rank ${written.length > 1 ? "tight" : ""}`} fontSize="104">
          {written}
        </text>
        <g transform="translate(150 232) scale(0.92)">
          <Rosette number={number} />
        </g>
        {title && <Title title={title} x={125} y={336} fontSize={31} />}
      </svg>
    );
  }
  return (
    <svg className="card-art card-number" viewBox="0 0 250 350" style={style} aria-hidden="true">
      <text x="18" y="64" className={`card-rank ${written.length > 1 ? "tight" : ""}`} fontSize="60">
        {written}
      </text>
      <g transform="rotate(180 125 175)">
        <text x="18" y="64" className={`card-rank ${written.length > 1 ? "tight" : ""}`} fontSize="60">
          {written}
        </text>
      </g>
      <g transform="translate(125 165)">
        <Rosette number={number} />
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
      {title && <Title title={title} x={125} y={282} fontSize={title.length > 13 ? 22 : 27} />}
    </svg>
  );
}

/** The number and the title in a line, for cards that lie side by side. */
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

function Title({ title, x, y, fontSize }: { title: string; x: number; y: number; fontSize: number }) {
  return (
    <text
      x={x}
      y={y}
      textAnchor="middle"
      className="card-title"
      fontSize={title.length > 14 ? fontSize * 0.84 : fontSize}
    >
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
