/** What is under a mouse at the edge of an element: functions that run in the page. */

/** The lowest point of an element at half of its width. The element may be rotated a little. */
export function lowerEdge(element: Element): { x: number; y: number } {
  const { left, width, bottom } = element.getBoundingClientRect();
  const x = left + width / 2;
  const reached = (y: number) => element.contains(document.elementFromPoint(x, y));
  let y = bottom;
  while (!reached(y)) y -= 0.25;
  return { x, y };
}

/** Checks more frames than any hover animation takes. */
export async function isHoveredThroughout(element: Element): Promise<boolean> {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 45; frames++, await frame()) {
    if (!element.matches(":hover")) return false;
  }
  return true;
}
