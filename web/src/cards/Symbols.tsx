import { memo } from "react";
import type { CardFace } from "../protocol/types";
import { CourtDefs } from "./Court";
import { PLAIN_SHAPES, pictureId } from "./suits";

/** Shapes for a game's own suits, by their index: ring, cup, cross, leaf, star, crescent, triangle, hexagon. */
const OWN = [
  "M0-47a47 47 0 1 0 0 94 47 47 0 1 0 0-94ZM0-33a33 33 0 1 1 0 66 33 33 0 1 1 0-66ZM0-19a19 19 0 1 0 0 38 19 19 0 1 0 0-38Z",
  "M-37-46H37C37-8 24 11 8 15V31C8 36 26 37 27 47H-27C-26 37-8 36-8 31V15C-24 11-37-8-37-46Z",
  "M0-49 12-31V12H36V26H12V39L7 49H-7L-12 39V26H-36V12H-12V-31Z",
  "M0-49C38-30 44 12 7 31V49H-7V31C-44 12-38-30 0-49Z",
  "M0-48 12-17 46-15 19 6 28 39 0 20-28 39-19 6-46-15-12-17Z",
  "M22-44A48 48 0 1 0 22 44 38 38 0 1 1 22-44Z",
  "M0-45 47 40H-47ZM0-12-20 26H20Z",
  "M-41-24 0-48 41-24V24L0 48-41 24Z",
];

/** Round the shapes of the ninth word and the next ones; a frame of four sides round those after them. */
const RING = "M0-45a45 45 0 1 0 0 90 45 45 0 1 0 0-90Z";
const FRAME = "M-44-44H44V44H-44Z";

/** Shapes that card faces refer to by id. They are in the document once. */
export const Symbols = memo(function Symbols() {
  return (
    <svg width="0" height="0" aria-hidden="true" className="symbols">
      <defs>
        <CourtDefs />
        <symbol id="suit-s" viewBox="-50 -50 100 100">
          <path
            fill="currentColor"
            d="M0-49C9-26 45-9 45 17 45 38 17 44 5 25 6 37 12 45 21 49H-21C-12 45-6 37-5 25-17 44-45 38-45 17-45-9-9-26 0-49Z"
          />
        </symbol>
        <symbol id="suit-h" viewBox="-50 -50 100 100">
          <path fill="currentColor" d="M0 48C-8 27-47 8-47-19-47-47-11-50 0-21 11-50 47-47 47-19 47 8 8 27 0 48Z" />
        </symbol>
        <symbol id="suit-d" viewBox="-50 -50 100 100">
          <path fill="currentColor" d="M0-49C9-29 23-13 39 0 23 13 9 29 0 49-9 29-23 13-39 0-23-13-9-29 0-49Z" />
        </symbol>
        <symbol id="suit-c" viewBox="-50 -50 100 100">
          <g fill="currentColor">
            <circle cx="0" cy="-25" r="22" />
            <circle cx="-24" cy="10" r="22" />
            <circle cx="24" cy="10" r="22" />
            <path d="M-9-12H9L7 4C6 26 11 42 21 49H-21C-11 42-6 26-7 4Z" />
          </g>
        </symbol>
        {["", RING, FRAME].flatMap((around, kind) =>
          // The order differs, so that the ninth shape is no ring in a ring.
          OWN.map((_, shape) => OWN[(shape + 3 * kind) % PLAIN_SHAPES] ?? "").map((d, shape) => (
            <symbol key={around + d} id={`sign-${kind * PLAIN_SHAPES + shape}`} viewBox="-50 -50 100 100">
              {around && <path fill="none" stroke="currentColor" strokeWidth="7" d={around} />}
              <path fill="currentColor" fillRule="evenodd" d={d} transform={around ? "scale(0.58)" : undefined} />
            </symbol>
          )),
        )}
      </defs>
    </svg>
  );
});

/** The pictures that the rules give to cards: letters, symbols, emoji. */
export const Pictures = memo(function Pictures({ faces }: { faces: CardFace[] }) {
  const pictures = new Set(faces.flatMap(({ sign }) => sign?.picture ?? []));
  if (pictures.size === 0) return null;
  return (
    <svg width="0" height="0" aria-hidden="true" className="symbols">
      <defs>
        {Array.from(pictures, (picture) => (
          <symbol key={picture} id={pictureId(picture)} viewBox="-50 -50 100 100">
            <text y="4" textAnchor="middle" dominantBaseline="central" fontSize="84" fill="currentColor">
              {picture}
            </text>
          </symbol>
        ))}
      </defs>
    </svg>
  );
});

/** The patterns of backs. They use the colours of the table, so they must be inside the element with `data-cloth`. */
export const BackPatterns = memo(function BackPatterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" className="symbols">
      <defs>
        <pattern id="back-weave" width="20" height="20" patternUnits="userSpaceOnUse">
          <rect width="20" height="20" fill="var(--back)" />
          <path
            d="M0 5h10M10 15h10M5 10v10M15 0v10"
            stroke="var(--back-line)"
            strokeWidth="4.5"
            strokeLinecap="round"
          />
        </pattern>
        <pattern id="back-dots" width="22" height="22" patternUnits="userSpaceOnUse">
          <rect width="22" height="22" fill="var(--back)" />
          <circle cx="5.5" cy="5.5" r="3.6" fill="var(--back-line)" />
          <circle cx="16.5" cy="16.5" r="3.6" fill="var(--back-line)" />
        </pattern>
        <pattern id="back-waves" width="36" height="18" patternUnits="userSpaceOnUse">
          <rect width="36" height="18" fill="var(--back)" />
          <path
            d="M0 18a18 18 0 0 1 36 0M6 18a12 12 0 0 1 24 0M12 18a6 6 0 0 1 12 0M-18 9a18 18 0 0 1 36 0M18 9a18 18 0 0 1 36 0"
            fill="none"
            stroke="var(--back-line)"
            strokeWidth="2"
          />
        </pattern>
        <pattern id="back-rays" width="210" height="310" patternUnits="userSpaceOnUse" x="20" y="20">
          <rect width="210" height="310" fill="var(--back)" />
          <g transform="translate(105 155)" fill="var(--back-line)">
            {Array.from({ length: 18 }, (_, i) => (
              <path key={String(i)} d="M0 0 16-210H-16Z" transform={`rotate(${i * 20})`} />
            ))}
          </g>
        </pattern>
        <pattern id="back-plain" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="24" height="24" fill="var(--back)" />
          <rect width="1.6" height="24" fill="var(--back-line)" />
        </pattern>
      </defs>
    </svg>
  );
});
