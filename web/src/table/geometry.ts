/**
 * Computes where things lie: pure functions from counts and sizes to places, in pixels. Nothing here knows what is
 * drawn; the components put things where these functions say.
 */

export interface Place {
  x: number;
  y: number;
  /** Degrees. */
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

/** The height of a card as a multiple of its width. */
const CARD_RATIO = 1.4;

export const cardSize = (width: number): Size => ({ width, height: width * CARD_RATIO });

export interface HandLayout {
  /** Top left corner of each card. */
  places: Place[];
  height: number;
  rows: number;
  /** Distance from one card to the next in a row: the strip of each card that can be tapped. */
  spacing: number;
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

/** The distance between two cards of a hand if there is enough width, as a share of a card's width. */
const HAND_SPACING = 0.72;
/** A row of at most so many cards is not curved. */
const FLAT_UP_TO = 2;
/** The tilt from one card to the next, in degrees: less if there are many. */
const MAX_TILT = 2.4;
const TOTAL_TILT = 22;
/** How far the outer cards hang below the middle ones, as a share of a card's height. */
const MAX_SAG = 0.14;
const SAG_PER_CARD = 0.012;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Lays out a hand: one slightly curved row while the strips are wide enough, then several straight rows. */
export function layOutHand({ count, width, card, strip, rowStrip, lift }: HandConstraints): HandLayout {
  // An empty hand, and a hand that is not measured yet, keep the height of one row, so that the table does not jump.
  if (count === 0 || width <= 0) return { places: [], height: card.height + lift, rows: 0, spacing: 0 };
  const perRow = Math.max(1, Math.floor((width - card.width) / strip) + 1);
  const rows = Math.ceil(count / perRow);
  const maxSpacing = card.width * HAND_SPACING;
  const places: Place[] = [];
  let leastSpacing = maxSpacing;
  let placed = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = Math.ceil((count - placed) / (rows - row));
    const isCurved = rows === 1 && inRow > FLAT_UP_TO;
    const tilt = isCurved ? Math.min(MAX_TILT, TOTAL_TILT / inRow) : 0;
    const lastAngle = ((inRow - 1) / 2) * tilt;
    // A tilted card is wider than an upright one, so the row leaves room at its ends.
    const overhang = isCurved ? (card.height / 2) * Math.sin(radians(lastAngle)) : 0;
    const available = Math.max(card.width, width - 2 * overhang);
    const spacing = inRow > 1 ? Math.min(maxSpacing, (available - card.width) / (inRow - 1)) : 0;
    if (inRow > 1) leastSpacing = Math.min(leastSpacing, spacing);
    const start = (width - (card.width + spacing * (inRow - 1))) / 2;
    const sag = isCurved ? Math.min(card.height * MAX_SAG, inRow * card.height * SAG_PER_CARD) : 0;
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
  return { places, height: lowest, rows, spacing: leastSpacing };
}

/** Bounds on the width of a hand's cards: shares of the window, pixels, and rem. */
const HAND_CARD_SHARE_OF_WIDTH = 0.18;
const HAND_CARD_SHARE_OF_HEIGHT = 0.138;
const MIN_HAND_CARD_PX = 46;
const MAX_HAND_CARD_REM = 7.6;

/** The width of a hand's cards: as large as the window allows, but small enough to leave room for the table. */
export function handCardWidth(viewport: Size, rem: number, scale: number): number {
  const byWidth = viewport.width * HAND_CARD_SHARE_OF_WIDTH;
  const byHeight = viewport.height * HAND_CARD_SHARE_OF_HEIGHT;
  const most = MAX_HAND_CARD_REM * rem;
  return Math.round(Math.max(MIN_HAND_CARD_PX, Math.min(byWidth, byHeight, most)) * scale);
}

/** The ring of seats: squarer on an upright screen, so that it uses the corners. `first` is a share of the outline. */
const seatRing = {
  uprightBelow: 1.15,
  squareness: { upright: 4.5, wide: 3 },
  first: { upright: 0.16, wide: 0.19 },
};

/**
 * Places the other players round the table in playing order: clockwise from the left of the viewer, who sits at the
 * bottom centre. They are spread evenly along a rounded rectangle. On an upright screen `onFarSide` moves them together
 * at the far side, so that the middle has the whole width.
 */
export function placeSeats(others: number, area: Size, seat: Size, onFarSide = false): Place[] {
  const rx = Math.max(0, (area.width - seat.width) / 2);
  const ry = Math.max(0, (area.height - seat.height) / 2);
  const centre = { x: area.width / 2, y: area.height / 2 };
  const screen = area.width < area.height * seatRing.uprightBelow ? "upright" : "wide";
  if (onFarSide && screen === "upright") return placeOnFarSide(others, area, seat);
  const path = traceOutline(rx, ry, seatRing.squareness[screen]);
  const first = others === 1 ? 0.5 : Math.max(1 / (others + 1), seatRing.first[screen]);
  return Array.from({ length: others }, (_, i) => {
    const along = others === 1 ? 0.5 : first + (i * (1 - 2 * first)) / (others - 1);
    const point = pointAlong(path, along);
    return { x: centre.x + point.x, y: centre.y + point.y, angle: 0 };
  });
}

/** A row at the far side, with columns down from its ends if the row is full. */
function placeOnFarSide(others: number, area: Size, seat: Size): Place[] {
  const inRow = Math.min(others, Math.max(2, Math.floor(area.width / seat.width)));
  const left = Math.ceil((others - inRow) / 2);
  const right = others - inRow - left;
  const column = (x: number, row: number): Place => ({ x, y: seat.height * (row + 0.5), angle: 0 });
  return [
    ...Array.from({ length: left }, (_, i) => column(seat.width / 2, left - i)),
    ...Array.from({ length: inRow }, (_, i) => column(area.width * ((i + 0.5) / inRow), 0)),
    ...Array.from({ length: right }, (_, i) => column(area.width - seat.width / 2, i + 1)),
  ];
}

/** The angle of a played card at the left or right end of the table, in degrees. */
const PLAYED_TILT = 8;

/** Places a card on an ellipse round the centre, in the direction of the player who played it. */
export function placeTowards(player: { x: number; y: number }, area: Size, reach: Size): Place {
  const dx = player.x - area.width / 2;
  const dy = player.y - area.height / 2;
  // The direction is measured on the ellipse of the table, so that neighbours on a wide table stay apart.
  const angle = Math.atan2(dy / Math.max(1, area.height), dx / Math.max(1, area.width));
  const x = area.width / 2 + Math.cos(angle) * reach.width;
  const y = area.height / 2 + Math.sin(angle) * reach.height;
  return { x, y, angle: Math.cos(angle) * PLAYED_TILT * Math.sign(Math.sin(angle) || 1) * -1 };
}

/**
 * Moves overlapping cards down, starting with the upper ones, if there is room below. So a few cards in a narrow middle
 * are all seen whole. Takes and returns the centres of the cards.
 */
export function separateCards(centres: Place[], card: Size, bottom: number): Place[] {
  const placed: Place[] = [];
  const order = centres.map((_, i) => i).sort((a, b) => (centres[a]?.y ?? 0) - (centres[b]?.y ?? 0));
  for (const i of order) {
    const { x, y, angle } = centres[i] as Place;
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

/** Each card of a small fan lies lower than the next one inwards, by this share of its height, and is tilted more. */
const FAN_DROP = 0.02;
const FAN_TILT = 3;

/** Offsets that make cards lie as a small fan around one place. `step` is a share of the card's width. */
export function fanOffsets(count: number, card: Size, step: number): Place[] {
  const spacing = card.width * step;
  return Array.from({ length: count }, (_, i) => {
    const along = i - (count - 1) / 2;
    return {
      x: along * spacing,
      y: Math.abs(along) * card.height * FAN_DROP,
      angle: along * FAN_TILT,
    };
  });
}

interface OutlinePoint {
  x: number;
  y: number;
  /** Length of the outline from its start to this point. */
  length: number;
}

const OUTLINE_POINTS = 240;

/** Traces a rounded rectangle clockwise from the bottom centre. */
function traceOutline(rx: number, ry: number, squareness: number): OutlinePoint[] {
  const points: OutlinePoint[] = [];
  let length = 0;
  for (let i = 0; i <= OUTLINE_POINTS; i++) {
    const angle = Math.PI / 2 + (i / OUTLINE_POINTS) * 2 * Math.PI;
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

/** A seat that begins in this upper share of the area is at the far side. */
const FAR_SIDE_SHARE = 0.12;

/** The lower edge of the seats at the far side; 0 if there are none. */
export function topSeatsBottom(places: Place[], seat: Size, area: Size): number {
  const bottoms = places.flatMap(({ y }) =>
    y - seat.height / 2 < area.height * FAR_SIDE_SHARE ? [y + seat.height / 2] : [],
  );
  return Math.max(0, ...bottoms);
}

/** The space below all seats is used if it is this tall, and at least this large compared with the space between them. */
const MIN_HEIGHT_BELOW_SEATS = 0.4;
const MIN_AREA_BELOW_SEATS = 0.9;

/** The largest free rectangle inside a ring of seats: between the seats at the sides, or below all seats. */
export function findFreeRect(places: Place[], seat: Size, area: Size, gap: number): Rect {
  const between = betweenSides(places, seat, area, gap);
  const lowest = places.reduce((low, { y }) => Math.max(low, y + seat.height / 2 + gap), gap);
  const below = {
    left: gap,
    top: lowest,
    width: area.width - 2 * gap,
    height: Math.max(0, area.height - gap - lowest),
  };
  const isTallEnough = below.height > area.height * MIN_HEIGHT_BELOW_SEATS;
  const isLarger = below.width * below.height > between.width * between.height * MIN_AREA_BELOW_SEATS;
  return isTallEnough && isLarger ? below : between;
}

function betweenSides(places: Place[], seat: Size, area: Size, gap: number): Rect {
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

/** Dice must become this much larger before they take another row. */
const MORE_ROWS_GAIN = 1.15;

/** The largest dice that fit into a space in even rows, and how many lie in a row; `gap` is a share of a die. */
export function fitDice(count: number, space: Size, most: number, gap: number): { size: number; columns: number } {
  let best = { size: 0, columns: Math.max(1, count) };
  for (let rows = 1; rows <= Math.max(1, count); rows++) {
    const columns = Math.ceil(count / rows);
    const across = space.width / (columns + (columns + 1) * gap);
    const down = space.height / (rows + (rows + 1) * gap);
    const size = Math.floor(Math.min(most, across, down));
    if (size > best.size * MORE_ROWS_GAIN) best = { size, columns };
  }
  return best;
}

/** Below half of their size, cards could not be told apart. */
const MIN_ROW_SCALE = 0.5;
const ROW_SCALE_STEP = 0.05;

/** The scale at which things of these widths and one height fit into a space in rows, `gap` apart. */
export function fitRows(widths: number[], height: number, space: Size, gap: number): number {
  for (let scale = 1; scale > MIN_ROW_SCALE; scale -= ROW_SCALE_STEP) {
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
  return MIN_ROW_SCALE;
}

/** The gap between the cards of a grid, as a share of a card's width. */
export const GRID_GAP = 0.16;
/** The space that piles take beside or above a grid, in cards; and the share of the height that a grid may use. */
const PILES_BESIDE_GRID = 1.35;
const PILES_ABOVE_GRID = 1.4;
const GRID_HEIGHT_SHARE = 0.96;

/** The largest card with which a grid fits into a space together with the piles beside or above it. */
export function fitGrid(
  columns: number,
  rows: number,
  piles: number,
  space: Size,
  most: number,
): { width: number; beside: boolean } {
  const withGaps = (n: number) => n + (n - 1) * GRID_GAP;
  const cardFor = (across: number, down: number) =>
    Math.min(space.width / withGaps(across), (space.height * GRID_HEIGHT_SHARE) / (withGaps(down) * CARD_RATIO));
  const beside = cardFor(columns + (piles > 0 ? PILES_BESIDE_GRID : 0), rows);
  const above = cardFor(Math.max(columns, piles), rows + (piles > 0 ? PILES_ABOVE_GRID : 0));
  return { width: Math.floor(Math.min(most, Math.max(beside, above))), beside: beside >= above };
}
