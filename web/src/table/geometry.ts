/**
 * Where things lie: pure functions from counts and sizes to places, in pixels.
 * Nothing here knows what is drawn; the components only put things where these say.
 */

export interface Place {
  x: number;
  y: number;
  /** Degrees. */
  angle: number;
}

export interface HandLayout {
  /** Top left corner of each card. */
  places: Place[];
  height: number;
  rows: number;
  /** Distance from one card to the next in a row: the strip of each card that can be selectTarget. */
  step: number;
}

export interface HandSpace {
  count: number;
  width: number;
  card: Size;
  /** The least that must stay visible, and tappable, of each card. */
  strip: number;
  /** The least that must stay visible of a row of cards under the next one. */
  rowStrip: number;
  /** Room above for a card that is lifted. */
  lift: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A held hand: one gently curved row while the strips are wide enough, then more rows, the last one whole. */
export function handLayout({ count, width, card, strip, rowStrip, lift }: HandSpace): HandLayout {
  // Nothing to hold, or not measured yet: the room of one row, so that nothing jumps.
  if (count === 0 || width <= 0) return { places: [], height: card.height + lift, rows: 0, step: 0 };
  const perRow = Math.max(1, Math.floor((width - card.width) / strip) + 1);
  const rows = Math.ceil(count / perRow);
  const spread = card.width * 0.72;
  const places: Place[] = [];
  let least = spread;
  let placed = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = Math.ceil((count - placed) / (rows - row));
    const fanned = rows === 1 && inRow > 2;
    const tilt = fanned ? Math.min(2.4, 22 / inRow) : 0;
    const lastAngle = ((inRow - 1) / 2) * tilt;
    // A tilted card is wider than an upright one; the row is narrowed by what sticks out at its ends.
    const reach = fanned ? (card.height / 2) * Math.sin((lastAngle * Math.PI) / 180) : 0;
    const room = Math.max(card.width, width - 2 * reach);
    const step = inRow > 1 ? Math.min(spread, (room - card.width) / (inRow - 1)) : 0;
    if (inRow > 1) least = Math.min(least, step);
    const start = (width - (card.width + step * (inRow - 1))) / 2;
    const sag = fanned ? Math.min(card.height * 0.14, inRow * card.height * 0.012) : 0;
    for (let i = 0; i < inRow; i++) {
      const along = inRow > 1 ? (2 * i) / (inRow - 1) - 1 : 0;
      places.push({
        x: start + step * i,
        y: lift + row * rowStrip + sag * along * along,
        angle: tilt * (i - (inRow - 1) / 2),
      });
    }
    placed += inRow;
  }
  // The outer corner of a tilted card hangs lower than the card itself.
  const lowest = places.reduce((low, { y, angle }) => {
    const tilt = (Math.abs(angle) * Math.PI) / 180;
    return Math.max(low, y + (card.height * (1 + Math.cos(tilt)) + card.width * Math.sin(tilt)) / 2);
  }, 0);
  return { places, height: lowest, rows, step: least };
}

/** The width of a hand's cards: as large as the space allows, and never so large that the table is crowded out. */
export function handCardWidth(viewport: Size, rem: number, scale: number): number {
  const byWidth = viewport.width * 0.18;
  const byHeight = viewport.height * 0.138;
  const most = 7.6 * rem;
  return Math.round(Math.max(46, Math.min(byWidth, byHeight, most)) * scale);
}

/**
 * Places round the table for the other players, in playing order: clockwise from the left of the viewer, who sits
 * at the bottom centre. Spread evenly along a rounded rectangle, so that corners are used on narrow screens.
 * `high` moves them together at the far side, where the middle needs the whole width.
 */
export function ring(others: number, area: Size, seat: Size, high = false): Place[] {
  const rx = Math.max(0, (area.width - seat.width) / 2);
  const ry = Math.max(0, (area.height - seat.height) / 2);
  const centre = { x: area.width / 2, y: area.height / 2 };
  const upright = area.width < area.height * 1.15;
  if (high && upright) return farSide(others, area, seat);
  const path = outline(rx, ry, upright ? 4.5 : 3);
  const first = others === 1 ? 0.5 : Math.max(1 / (others + 1), upright ? 0.16 : 0.19);
  return Array.from({ length: others }, (_, i) => {
    const along = others === 1 ? 0.5 : first + (i * (1 - 2 * first)) / (others - 1);
    const point = pointAt(path, along);
    return { x: centre.x + point.x, y: centre.y + point.y, angle: 0 };
  });
}

