/**
 * Splits a batch into segments, which the client shows one after the other.
 *
 * The events of a batch are in the order in which they happened, and one batch may take a card away right after it has
 * placed it: a card completes a trick, and the trick goes to its winner. If the client showed the whole batch at once,
 * nobody would see that card. This module reads the places to split from the events alone; `playback.ts` waits between
 * the segments.
 */
import type { Batch, CardView, Event, Narration, View, ZoneView } from "../protocol/types";
import { visibleCards } from "./content";
import { viewsAfterEach } from "./reduce";

/** Consecutive events of one batch. */
export interface BatchSegment extends Batch {
  /** True for every segment of a batch except the first. */
  isContinuation: boolean;
  /** What happens in the segment, in words. */
  narrations?: Narration[];
}

export interface SegmentWithView {
  segment: BatchSegment;
  /** What the client shows after the segment. After the last segment of a batch it equals the server's view. */
  view: View;
}

/** A batch with more split points than this is split at the last ones only. */
const MAX_SPLIT_POINTS = 6;

/** Throws a `ReduceError` if the batch does not fit the view. */
export function splitBatch(view: View, batch: Batch, narrations: Narration[] = []): SegmentWithView[] {
  const views = viewsAfterEach(view, batch);
  const { events } = batch;
  const lastView = views[events.length] as View;
  const ends = [...findSplitPoints(views, events).slice(-MAX_SPLIT_POINTS), events.length];
  return ends.map((end, i) => {
    const start = ends[i - 1] ?? 0;
    const told = narrations.filter(
      ({ after }) => (i === 0 || after > start) && (after <= end || end === events.length),
    );
    return {
      segment: { ...batch, events: events.slice(start, end), isContinuation: i > 0, ...withNarrations(told) },
      view: end === events.length ? lastView : hidePrompts(views[end] as View, view, lastView),
    };
  });
}

const withNarrations = (narrations: Narration[]) => (narrations.length > 0 ? { narrations } : {});

/** Merges consecutive segments of one batch into one. */
export function mergeSegments(segments: SegmentWithView[]): SegmentWithView | undefined {
  const [first] = segments;
  const last = segments.at(-1);
  if (!first || !last || first === last) return last;
  const events = segments.flatMap(({ segment }) => segment.events);
  const narrations = segments.flatMap(({ segment }) => segment.narrations ?? []);
  return { segment: { ...first.segment, events, ...withNarrations(narrations) }, view: last.view };
}

/**
 * Removes what would mislead people between two segments: a decision that is closed or not open yet, turns that are
 * about to change, and highlights that the batch removes.
 */
function hidePrompts(view: View, viewBefore: View, viewAfter: View): View {
  const { decision, ...others } = view;
  const sameDecision = viewBefore.decision?.id === viewAfter.decision?.id;
  const shown: View = sameDecision && decision ? { ...others, decision } : others;
  if (viewBefore.highlights !== viewAfter.highlights) shown.highlights = [];
  if (viewBefore.waiting === viewAfter.waiting) return shown;
  return { ...shown, waiting: [], seats: shown.seats.map((seat) => (seat.turn ? { ...seat, turn: false } : seat)) };
}

/** A card or die face that has just appeared at a place and that nobody has had time to see. Numbers are event indices. */
interface Arrival {
  arrivedAt: number;
  /** The first event since then that takes anything away from the same place. */
  firstDepartureAt: number | null;
}

/** Arrivals at one place, by card handle or by die. */
type Arrivals = Map<number, Arrival>;

/**
 * Finds the events before which the client has to wait. A card that becomes visible or changes its place is an arrival
 * until a wait has shown it. If an arrival leaves its place, the client waits before the first departure from that
 * place; it also waits before the outcome, because the banner covers the table.
 */
