/** Explains a game to somebody who plays it for the first time. Touching the table puts it away, and plays on. */
import { lazy, Suspense, useEffect, useRef } from "react";
import type { Definition } from "../protocol/types";
import { text } from "../text/catalogue";

const HowToPlay = lazy(() => import("./HowToPlay"));

export default function HowToSheet({ game, onClose }: { game: Definition; onClose: () => void }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const outside = (event: Event) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) onClose();
    };
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    addEventListener("pointerdown", outside);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("keydown", onKey);
    };
  }, [onClose]);
  return (
    <Suspense fallback={null}>
      <aside ref={ref} className="how-to-sheet" aria-label={text.howTo.title(game.name)}>
        <h2>{text.howTo.title(game.name)}</h2>
        {/* A list that is longer than the sheet can be scrolled with keys. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus. */}
        <div role="group" aria-label={text.howTo.title(game.name)} tabIndex={0}>
          <HowToPlay game={game} />
        </div>
        <button type="button" className="button primary" onClick={onClose}>
          {text.howTo.go}
        </button>
      </aside>
    </Suspense>
  );
}
