/** What lies under a mouse at the very edge of something: functions that run in the page. */

/** The lowest point in the middle of something that may be turned a little. */
export function lowerEdge(element: Element): { x: number; y: number } {
  const { left, width, bottom } = element.getBoundingClientRect();
  const x = left + width / 2;
  const reached = (y: number) => element.contains(document.elementFromPoint(x, y));
  let y = bottom;
  while (!reached(y)) y -= 0.25;
  return { x, y };
}

/** For more frames than anything takes to rise and fall. */
export async function isHoveredThroughout(element: Element): Promise<boolean> {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 45; frames++, await frame()) {
    if (!element.matches(":hover")) return false;
  }
  return true;
}
