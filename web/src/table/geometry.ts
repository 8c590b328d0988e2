/**
 * Computes where things lie: pure functions from counts and sizes to places, in pixels. Nothing here knows what is
 * drawn; the components put things where these functions say.
 */

import {
  cardRatio,
  fanDrop,
  fanTilt,
  farSideShare,
  firstSeatUpright,
  firstSeatWide,
  flatUpTo,
  gridGap,
  gridHeightShare,
  handCardShareOfHeight,
  handCardShareOfWidth,
  handSpacing,
  maxHandCardRem,
  maxSag,
  maxTilt,
  minAreaBelowSeats,
  minHandCardPx,
  minHeightBelowSeats,
  minRowScale,
  moreRowsGain,
  outlinePoints,
  pilesAboveGrid,
  pilesBesideGrid,
  playedColumnGap,
  playedColumns,
  playedTilt,
  rankCorner,
  ringSquarenessUpright,
  ringSquarenessWide,
  rowScaleStep,
  sagPerCard,
  totalTilt,
  uprightBelow,
} from "./sizes";

export interface Position {
  x: number;
  y: number;
  /** The rotation, in degrees. */
  angle: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  left: number;
  top: number;
}

export const cardSize = (width: number): Size => ({ width, height: width * cardRatio });

export interface HandLayout {
  /** Top left corner and rotation of each card, in pixels from the corner of the hand. */
  places: Position[];
  height: number;
  rows: number;
}

export interface HandConstraints {
  count: number;
  width: number;
  card: Size;
  /** The width of each card that must stay visible, so that it can be tapped. */
  strip: number;
  /** The height of a row that must stay visible under the next row. */
  rowStrip: number;
  /** Space above for a card that is lifted. */
  lift: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Lays out a hand: one slightly curved row while the strips are wide enough, then several straight rows. */
export function layOutHand({ count, width, card, strip, rowStrip, lift }: HandConstraints): HandLayout {
  // An empty hand, and a hand that is not measured yet, keep the height of one row, so that the table does not jump.
  if (count === 0 || width <= 0) return { places: [], height: card.height + lift, rows: 0 };
  const perRow = Math.max(1, Math.floor((width - card.width) / strip) + 1);
  const rows = Math.ceil(count / perRow);
  const maxSpacing = card.width * handSpacing;
  const places: Position[] = [];
  let placed = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = Math.ceil((count - placed) / (rows - row));
    const isCurved = rows === 1 && inRow > flatUpTo;
    const tilt = isCurved ? Math.min(maxTilt, totalTilt / inRow) : 0;
    const lastAngle = ((inRow - 1) / 2) * tilt;
    // A tilted card is wider than an upright one, so the row leaves room at its ends.
    const overhang = isCurved ? (card.height / 2) * Math.sin(radians(lastAngle)) : 0;
    const available = Math.max(card.width, width - 2 * overhang);
    const spacing = inRow > 1 ? Math.min(maxSpacing, (available - card.width) / (inRow - 1)) : 0;
    const start = (width - (card.width + spacing * (inRow - 1))) / 2;
    const sag = isCurved ? Math.min(card.height * maxSag, inRow * card.height * sagPerCard) : 0;
    for (let i = 0; i < inRow; i++) {
      // From -1 at the left end to 1 at the right end.
      const along = inRow > 1 ? (2 * i) / (inRow - 1) - 1 : 0;
      places.push({
        x: start + spacing * i,
        y: lift + row * rowStrip + sag * along * along,
        angle: tilt * (i - (inRow - 1) / 2),
      });
    }
    placed += inRow;
  }
  // The outer corner of a tilted card hangs lower than the card itself.
  const lowest = places.reduce((low, { y, angle }) => {
    const tilt = radians(Math.abs(angle));
    return Math.max(low, y + (card.height * (1 + Math.cos(tilt)) + card.width * Math.sin(tilt)) / 2);
  }, 0);
  return { places, height: lowest, rows };
}

