/** Follows the size of an element. */
import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./geometry";

export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const width = element.clientWidth;
      const height = element.clientHeight;
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

/** Follows the size of the window and of one rem. */
export function useViewport(): Size & { rem: number } {
  const [viewport, setViewport] = useState(read);
  useLayoutEffect(() => {
    const update = () => setViewport(read());
    update();
    addEventListener("resize", update);
    return () => removeEventListener("resize", update);
  }, []);
  return viewport;
}

function read() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return { width: innerWidth, height: innerHeight, rem };
}
