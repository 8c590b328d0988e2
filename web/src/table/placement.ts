/**
 * Which zone is drawn where, inferred from shapes, owners and what is seen: a file with no presentation at all still
 * gets a good table. Pure; positions are those of the layout.
 */
import type { CardFace, TableDefinition, View, ZoneLayout } from "../protocol/types";

export interface Placement {
  /** The viewer's own hands, large at the bottom. */
  hand: number[];
  /** What else belongs to the viewer, next to the hand. */
  mine: number[];
  /** By seat: what the others hold, and what lies before them. */
  seats: Map<number, { held: number[]; before: number[] }>;
  /** Lies in the middle. */
  towards: number[];
  /** Zones of several places, by name: each is one grid or one list of rows. */
  grids: Group[];
  rows: Group[];
  slots: number[];
  piles: number[];
  /** Piles at the edge, out of the way of what is being played. */
  side: number[];
}

export interface Group {
  title: string;
  zones: number[];
  columns: number;
}

export function placement(table: TableDefinition, view: View): Placement {
  const placed: Placement = {
    hand: [],
    mine: [],
    seats: new Map(),
    towards: [],
    grids: [],
    rows: [],
    slots: [],
    piles: [],
    side: [],
  };
  const groups = new Map<string, Group>();
  table.zones.forEach((layout, at) => {
    if (view.zones[at]?.content === "nothing") return;
    const shape = shapeOf(table, view, layout, at);
    if (layout.owner !== undefined) {
      if (layout.owner === view.seat) {
        (shape === "fan" ? placed.hand : placed.mine).push(at);
      } else {
        const seat = placed.seats.get(layout.owner) ?? { held: [], before: [] };
        (shape === "fan" ? seat.held : seat.before).push(at);
        placed.seats.set(layout.owner, seat);
      }
      return;
    }
    if (layout.hints?.includes("side") && !isIndexed(layout)) placed.side.push(at);
    else if (shape === "towards") placed.towards.push(at);
    else if (shape === "slots" && !isIndexed(layout)) placed.slots.push(at);
    else if (shape === "pile" && !isIndexed(layout)) placed.piles.push(at);
    else {
      const group = groups.get(layout.zone);
      if (group) group.zones.push(at);
      else {
        const made = { title: layout.title, zones: [at], columns: layout.columns ?? 0 };
        groups.set(layout.zone, made);
        (shape === "grid" || shape === "pile" ? placed.grids : placed.rows).push(made);
      }
    }
  });
  // What is played towards its player needs the middle: then piles lie at the side, unless the rules say otherwise.
  if (placed.towards.length > 0) {
    const central = (at: number) => table.zones[at]?.hints?.includes("centre") ?? false;
    placed.side.push(...placed.piles.filter((at) => !central(at)));
    placed.piles = placed.piles.filter(central);
  }
  for (const grid of placed.grids) grid.columns ||= Math.ceil(Math.sqrt(grid.zones.length));
  return placed;
}

/** Seats in the order in which they sit round the table: clockwise, beginning after the viewer. */
export function seatsAround(view: View, taken: (seat: number) => boolean): number[] {
  const count = view.seats.length;
  const first = view.seat ?? -1;
  const order = Array.from({ length: count }, (_, i) => (first + 1 + i + count) % count);
  return order.filter((seat) => {
    const shown = view.seats[seat];
    return seat !== view.seat && !!shown && (shown.playing || shown.pending || taken(seat));
  });
}

/** Whether this table is about cards that are read, which need room rather than overlap. */
export function isReadingTable(faces: CardFace[]): boolean {
  return faces.some((face) => face.template === "prompt" || face.template === "text");
}

/** The shape the rules give, or the one that suits what is seen of the zone. */
function shapeOf(table: TableDefinition, view: View, layout: ZoneLayout, at: number): string {
  if (layout.shape !== "auto") return layout.shape;
  if (layout.owner !== undefined) return isHeld(table, view, layout) ? "fan" : "pile";
  if (isIndexed(layout)) return "grid";
  const content = view.zones[at]?.content;
  return content && content !== "nothing" && "cards" in content && layout.ordered ? "row" : "pile";
}

/** Cards that their owner sees and somebody else does not are held in the hand. */
function isHeld(table: TableDefinition, view: View, layout: ZoneLayout): boolean {
  const family = table.zones.flatMap((other, at) =>
    other.zone === layout.zone ? [{ owner: other.owner, content: view.zones[at]?.content }] : [],
  );
  const own = family.find(({ owner }) => owner === view.seat)?.content;
  // A spectator sees nobody's cards and takes every hidden hand for one.
  const ownerSees = own === undefined || (own !== "nothing" && "cards" in own);
  return (
    ownerSees && family.some(({ content }) => content !== undefined && (content === "nothing" || "count" in content))
  );
}

/** How much larger or smaller than usual the rules want a zone. */
export function scaleOf(layout: ZoneLayout | undefined): number {
  if (layout?.hints?.includes("large")) return 1.4;
  return layout?.hints?.includes("small") ? 0.72 : 1;
}

const isIndexed = (layout: ZoneLayout) => (layout.index ?? []).some((index) => !index.seat);