/** The index of the card whose centre is nearest to a point; 0 if there is none. */
export function nearestPlace(places: Position[], at: { x: number; y: number }, card: Size): number {
  const distances = places.map(({ x, y }) => Math.hypot(x + card.width / 2 - at.x, y + card.height / 2 - at.y));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}

/** The width of a hand's cards: as large as the window allows, but small enough to leave room for the table. */
export function handCardWidth(viewport: Size, rem: number, scale: number): number {
  const byWidth = viewport.width * handCardShareOfWidth;
  const byHeight = viewport.height * handCardShareOfHeight;
  const most = maxHandCardRem * rem;
  return Math.round(Math.max(minHandCardPx, Math.min(byWidth, byHeight, most)) * scale);
}

/**
 * Places the other players round the table in playing order: clockwise from the left of the viewer, who sits at the
 * bottom centre. They are spread evenly along a rounded rectangle; `onFarSide` moves them together at the far side, so
 * that the middle has the whole width.
 */
export function placeSeats(others: number, area: Size, seat: Size, onFarSide = false): Position[] {
  const rx = Math.max(0, (area.width - seat.width) / 2);
  const ry = Math.max(0, (area.height - seat.height) / 2);
  const centre = { x: area.width / 2, y: area.height / 2 };
  const isUpright = area.width < area.height * uprightBelow;
  if (onFarSide) return placeOnFarSide(others, area, seat);
  const path = traceOutline(rx, ry, isUpright ? ringSquarenessUpright : ringSquarenessWide);
  const firstShare = isUpright ? firstSeatUpright : firstSeatWide;
  const first = others === 1 ? 0.5 : Math.max(1 / (others + 1), firstShare);
  return Array.from({ length: others }, (_, i) => {
    const along = others === 1 ? 0.5 : first + (i * (1 - 2 * first)) / (others - 1);
    const point = pointAlong(path, along);
    return { x: centre.x + point.x, y: centre.y + point.y, angle: 0 };
  });
}

/**
 * A row at the far side, with columns down from its ends if the row is full. With `spread` the columns reach to the
 * near side, so that many seats surround the played cards without covering each other.
 */
export function placeOnFarSide(others: number, area: Size, seat: Size, spread = false): Position[] {
  const inRow = Math.min(others, Math.max(2, Math.floor(area.width / seat.width)));
  const left = Math.ceil((others - inRow) / 2);
  const right = others - inRow - left;
  const pitch = spread ? Math.max(seat.height, (area.height - seat.height) / Math.max(1, left)) : seat.height;
  const column = (x: number, row: number): Position => ({ x, y: seat.height / 2 + pitch * row, angle: 0 });
  return [
    ...Array.from({ length: left }, (_, i) => column(seat.width / 2, left - i)),
    ...Array.from({ length: inRow }, (_, i) => column(area.width * ((i + 0.5) / inRow), 0)),
    ...Array.from({ length: right }, (_, i) => column(area.width - seat.width / 2, i + 1)),
  ];
}

/** Places a card on an ellipse round the centre, in the direction of the player who played it. */
export function placeTowards(player: { x: number; y: number }, area: Size, reach: Size): Position {
  const dx = player.x - area.width / 2;
  const dy = player.y - area.height / 2;
  // The direction is measured on the ellipse of the table, so that neighbours on a wide table stay apart.
  const angle = Math.atan2(dy / Math.max(1, area.height), dx / Math.max(1, area.width));
  const x = area.width / 2 + Math.cos(angle) * reach.width;
  const y = area.height / 2 + Math.sin(angle) * reach.height;
  return { x, y, angle: Math.cos(angle) * playedTilt * Math.sign(Math.sin(angle) || 1) * -1 };
}

/**
 * Moves overlapping cards down, starting with the upper ones, if there is room below. So a few cards in a narrow middle
 * are all seen whole. Takes and returns the centres of the cards.
 */
