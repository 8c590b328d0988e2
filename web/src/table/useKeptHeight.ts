/** Keeps an element as tall as it has been, so that nothing above it jumps when something in it goes away. */
import { type RefObject, useEffect } from "react";

/** Without `isKept` the element is always as tall as its content. Another width begins anew. */
export function useKeptHeight(ref: RefObject<HTMLElement | null>, isKept: boolean): void {
  useEffect(() => {
    const element = ref.current;
    if (!element || !isKept) return;
    let width = 0;
    let tallest = 0;
    let frame = 0;
    const keep = () => {
      if (element.offsetWidth !== width) {
        width = element.offsetWidth;
        tallest = 0;
        element.style.minHeight = "";
      }
      if (element.offsetHeight <= tallest) return;
      tallest = element.offsetHeight;
      element.style.minHeight = `${tallest}px`;
    };
    // The observer runs after the browser has laid out the page, so that a move never waits for a measurement. The height changes only
    // with the next frame: a change inside the observer is an error to browsers.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.style.minHeight = "";
    };
  }, [ref, isKept]);
}
