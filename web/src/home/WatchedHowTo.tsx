/** The explanation of a game in a lobby. It counts as read when most of it was in the window. */
import { useEffect, useRef } from "react";
import type { Definition } from "../protocol/types";
import { rememberExplained } from "./choices";
import HowToPlay from "./HowToPlay";

/** How much of the explanation must have been in the window to count as read. */
const SEEN_SHARE = 0.6;

export default function WatchedHowTo({ game }: { game: Definition }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ intersectionRatio }) => intersectionRatio >= SEEN_SHARE)) rememberExplained(game);
      },
      { threshold: SEEN_SHARE },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [game]);
  return (
    <div ref={ref}>
      <HowToPlay game={game} />
    </div>
  );
}
