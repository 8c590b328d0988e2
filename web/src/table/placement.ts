/**
 * Decides which zone is drawn where, from the zones' shapes and owners and from what the viewer sees. A rules file
 * without any presentation still gets a good table. Pure; zones are named by their index in the table's definition.
 */
import type { CardFace, TableDefinition, View, ZoneLayout } from "../protocol/types";
import type { SeatContent } from "./sizes";

export interface Placement {
  /** The viewer's own hands, large at the bottom. */
  hand: number[];
  /** The viewer's other zones, next to the hand. */
  own: number[];
  /** Zones of the other players, by seat. */
  seats: Map<number, SeatZones>;
  /** Zones in the middle whose cards lie towards the players who played them. */
  played: number[];
  /** Zones with an index, by name: each group is one grid or one list of rows. */
  grids: ZoneGroup[];
  rows: ZoneGroup[];
  slots: number[];
  piles: number[];
  /** Piles at the edge, which leave the middle free. */
  side: number[];
}

export interface SeatZones {
  /** Zones that the player holds in the hand. */
  held: number[];
  /** Zones that lie in front of the player. */
  inFront: number[];
}

export interface ZoneGroup {
  title: string;
  zones: number[];
  columns: number;
}

export function placeZones(table: TableDefinition, view: View): Placement {
  const placed: Placement = {
    hand: [],
    own: [],
    seats: new Map(),
    played: [],
    grids: [],
    rows: [],
    slots: [],
    piles: [],
    side: [],
  };
  const groups = new Map<string, ZoneGroup>();
  table.zones.forEach((layout, zone) => {
    if (view.zones[zone]?.content === "nothing") return;
    const shape = shapeOf(table, view, layout, zone);
    if (layout.owner !== undefined) {
      if (layout.owner === view.seat) {
        (shape === "fan" ? placed.hand : placed.own).push(zone);
      } else {
        const seat = placed.seats.get(layout.owner) ?? { held: [], inFront: [] };
        (shape === "fan" ? seat.held : seat.inFront).push(zone);
        placed.seats.set(layout.owner, seat);
      }
      return;
    }
    if (layout.hints?.includes("side") && !isIndexed(layout)) placed.side.push(zone);
    else if (shape === "towards") placed.played.push(zone);
    else if (shape === "slots" && !isIndexed(layout)) placed.slots.push(zone);
    else if (shape === "pile" && !isIndexed(layout)) placed.piles.push(zone);
    else {
      const group = groups.get(layout.zone);
      if (group) group.zones.push(zone);
      else {
        const newGroup = { title: layout.title, zones: [zone], columns: layout.columns ?? 0 };
        groups.set(layout.zone, newGroup);
        (shape === "grid" || shape === "pile" ? placed.grids : placed.rows).push(newGroup);
      }
    }
  });
  // Played cards need the middle, so piles lie at the side unless the rules want them in the centre.
  if (placed.played.length > 0) {
    const isCentral = (zone: number) => table.zones[zone]?.hints?.includes("centre") ?? false;
    placed.side.push(...placed.piles.filter((zone) => !isCentral(zone)));
    placed.piles = placed.piles.filter(isCentral);
  }
  for (const grid of placed.grids) grid.columns ||= Math.ceil(Math.sqrt(grid.zones.length));
  return placed;
}

/** The other seats that are in use, clockwise round the table, beginning after the viewer. */
export function orderSeats(view: View, isTaken: (seat: number) => boolean): number[] {
  const count = view.seats.length;
  const first = view.seat ?? -1;
  const order = Array.from({ length: count }, (_, i) => (first + 1 + i + count) % count);
  return order.filter((seat) => {
    const shown = view.seats[seat];
    return seat !== view.seat && !!shown && (shown.playing || shown.pending || isTaken(seat));
  });
}

/** What the seats have to show, over all players, so that all seats have the same height. */
export function seatContentOf({ zones }: TableDefinition, view: View): SeatContent {
  const isInFront = ({ owner, shape }: ZoneLayout) => owner !== undefined && shape !== "fan" && shape !== "auto";
  const inFront = zones.filter(isInFront);
  const hasHands = zones.some(({ owner, shape }) => owner !== undefined && shape === "fan");
  if (inFront.length > 0 && hasHands) {
    return inFront.some(({ shape }) => shape === "row" || shape === "slots") ? "handAndRows" : "handAndPiles";
  }
  return inFront.length > 0 || view.seats.some(({ badges }) => badges.length > 1) ? "notes" : "nameOnly";
}

/** Whether the table has cards with text. They are read, so they need room and do not overlap. */
export function hasTextCards(faces: CardFace[]): boolean {
  return faces.some((face) => face.template === "prompt" || face.template === "text");
}

/** The shape that the rules give, or one that suits what the viewer sees of the zone. */
function shapeOf(table: TableDefinition, view: View, layout: ZoneLayout, zone: number): string {
  if (layout.shape !== "auto") return layout.shape;
  if (layout.owner !== undefined) return isHeld(table, view, layout) ? "fan" : "pile";
  if (isIndexed(layout)) return "grid";
  const content = view.zones[zone]?.content;
  return content && content !== "nothing" && "cards" in content && layout.ordered ? "row" : "pile";
}

/** Cards that their owner sees and somebody else does not see are held in the hand. */
function isHeld(table: TableDefinition, view: View, layout: ZoneLayout): boolean {
  const family = table.zones.flatMap((other, zone) =>
    other.zone === layout.zone ? [{ owner: other.owner, content: view.zones[zone]?.content }] : [],
  );
  const own = family.find(({ owner }) => owner === view.seat)?.content;
  // A spectator owns no zone, so every zone with hidden cards counts as a hand.
  const ownerSees = own === undefined || (own !== "nothing" && "cards" in own);
  return (
    ownerSees && family.some(({ content }) => content !== undefined && (content === "nothing" || "count" in content))
  );
}

const hintScale = { large: 1.4, small: 0.72, normal: 1 };

/** How much larger or smaller than usual the rules want a zone. */
export function scaleOf(layout: ZoneLayout | undefined): number {
  if (layout?.hints?.includes("large")) return hintScale.large;
  return layout?.hints?.includes("small") ? hintScale.small : hintScale.normal;
}

const isIndexed = (layout: ZoneLayout) => (layout.index ?? []).some((index) => !index.seat);
