/**
 * Numbers that stand for a thing on the table. If the rules ask for a number from 1 to 9 and there are nine piles with
 * these numbers, or five dice for a number from 1 to 5, a person may touch the thing instead. Two numbers may stand
 * for a row and a column. The buttons and fields of the numbers stay as well. Pure.
 */
import type { AlternativeView, DecisionView, TableDefinition, View, ZoneLayout } from "../protocol/types";
import { type PlayerSelection, scalarKey, scalarOptions, type Target } from "./selection";

/** What touching a thing answers: values for parts of one alternative, by `scalarKey`. */
export interface IndexTarget {
  alternative: AlternativeView;
  scalars: Record<string, number>;
}

export type IndexTargets = Map<string, IndexTarget>;

export const indexKey = (target: Target): string =>
  target.kind === "pile" ? `pile.${target.zone}` : target.kind === "die" ? `die.${target.dice}.${target.element}` : "";

export function findIndexTargets(
  decision: DecisionView | undefined,
  table: TableDefinition | undefined,
  view: View | null,
): IndexTargets {
  const found: IndexTargets = new Map();
  if (!decision || !table || !view) return found;
  for (const alternative of decision.alternatives) {
    const numbers = alternative.parts.flatMap(({ kind }, part) => ("number" in kind ? [part] : []));
    if (!alternative.legal || numbers.length === 0 || numbers.length > 2) continue;
    for (const [key, values] of thingsFor(alternative, numbers, table, view)) {
      const isOffered = numbers.every((part, i) => optionsOf(alternative, part).includes(values[i] as number));
      if (!isOffered || found.has(key)) continue;
      const scalars = Object.fromEntries(
        numbers.map((part, i) => [scalarKey(alternative.index, part), values[i] as number]),
      );
      found.set(key, { alternative, scalars });
    }
  }
  return found;
}

export const isIndexChosen = ({ scalars }: IndexTarget, selection: PlayerSelection): boolean =>
  Object.entries(scalars).every(([key, value]) => selection.scalars[key] === value);

/** The things whose indices have the same range as the numbers, by key, if they are things of one kind only. */
function thingsFor(
  alternative: AlternativeView,
  numbers: number[],
  table: TableDefinition,
  view: View,
): [string, number[]][] {
  const ranges = numbers.map((part) => rangeOf(alternative, part));
  const families = new Map<string, [string, number[]][]>();
  table.zones.forEach((layout, zone) => {
    const isReachable = layout.owner === undefined || layout.owner === view.seat;
    if (!isReachable || view.zones[zone]?.content === "nothing") return;
    const values = placesIn(layout);
    if (values.length !== numbers.length) return;
    const family = families.get(layout.zone) ?? [];
    family.push([indexKey({ kind: "pile", zone }), values]);
    families.set(layout.zone, family);
  });
  const piles = [...families.values()].filter((family) => hasRanges(family, ranges));
  if (piles.length > 0) return piles.length === 1 ? (piles[0] ?? []) : [];
  const dice = table.dice.flatMap((layout, at) => {
    const elements = layout.elements.flatMap((index, element): [string, number[]][] => {
      const owner = layout.owners[element] ?? null;
      const values = index.filter(({ seat }) => !seat).map(({ value }) => value);
      const isReachable = owner === null || owner === view.seat;
      return isReachable && values.length === numbers.length
        ? [[indexKey({ kind: "die", dice: at, element }), values]]
        : [];
    });
    // A number with the range of the faces is a face, not a die.
    const isFace = ranges.length === 1 && ranges[0]?.[0] === layout.low && ranges[0]?.[1] === layout.high;
    return !isFace && elements.length > 1 && hasRanges(elements, ranges) ? [elements] : [];
  });
  return dice.length === 1 ? (dice[0] ?? []) : [];
}

const placesIn = (layout: ZoneLayout): number[] =>
  (layout.index ?? []).filter(({ seat, label }) => !seat && /^\d+$/.test(label)).map(({ value }) => value);

const optionsOf = (alternative: AlternativeView, part: number): number[] => {
  const kind = alternative.parts[part]?.kind;
  return kind ? scalarOptions(kind) : [];
};

function rangeOf(alternative: AlternativeView, part: number): [number, number] {
  const kind = alternative.parts[part]?.kind;
  return kind && "number" in kind ? [kind.number.low, kind.number.high] : [0, -1];
}

function hasRanges(things: [string, number[]][], ranges: [number, number][]): boolean {
  if (things.length < 2) return false;
  return ranges.every(([low, high], dimension) => {
    const values = things.map(([, index]) => index[dimension] ?? Number.NaN);
    return Math.min(...values) === low && Math.max(...values) === high;
  });
}