/** A row at the far side, and short columns down from its ends when it is full. */
function farSide(others: number, area: Size, seat: Size): Place[] {
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

/**
 * Where a card lies that was played towards its player: on a small ellipse round the centre, in the direction of
 * that player's place.
 */
export function towards(place: { x: number; y: number }, area: Size, reach: Size): Place {
  const dx = place.x - area.width / 2;
  const dy = place.y - area.height / 2;
  // Directions are measured on the ellipse of the table, so that neighbours on a wide table stay apart.
  const angle = Math.atan2(dy / Math.max(1, area.height), dx / Math.max(1, area.width));
  const x = area.width / 2 + Math.cos(angle) * reach.width;
  const y = area.height / 2 + Math.sin(angle) * reach.height;
  return { x, y, angle: Math.cos(angle) * 8 * Math.sign(Math.sin(angle) || 1) * -1 };
}

/**
 * Moves cards that would lie over one another down, the upper ones first, as far as there is room: a few cards in a narrow middle
 * can all be seen whole. Centres in, centres out.
 */
export function apart(centres: Place[], card: Size, bottom: number): Place[] {
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

/** Small offsets that make cards played together lie as a little fan around one place. */
export function clustered(count: number, card: Size, overlap: number): Place[] {
  const step = card.width * overlap;
  return Array.from({ length: count }, (_, i) => {
    const along = i - (count - 1) / 2;
    return { x: along * step, y: Math.abs(along) * card.height * 0.02, angle: along * 3 };
  });
}

/** A closed line round the table from the bottom centre clockwise, with the length walked so far. */
function outline(rx: number, ry: number, squareness: number): { x: number; y: number; length: number }[] {
  const steps = 240;
  const points: { x: number; y: number; length: number }[] = [];
  let length = 0;
  for (let i = 0; i <= steps; i++) {
    const angle = Math.PI / 2 + (i / steps) * 2 * Math.PI;
    const curve = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / squareness);
    const point = { x: rx * curve(Math.cos(angle)), y: ry * curve(Math.sin(angle)) };
    const before = points[points.length - 1];
    if (before) length += Math.hypot(point.x - before.x, point.y - before.y);
    points.push({ ...point, length });
  }
  return points;
}

function pointAt(path: { x: number; y: number; length: number }[], share: number): { x: number; y: number } {
  const last = path[path.length - 1];
  if (!last) return { x: 0, y: 0 };
  const wanted = share * last.length;
  const next = path.findIndex((point) => point.length >= wanted);
  const b = path[next] ?? last;
  const a = path[next - 1] ?? b;
  const part = b.length > a.length ? (wanted - a.length) / (b.length - a.length) : 0;
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

export interface Rect extends Size {
  left: number;
  top: number;
}

/** The room inside a ring of seats that no seat reaches into: between the sides, or below them if that is larger. */
export function inside(places: Place[], seat: Size, area: Size, gap: number): Rect {
  const between = betweenSides(places, seat, area, gap);
  const lowest = places.reduce((low, { y }) => Math.max(low, y + seat.height / 2 + gap), gap);
  const below = {
    left: gap,
    top: lowest,
    width: area.width - 2 * gap,
    height: Math.max(0, area.height - gap - lowest),
  };
  const fits = below.height > area.height * 0.4;
  return fits && below.width * below.height > between.width * between.height * 0.9 ? below : between;
}

function betweenSides(places: Place[], seat: Size, area: Size, gap: number): Rect {
  let top = gap;
  let left = gap;
  let right = area.width - gap;
  for (const { y } of places) {
    if (y - seat.height / 2 < area.height * 0.12) top = Math.max(top, y + seat.height / 2 + gap);
  }
  for (const { x, y } of places) {
    if (y + seat.height / 2 <= top) continue;
    if (x < area.width / 2) left = Math.max(left, x + seat.width / 2 + gap);
    else right = Math.min(right, x - seat.width / 2 - gap);
  }
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, area.height - gap - top) };
}

/** The largest dice that fit into a room in even rows, and how many stand in a row; `gap` is a share of a die. */
export function diceFit(count: number, room: Size, most: number, gap: number): { size: number; columns: number } {
  let best = { size: 0, columns: Math.max(1, count) };
  for (let rows = 1; rows <= Math.max(1, count); rows++) {
    const columns = Math.ceil(count / rows);
    const across = room.width / (columns + (columns + 1) * gap);
    const down = room.height / (rows + (rows + 1) * gap);
    const size = Math.floor(Math.min(most, across, down));
    // Fewer rows where that costs little.
    if (size > best.size * 1.15) best = { size, columns };
  }
  return best;
}

/**
 * How much things of these widths and one height must shrink to fit into a room in rows, `gap` apart; not below half, where
 * they could not be told apart any more.
 */
export function rowsFit(widths: number[], height: number, room: Size, gap: number): number {
  for (let scale = 1; scale > 0.5; scale -= 0.05) {
    let rows = 1;
    let along = 0;
    for (const width of widths) {
      if (along > 0 && along + (width + gap) * scale > room.width) {
        rows += 1;
        along = 0;
      }
      along += (width + gap) * scale;
    }
    if (rows * (height + gap) * scale <= room.height) return scale;
  }
  return 0.5;
}

/** The largest card with which a grid, and piles beside or above it, fit into a room. */
export function gridCard(
  columns: number,
  rows: number,
  piles: number,
  room: Size,
  most: number,
): { width: number; beside: boolean } {
  const gapped = (n: number) => n + (n - 1) * 0.16;
  const fitted = (across: number, down: number) =>
    Math.min(room.width / gapped(across), (room.height * 0.96) / (gapped(down) * 1.4));
  const beside = fitted(columns + (piles > 0 ? 1.35 : 0), rows);
  const above = fitted(Math.max(columns, piles), rows + (piles > 0 ? 1.4 : 0));
  return { width: Math.floor(Math.min(most, Math.max(beside, above))), beside: beside >= above };
}
