/**
 * Animates cards from their old places to their new ones. Before a batch changes the view, this module records the
 * positions of cards and zones. After it, a copy of each moved card flies over the table, and the card appears when
 * the copy has landed. A card that is visible on one side only flies from or to its zone.
 */
import { useLayoutEffect, useRef } from "react";
import type { Batch, Event } from "../protocol/types";
import { prefersReducedMotion } from "../settings/settings";
import type { TableStore } from "../state/store";
import { cardRatio, flightScale } from "./sizes";

/** Milliseconds of a flight, and between the starts of two flights. */
const FLIGHT_MS = 240;
const STAGGER_MS = 12;
/** Upper bound on flights. A deal or a gathering moves more cards than anyone can follow, so it has no animation. */
const MAX_FLIGHTS = 14;

type Moved = Extract<Event, { moved: unknown }>["moved"];

interface PositionsBefore {
  moves: Moved[];
  cards: Map<number, DOMRect>;
  zones: Map<number, DOMRect>;
  /** Copies of the cards that the batch removes. */
  leaving: Map<number, HTMLElement>;
}

interface Flight {
  ghost: HTMLElement;
  from: DOMRect;
  to: DOMRect;
  landing: HTMLElement | null;
}

/** Animates the cards inside `root` whenever the store changes its view. */
export function useCardFlights(store: TableStore, root: React.RefObject<HTMLElement | null>, drawn: unknown): void {
  const before = useRef<PositionsBefore | null>(null);
  useLayoutEffect(
    () =>
      store.onBeforeChange((batch) => {
        before.current = root.current && !prefersReducedMotion() ? recordPositions(root.current, batch) : null;
      }),
    [store, root],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each drawn view.
  useLayoutEffect(() => {
    if (before.current && root.current) startFlights(root.current, before.current);
    before.current = null;
  }, [drawn, root]);
}

/** Functions that end the running flights. */
const landFunctions = new Set<() => void>();

function recordPositions(root: HTMLElement, batch: Batch): PositionsBefore | null {
  // The next move ends all running flights at once, so that fast players do not pile them up.
  for (const land of [...landFunctions]) land();
  const moves = listMoves(batch);
  const count = moves.reduce((sum, moved) => sum + moved.count, 0);
  if (count === 0 || count > MAX_FLIGHTS) return null;
  const before: PositionsBefore = { moves, cards: new Map(), zones: new Map(), leaving: new Map() };
  // Measures only what moves: measuring everything would force the browser to lay out the page early.
  for (const { from, gone, came } of moves) {
    const source = from === null ? null : findZone(root, from);
    if (from !== null && source) before.zones.set(from, source.getBoundingClientRect());
    for (const handle of [...gone, ...came.map(({ card }) => card.handle)]) {
      const element = findCard(root, handle);
      if (element) before.cards.set(handle, element.getBoundingClientRect());
    }
    for (const handle of gone) {
      const card = findCard(root, handle)?.querySelector<HTMLElement>(".card");
      if (card) before.leaving.set(handle, card.cloneNode(true) as HTMLElement);
    }
  }
  return before;
}

/** Measures everything before it changes anything, so that the browser lays out the page once. */
function startFlights(root: HTMLElement, before: PositionsBefore): void {
  const flights: Flight[] = [];
  for (const { from, to, gone, came } of before.moves) {
    const source = from === null ? undefined : before.zones.get(from);
    for (const { card } of came) {
      const landing = findCard(root, card.handle);
      const drawn = landing?.querySelector<HTMLElement>(".card");
      const start = before.cards.get(card.handle) ?? source;
      if (!landing || !drawn || !start) continue;
      const ghost = drawn.cloneNode(true) as HTMLElement;
      flights.push({ ghost, from: start, to: drawn.getBoundingClientRect(), landing });
    }
    const target = to === null || came.length > 0 || gone.length === 0 ? null : findZone(root, to);
    if (!target) continue;
    const end = target.getBoundingClientRect();
    for (const handle of gone) {
      const start = before.cards.get(handle);
      const ghost = before.leaving.get(handle);
      if (start && ghost) flights.push({ ghost, from: start, to: end, landing: null });
    }
  }
  flights.forEach(animateFlight);
}

function animateFlight({ ghost, from, to, landing }: Flight, order: number): void {
  const width = ghost.style.getPropertyValue("--card-w")
    ? Number.parseFloat(ghost.style.getPropertyValue("--card-w"))
    : to.width;
  const start = {
    x: from.left + from.width / 2,
    y: from.top + from.height / 2,
    scale: Math.min(flightScale.largestStart, Math.max(flightScale.smallestStart, from.width / width)),
  };
  const intoZone = to.width > from.width * flightScale.largestStart ? flightScale.intoWideZone : flightScale.intoZone;
  const end = { x: to.left + to.width / 2, y: to.top + to.height / 2, scale: landing ? 1 : intoZone };
  ghost.classList.add("travelling");
  document.body.append(ghost);
  const half = { x: width / 2, y: (width * cardRatio) / 2 };
  const at = (p: { x: number; y: number; scale: number }) =>
    `translate(${p.x - half.x}px, ${p.y - half.y}px) scale(${p.scale})`;
  if (landing) landing.style.visibility = "hidden";
  const animation = ghost.animate([{ transform: at(start) }, { transform: at(end), opacity: landing ? 1 : 0.6 }], {
    duration: FLIGHT_MS,
    delay: Math.min(60, order * STAGGER_MS),
    easing: "cubic-bezier(0.2, 0.75, 0.25, 1)",
    fill: "both",
  });
  // A hidden window finishes no animation, so a timer lands the card as well.
  const timer = setTimeout(() => land(), FLIGHT_MS + 200);
  const land = () => {
    landFunctions.delete(land);
    clearTimeout(timer);
    animation.cancel();
    ghost.remove();
    if (landing) landing.style.visibility = "";
  };
  landFunctions.add(land);
  animation.finished.then(land, () => undefined);
}

const listMoves = (batch: Batch): Moved[] => batch.events.flatMap((event) => ("moved" in event ? [event.moved] : []));

const findZone = (root: HTMLElement, zone: number) => root.querySelector<HTMLElement>(`[data-zone="${zone}"]`);

const findCard = (root: HTMLElement, handle: number) => root.querySelector<HTMLElement>(`[data-handle="${handle}"]`);
