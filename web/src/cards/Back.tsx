/** The back of a card: a pattern in a frame, with the emblem on a medallion. */
import { faceViewBox } from "./faceSizes";

export interface BackTheme {
  back: string;
  emblem: string;
}

const PATTERNS = ["weave", "dots", "waves", "rays", "plain"];

export function Back({ theme, detailed }: { theme: BackTheme; detailed: boolean }) {
  const pattern = PATTERNS.includes(theme.back) ? theme.back : "plain";
  return (
    <svg className="card-art" viewBox={faceViewBox} aria-hidden="true">
      <rect x="16" y="16" width="218" height="318" rx="14" fill={`url(#back-${pattern})`} />
      <rect x="16" y="16" width="218" height="318" rx="14" fill="none" stroke="var(--back-edge)" strokeWidth="3" />
      {detailed && (
        <>
          <rect x="28" y="28" width="194" height="294" rx="8" fill="none" stroke="var(--back-edge)" strokeWidth="2.5" />
          <circle cx="125" cy="175" r="50" fill="var(--back)" stroke="var(--back-edge)" strokeWidth="3" />
          <circle cx="125" cy="175" r="43" fill="none" stroke="var(--back-edge)" strokeWidth="1.5" />
          <text x="125" y="195" textAnchor="middle" fontSize="58" className="card-emblem">
            {theme.emblem}
          </text>
        </>
      )}
    </svg>
  );
}