export function separateCards(centres: Position[], card: Size, bottom: number): Position[] {
  const placed: Position[] = [];
  const order = centres.map((_, i) => i).sort((a, b) => (centres[a]?.y ?? 0) - (centres[b]?.y ?? 0));
  for (const i of order) {
    const { x, y, angle } = centres[i] as Position;
    let lower = y;
    for (const other of placed) {
      if (other && Math.abs(other.x - x) < card.width && Math.abs(other.y - lower) < card.height) {
        lower = other.y + card.height;
      }
    }
    placed[i] = { x, y: lower + card.height / 2 > bottom ? y : lower, angle };
  }
  return placed;
}

/** Whether the corner of some card, where its rank is, lies under a later card. Takes the centres in drawing order. */
export function coversRanks(centres: Position[], card: Size): boolean {
  return centres.some((below, i) =>
    centres.slice(i + 1).some((above) => {
      const right = below.x - card.width / 2 + card.width * rankCorner.width;
      const bottom = below.y - card.height / 2 + card.height * rankCorner.height;
      return (
        above.x - card.width / 2 < right &&
        above.x + card.width / 2 > below.x - card.width / 2 &&
        above.y - card.height / 2 < bottom &&
        above.y + card.height / 2 > below.y - card.height / 2
      );
    }),
  );
}

/**
 * Arranges cards in three columns: cards from the left, from the far side and the viewer, and from the right. In a
 * column they keep their order from top to bottom. If the column is too low, each covers the lower part of the one
 * above it, so the caller draws lower cards later. Takes and returns centres.
 */
export function arrangeInColumns(centres: Position[], card: Size, space: Rect): Position[] {
  const middle = space.left + space.width / 2;
  const pitch = Math.min(card.width * (1 + playedColumnGap), (space.width - card.width) / (playedColumns - 1));
  const columnOf = ({ x }: Position) => (Math.abs(x - middle) < card.width / 4 ? 0 : Math.sign(x - middle));
  const placed: Position[] = [];
  for (const column of [-1, 0, 1]) {
    const members = centres.flatMap((place, i) => (columnOf(place) === column ? [i] : []));
    members.sort((a, b) => (centres[a]?.y ?? 0) - (centres[b]?.y ?? 0));
    const whole = card.height * (1 + playedColumnGap);
    const free = Math.max(0, space.height - card.height);
    const step = members.length > 1 ? Math.min(whole, free / (members.length - 1)) : 0;
    const first = space.top + space.height / 2 - (step * (members.length - 1)) / 2;
    members.forEach((i, row) => {
      placed[i] = { x: middle + column * pitch, y: first + row * step, angle: 0 };
    });
  }
  return placed;
}

/** Offsets that make cards lie as a small fan around one place. `step` is a share of the card's width. */
export function fanOffsets(count: number, card: Size, step: number): Position[] {
  const spacing = card.width * step;
  return Array.from({ length: count }, (_, i) => {
    const along = i - (count - 1) / 2;
    return {
      x: along * spacing,
      y: Math.abs(along) * card.height * fanDrop,
      angle: along * fanTilt,
    };
  });
}

interface OutlinePoint {
  x: number;
  y: number;
  /** Length of the outline from its start to this point. */
  length: number;
}

/** Traces a rounded rectangle clockwise from the bottom centre. */
function traceOutline(rx: number, ry: number, squareness: number): OutlinePoint[] {
  const points: OutlinePoint[] = [];
  let length = 0;
  for (let i = 0; i <= outlinePoints; i++) {
    const angle = Math.PI / 2 + (i / outlinePoints) * 2 * Math.PI;
    const curve = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / squareness);
    const point = { x: rx * curve(Math.cos(angle)), y: ry * curve(Math.sin(angle)) };
    const before = points[points.length - 1];
    if (before) length += Math.hypot(point.x - before.x, point.y - before.y);
    points.push({ ...point, length });
  }
  return points;
}