function findSplitPoints(views: View[], events: Event[]): number[] {
  const splitPoints = new Set<number>();
  const arrivalsByZone = new Map<number, Arrivals>();
  const arrivalsByDice = new Map<number, Arrivals>();
  /** Cards that a wait has shown. They are no arrivals again when they are gathered afterwards. */
  const shownCards = new Set<number>();

  const arrivalsAt = (places: Map<number, Arrivals>, place: number) => {
    const arrivals = places.get(place) ?? new Map<number, Arrival>();
    places.set(place, arrivals);
    return arrivals;
  };
  const addArrivals = (zone: number, cards: CardView[], at: number) => {
    const arrivals = arrivalsAt(arrivalsByZone, zone);
    for (const { handle, face } of cards) {
      if (face !== undefined && !shownCards.has(handle)) {
        arrivals.set(handle, { arrivedAt: at, firstDepartureAt: null });
      }
    }
  };
  const splitBefore = (at: number) => {
    splitPoints.add(at);
    for (const arrivals of [...arrivalsByZone.values(), ...arrivalsByDice.values()]) {
      for (const [id, { arrivedAt }] of arrivals) if (arrivedAt < at) arrivals.delete(id);
    }
  };
  /** Records that `ids` leave a place. Returns the split point that this makes, or null if none of them was an arrival. */
  const removeArrivals = (arrivals: Arrivals, ids: Iterable<number>, at: number): number | null => {
    for (const arrival of arrivals.values()) arrival.firstDepartureAt ??= at;
    const departures: number[] = [];
    for (const id of [...ids]) {
      const departure = arrivals.get(id)?.firstDepartureAt ?? null;
      if (departure !== null) departures.push(departure);
      arrivals.delete(id);
    }
    if (departures.length === 0) return null;
    const splitPoint = Math.max(...departures);
    splitBefore(splitPoint);
    return splitPoint;
  };
  const removeCards = (zone: number, handles: Iterable<number>, at: number) => {
    const splitPoint = removeArrivals(arrivalsAt(arrivalsByZone, zone), handles, at);
    if (splitPoint === null) return;
    for (const { handle } of faceUpCards(views[splitPoint]?.zones[zone])) shownCards.add(handle);
  };

  events.forEach((event, at) => {
    const view = views[at] as View;
    if ("moved" in event) {
      const { from, to, gone, came } = event.moved;
      if (from === to) return;
      if (from !== null) removeCards(from, gone, at);
      if (to !== null) {
        const cards = came.map(({ card }) => card);
        addArrivals(to, cards, at);
      }
    } else if ("zone" in event) {
      const { zone, view: zoneAfter } = event.zone;
      const handlesBefore = new Set(faceUpCards(view.zones[zone]).map(({ handle }) => handle));
      const cardsAfter = faceUpCards(zoneAfter);
      if (cardsAfter.length === 0) removeCards(zone, arrivalsAt(arrivalsByZone, zone).keys(), at);
      // The event may have shuffled or sorted the zone, so the client can't tell any more which cards are arrivals.
      arrivalsByZone.delete(zone);
      if (cardsAfter.length > handlesBefore.size) {
        const newCards = cardsAfter.filter(({ handle }) => !handlesBefore.has(handle));
        addArrivals(zone, newCards, at);
      }
    } else if ("cards" in event) {
      const { zone, cards } = event.cards;
      const handlesBefore = new Set(faceUpCards(view.zones[zone]).map(({ handle }) => handle));
      const turnedDown = cards.filter(({ face }) => face === undefined).map(({ handle }) => handle);
      removeCards(zone, turnedDown, at);
      const turnedUp = cards.filter(({ handle }) => !handlesBefore.has(handle));
      addArrivals(zone, turnedUp, at);
    } else if ("revealed" in event && event.revealed.zone !== null) {
      const { zone, faces } = event.revealed;
      const revealed = faceUpCards(view.zones[zone]).filter(({ face }) => face !== undefined && faces.includes(face));
      addArrivals(zone, revealed, at);
    } else if ("turned" in event) {
      const { zone, turned } = event.turned;
      if (turned) removeCards(zone, arrivalsAt(arrivalsByZone, zone).keys(), at);
      else addArrivals(zone, faceUpCards(view.zones[zone]), at);
    } else if ("dice" in event) {
      const arrivals = arrivalsAt(arrivalsByDice, event.dice.dice);
      // Only a die that is rolled again hides a face; the first roll of a die hides nothing.
      if (arrivals.has(event.dice.element)) removeArrivals(arrivals, [event.dice.element], at);
      // A face of 0 means that the die is not rolled.
      if (event.dice.face) arrivals.set(event.dice.element, { arrivedAt: at, firstDepartureAt: null });
    } else if ("outcome" in event) {
      const hasArrivals = [...arrivalsByZone.values(), ...arrivalsByDice.values()].some(({ size }) => size > 0);
      if (hasArrivals) splitBefore(at);
    }
  });
  return [...splitPoints].sort((a, b) => a - b);
}

function faceUpCards(zone: ZoneView | undefined): CardView[] {
  return visibleCards(zone?.content).filter(({ face }) => face !== undefined);
}
