/** Returns a copy of the list with one element moved to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken === undefined) return next;
  next.splice(Math.max(0, Math.min(next.length, to)), 0, taken);
  return next;
}