/** The point at a share of the outline's length. */
function pointAlong(path: OutlinePoint[], share: number): { x: number; y: number } {
  const last = path[path.length - 1];
  if (!last) return { x: 0, y: 0 };
  const wanted = share * last.length;
  const next = path.findIndex((point) => point.length >= wanted);
  const b = path[next] ?? last;
  const a = path[next - 1] ?? b;
  const part = b.length > a.length ? (wanted - a.length) / (b.length - a.length) : 0;
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

/** The lower edge of the seats at the far side; 0 if there are none. */
export function topSeatsBottom(places: Position[], seat: Size, area: Size): number {
  const bottoms = places.flatMap(({ y }) =>
    y - seat.height / 2 < area.height * farSideShare ? [y + seat.height / 2] : [],
  );
  return Math.max(0, ...bottoms);
}

/** The largest free rectangle inside a ring of seats: between the seats at the sides, or below all seats. */
export function findFreeRect(places: Position[], seat: Size, area: Size, gap: number): Rect {
  const between = betweenSides(places, seat, area, gap);
  const lowest = places.reduce((low, { y }) => Math.max(low, y + seat.height / 2 + gap), gap);
  const below = {
    left: gap,
    top: lowest,
    width: area.width - 2 * gap,
    height: Math.max(0, area.height - gap - lowest),
  };
  const isTallEnough = below.height > area.height * minHeightBelowSeats;
  const isLarger = below.width * below.height > between.width * between.height * minAreaBelowSeats;
  return isTallEnough && isLarger ? below : between;
}

function betweenSides(places: Position[], seat: Size, area: Size, gap: number): Rect {
  const top = topSeatsBottom(places, seat, area) + gap;
  let left = gap;
  let right = area.width - gap;
  for (const { x, y } of places) {
    if (y + seat.height / 2 <= top) continue;
    if (x < area.width / 2) left = Math.max(left, x + seat.width / 2 + gap);
    else right = Math.min(right, x - seat.width / 2 - gap);
  }
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, area.height - gap - top) };
}

/** The largest dice that fit into a space in even rows, and how many lie in a row; `gap` is a share of a die. */
export function fitDice(count: number, space: Size, most: number, gap: number): { size: number; columns: number } {
  let best = { size: 0, columns: Math.max(1, count) };
  for (let rows = 1; rows <= Math.max(1, count); rows++) {
    const columns = Math.ceil(count / rows);
    const across = space.width / (columns + (columns + 1) * gap);
    const down = space.height / (rows + (rows + 1) * gap);
    const size = Math.floor(Math.min(most, across, down));
    if (size > best.size * moreRowsGain) best = { size, columns };
  }
  return best;
}

/** The scale at which things of these widths and one height fit into a space in rows, `gap` apart. */
export function fitRows(widths: number[], height: number, space: Size, gap: number): number {
  for (let scale = 1; scale > minRowScale; scale -= rowScaleStep) {
    let rows = 1;
    let along = 0;
    for (const width of widths) {
      if (along > 0 && along + (width + gap) * scale > space.width) {
        rows += 1;
        along = 0;
      }
      along += (width + gap) * scale;
    }
    if (rows * (height + gap) * scale <= space.height) return scale;
  }
  return minRowScale;
}

/** The number of columns with which a grid of so many cells has the largest cards; the fewest of equally good ones. */
export function bestColumns(cells: number, cardFor: (columns: number, rows: number) => number): number {
  let best = { columns: 1, card: 0 };
  for (let columns = 1; columns <= cells; columns++) {
    const card = cardFor(columns, Math.ceil(cells / columns));
    if (card > best.card) best = { columns, card };
  }
  return best.columns;
}

/** The largest card with which a grid fits into a space together with the piles beside or above it. */
export function fitGrid(
  columns: number,
  rows: number,
  piles: number,
  space: Size,
  most: number,
): { width: number; beside: boolean } {
  const withGaps = (n: number) => n + (n - 1) * gridGap;
  const cardFor = (across: number, down: number) =>
    Math.min(space.width / withGaps(across), (space.height * gridHeightShare) / (withGaps(down) * cardRatio));
  const beside = cardFor(columns + (piles > 0 ? pilesBesideGrid : 0), rows);
  const above = cardFor(Math.max(columns, piles), rows + (piles > 0 ? pilesAboveGrid : 0));
  return { width: Math.floor(Math.min(most, Math.max(beside, above))), beside: beside >= above };
}
