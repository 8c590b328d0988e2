/**
 * Follows a pointer from a press to its release. A mouse drags after a few pixels. A finger drags after it has rested
 * for a moment, because a finger that moves at once scrolls. A press that drags makes no click.
 */
import { dragDelayMs, dragThresholdPx } from "./sizes";

interface Point {
  x: number;
  y: number;
}

export interface Drag {
  /** The drag has begun; the return value is moved with the pointer, and removed after it. */
  onStart: () => HTMLElement | null;
  onMove?: (at: Point) => void;
  onDrop: (at: Point) => void;
  /** The pointer was lost, or the press was no drag. */
  onCancel?: () => void;
}

export function followDrag(event: React.PointerEvent, drag: Drag): void {
  if (event.button !== 0) return;
  const { pointerId, clientX, clientY, pointerType } = event;
  const isFinger = pointerType === "touch";
  let ghost: HTMLElement | null = null;
  let isDragging = false;
  const start = () => {
    if (isDragging) return;
    isDragging = true;
    ghost = drag.onStart();
  };
  const timer = isFinger ? setTimeout(start, dragDelayMs) : undefined;
  const end = () => {
    clearTimeout(timer);
    ghost?.remove();
    document.removeEventListener("pointermove", onMove);
    document.removeEventListener("pointerup", onUp);
    document.removeEventListener("pointercancel", onLost);
    document.removeEventListener("touchmove", onTouchMove);
  };
  const onMove = (moved: PointerEvent) => {
    if (moved.pointerId !== pointerId) return;
    const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > dragThresholdPx;
    if (!isDragging && far && isFinger) return onLost();
    if (!isDragging && far) start();
    if (!isDragging) return;
    if (ghost) ghost.style.translate = `${moved.clientX - clientX}px ${moved.clientY - clientY}px`;
    drag.onMove?.({ x: moved.clientX, y: moved.clientY });
  };
  const onUp = (released: PointerEvent) => {
    if (released.pointerId !== pointerId) return;
    end();
    // A finger that rested and did not move has tapped.
    const hasMoved = Math.hypot(released.clientX - clientX, released.clientY - clientY) > dragThresholdPx;
    if (!isDragging || !hasMoved) return drag.onCancel?.();
    // The click of this press comes after it and would pick the card once more.
    const swallow = (click: MouseEvent) => {
      click.stopPropagation();
      click.preventDefault();
    };
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }));
    drag.onDrop({ x: released.clientX, y: released.clientY });
  };
  const onLost = () => {
    end();
    drag.onCancel?.();
  };
  const onTouchMove = (touch: TouchEvent) => {
    if (isDragging && touch.cancelable) touch.preventDefault();
  };
  document.addEventListener("pointermove", onMove);
  document.addEventListener("pointerup", onUp);
  document.addEventListener("pointercancel", onLost);
  document.addEventListener("touchmove", onTouchMove, { passive: false });
}

/** A copy of a card that lies over it and can be moved. */
export function liftCopy(element: Element | null | undefined): HTMLElement | null {
  if (!(element instanceof HTMLElement)) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  copy.classList.add("lifted-copy");
  Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  // The colours of the cloth and of the cards are set on the table's main element.
  (element.closest("main") ?? document.body).append(copy);
  return copy;
}

/** The number of the slot or place at a point, from the `data-` attribute of this name; -1 if there is none. */
export function placeAt(name: string, { x, y }: Point): number {
  const found = document.elementsFromPoint(x, y).map((element) => element.closest<HTMLElement>(`[data-${name}]`));
  const place = found.find((element) => element !== null)?.getAttribute(`data-${name}`);
  return place === null || place === undefined ? -1 : Number(place);
}
