/** Returns a copy of the list with one element moved to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken === undefined) return next;
  next.splice(Math.max(0, Math.min(next.length, to)), 0, taken);
  return next;
}

/**
 * Returns the list with an item put at an index: a new item takes its place among the others, or replaces the one that
 * is there if the list is full; an item of the list moves.
 */
export function putAt<T>(list: readonly T[], item: T, at: number, most: number): T[] {
  if (list.includes(item)) return moveItem(list, list.indexOf(item), at);
  if (list.length >= most) return list.map((other, i) => (i === at ? item : other));
  const next = [...list];
  next.splice(Math.min(at, next.length), 0, item);
  return next;
}
