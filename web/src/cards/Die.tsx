/** A die: pips for one to six, else the number; a question mark under a cup. */
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

/** `null`: hidden from this viewer; 0: not rolled yet. */
export function Die({ face, low, high }: { face: number | null; low: number; high: number }) {
  const pips = low === 1 && high <= 6 && face !== null ? PIPS[face] : undefined;
  const unrolled = face === 0 && low > 0;
  return (
    <svg
      className={`die ${face === null ? "hidden" : ""} ${unrolled ? "unrolled" : ""}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
    >
      <rect x="3" y="5" width="94" height="94" rx="20" className="die-shade" />
      <rect x="3" y="2" width="94" height="94" rx="20" className="die-body" />
      <rect x="9" y="8" width="82" height="82" rx="16" className="die-top" />
      {pips?.map(([x, y]) => (
        <circle key={`${x}.${y}`} cx={x} cy={y - 1} r="8.6" className={face === 1 ? "die-pip one" : "die-pip"} />
      ))}
      {!pips && !unrolled && (
        <text x="50" y="66" textAnchor="middle" fontSize="46" className="die-number">
          {face === null ? "?" : face}
        </text>
      )}
    </svg>
  );
}
