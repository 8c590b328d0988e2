/**
 * Decides which zone is drawn where, from the zones' shapes and owners and from what the viewer sees. A rules file
 * without any presentation still gets a good table. Pure; zones are named by their index in the table's definition.
 */
import type { CardFace, IndexValue, TableDefinition, View, ZoneLayout } from "../protocol/types";
import { visibleCards } from "../state/content";
import type { SeatContent } from "./sizes";

export interface Placement {
  /** The viewer's own hands, large at the bottom. */
  hand: number[];
  /** Piles of the viewer, next to the name. */
  own: number[];
  /** Rows and grids of the viewer, which lie above the hand. */
  before: ZoneGroup[];
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
  /** Piles in front of the player. */
  inFront: number[];
  /** Rows and grids in front of the player. */
  before: ZoneGroup[];
}

export interface ZoneGroup {
  /** The name of the zone in the rules; no two groups of one owner share it. */
  id: string;
  title: string;
  zones: number[];
  /** 0 if the rules say nothing, so that the drawing decides. */
  columns: number;
  /** The index of the first row, if the group has two indices. */
  firstRow?: number | undefined;
}

export function placeZones(table: TableDefinition, view: View): Placement {
  const placed: Placement = {
    hand: [],
    own: [],
    before: [],
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
      const isOwn = layout.owner === view.seat;
      const seat = placed.seats.get(layout.owner) ?? { held: [], inFront: [], before: [] };
      if (!isOwn) placed.seats.set(layout.owner, seat);
      if (shape === "row" || shape === "slots" || isIndexed(layout)) {
        addToGroup(isOwn ? placed.before : seat.before, layout, zone);
      } else if (shape === "fan") (isOwn ? placed.hand : seat.held).push(zone);
      else (isOwn ? placed.own : seat.inFront).push(zone);
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
        const newGroup = { id: layout.zone, title: layout.title, zones: [zone], columns: layout.columns ?? 0 };
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
  return placed;
}

/** Adds a zone to the group of its name. Of two indices the first counts the rows and the second the columns. */
function addToGroup(groups: ZoneGroup[], layout: ZoneLayout, zone: number): void {
  const group = groups.find(({ id }) => id === layout.zone);
  const [row] = placesOf(layout);
  if (!group) groups.push({ id: layout.zone, title: layout.title, zones: [zone], columns: 1, firstRow: row?.value });
  else {
    group.zones.push(zone);
    if (placesOf(layout).length < 2 || row?.value === group.firstRow) group.columns += 1;
  }
}

/** How many rows these groups have, one below the other. */
export const countRows = (groups: ZoneGroup[]): number =>
  groups.reduce((sum, { zones, columns }) => sum + Math.ceil(zones.length / Math.max(1, columns)), 0);

/**
 * The other seats that are in use, clockwise round the table, beginning after the viewer. If the rules number the
 * places of the players, the seats move with these numbers.
 */
export function orderSeats(view: View, isTaken: (seat: number) => boolean, table?: TableDefinition): number[] {
  const count = view.seats.length;
  const around = seatsByPlace(view, table) ?? Array.from({ length: count }, (_, i) => i);
  const first = view.seat === undefined ? -1 : around.indexOf(view.seat);
  const order = Array.from({ length: count }, (_, i) => around[(first + 1 + i + count) % count] ?? 0);
  return order.filter((seat) => {
    const shown = view.seats[seat];
    return seat !== view.seat && !!shown && (shown.playing || shown.pending || isTaken(seat));
  });
}

/** The state variable that tells where players sit: `place[player]`, a number that no two players share. */
const PLACE = "place";

function seatsByPlace(view: View, table: TableDefinition | undefined): number[] | null {
  const at = table?.values.findIndex(({ id, kind, sealed }) => id === PLACE && kind === "number" && !sealed) ?? -1;
  const layout = table?.values[at];
  if (!layout?.elements.every((index) => index.length === 1 && index[0]?.seat)) return null;
  const places = new Map(
    layout.elements.map(([index], element) => [index?.value ?? 0, view.values[at]?.values[element] ?? null]),
  );
  const playing = view.seats.flatMap(({ playing }, seat) => (playing ? [seat] : []));
  const taken = playing.map((seat) => places.get(seat));
  if (taken.some((place) => place === null || place === undefined) || new Set(taken).size < taken.length) return null;
  const isPlaying = (seat: number) => Number(playing.includes(seat));
  return view.seats
    .map((_, seat) => seat)
    .sort((a, b) => isPlaying(b) - isPlaying(a) || (places.get(a) ?? 0) - (places.get(b) ?? 0) || a - b);
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
  if (layout.owner !== undefined) {
    if (isHeld(table, view, layout)) return "fan";
    return isAskedAbout(view, zone) ? "row" : "pile";
  }
  if (isIndexed(layout)) return "grid";
  const content = view.zones[zone]?.content;
  return content && content !== "nothing" && "cards" in content && layout.ordered ? "row" : "pile";
}

/** Whether the viewer may pick a card of the zone: then each of its cards must be in sight. */
function isAskedAbout({ decision, zones }: View, zone: number): boolean {
  const handles = new Set(visibleCards(zones[zone]?.content).map(({ handle }) => handle));
  if (handles.size < 2) return false;
  return !!decision?.alternatives.some(({ parts }) =>
    parts.some(({ kind }) => {
      if ("card" in kind) return kind.card.options.some((handle) => handles.has(handle));
      if ("cards" in kind) return kind.cards.options.some((handle) => handles.has(handle));
      return "sets" in kind && kind.sets.options.some((set) => set.some((handle) => handles.has(handle)));
    }),
  );
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

/** The indices of a zone apart from that of its owner. */
export const placesOf = (layout: ZoneLayout): IndexValue[] => (layout.index ?? []).filter(({ seat }) => !seat);

/** Numbers say nothing that the place in a row or grid does not say; suits and other words do. */
export const hasOnlyNumbers = (layout: ZoneLayout | undefined): boolean =>
  !!layout && placesOf(layout).every(({ label }) => /^\d+$/.test(label));

const isIndexed = (layout: ZoneLayout) => placesOf(layout).length > 0;
