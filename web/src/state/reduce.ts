/**
 * Applies a batch to a view: view + batch = next view. This is the counterpart of `crates/engine/src/reduce.rs`, with
 * one branch per event. It knows no rules. It throws if a batch does not fit, and then the client has to fetch the
 * view again. Unlike the Rust version it does not change the old view, because the screen compares both.
 */
import type { BadgeView, Batch, CardView, Event, Handle, Placed, SeatView, View, ZoneView } from "../protocol/types";

/** `form` means that the batch could not be parsed. */
type ReduceErrorKind = "form" | "seq" | "index" | "handle" | "count";

export class ReduceError extends Error {
  readonly kind: ReduceErrorKind;

  constructor(kind: ReduceErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function reduce(view: View, batch: Batch): View {
  return viewsAfterEach(view, batch).at(-1) as View;
}

/** Returns the view before the batch and the view after each event. Only the last view has the batch's number. */
export function viewsAfterEach(view: View, batch: Batch): View[] {
  if (batch.seq !== view.seq + 1) {
    throw new ReduceError("seq", `batch ${batch.seq} does not follow ${view.seq}`);
  }
  const views = [view];
  for (const event of batch.events) views.push(apply(views[views.length - 1] as View, event));
  const last = views.length - 1;
  views[last] = { ...(views[last] as View), seq: batch.seq };
  return views;
}

export function apply(view: View, event: Event): View {
  if ("moved" in event) {
    const { from, to, count, gone, came } = event.moved;
    let next = view;
    if (from !== null) next = withZone(next, from, (zone) => take(zone, count, gone));
    if (to !== null) next = withZone(next, to, (zone) => put(zone, count, came));
    return next;
  }
  if ("zone" in event) return withZone(view, event.zone.zone, () => event.zone.view);
  if ("cards" in event) {
    return withZone(view, event.cards.zone, (zone) => {
      const cards = [...cardsOf(zone)];
      for (const card of event.cards.cards) cards[placeOf(cards, card.handle)] = card;
      return { ...zone, content: { cards } };
    });
  }
  if ("turned" in event) return withZone(view, event.turned.zone, (zone) => ({ ...zone, turned: event.turned.turned }));
  if ("value" in event) {
    const { var: at, element, value } = event.value;
    return { ...view, values: set(view.values, at, (v) => ({ values: set(v.values, element, () => value) })) };
  }
  if ("dice" in event) {
    const { dice, element, face } = event.dice;
    return { ...view, dice: set(view.dice, dice, (d) => ({ faces: set(d.faces, element, () => face) })) };
  }
  if ("phase" in event) return { ...view, phase: event.phase.phase ?? undefined };
  if ("lead" in event) return { ...view, lead: event.lead.seat ?? undefined };
  if ("paused" in event) return { ...view, paused: event.paused.paused };
  if ("seat" in event) return { ...view, seats: set(view.seats, event.seat.seat, () => event.seat.view) };
  if ("badges" in event) {
    const { seat, from, badges } = event.badges;
    const withBadges = (shown: SeatView) => ({ ...shown, badges: putFrom(shown.badges, from, badges) });
    return { ...view, seats: set(view.seats, seat, withBadges) };
  }
  if ("badge" in event) {
    const { seat, at, value } = event.badge;
    const withValue = ({ value: _, ...badge }: BadgeView): BadgeView => (value === null ? badge : { ...badge, value });
    return {
      ...view,
      seats: set(view.seats, seat, (shown) => ({ ...shown, badges: set(shown.badges, at, withValue) })),
    };
  }
  if ("marks" in event) {
    const { seat, status } = event.marks;
    return { ...view, seats: set(view.seats, seat, (shown) => ({ ...shown, status })) };
  }
  if ("highlights" in event) return { ...view, highlights: event.highlights.handles };
  if ("status" in event) {
    const { from, lines } = event.status;
    return { ...view, status: putFrom(view.status, from, lines) };
  }
  if ("waiting" in event) {
    const { waiting } = event.waiting;
    const hasTurn = (seat: number) => waiting.some((entry) => entry.seat === seat);
    const seats = view.seats.map((shown, seat) =>
      shown.turn === hasTurn(seat) ? shown : { ...shown, turn: hasTurn(seat) },
    );
    return { ...view, waiting, seats };
  }
  if ("decision" in event) return { ...view, decision: event.decision.decision ?? undefined };
  if ("outcome" in event) return { ...view, outcome: event.outcome.outcome };
  // The other events (shuffled, rolled, announced, revealed) change nothing that the view shows.
  return view;
}

function take(from: ZoneView, count: number, gone: Handle[]): ZoneView {
  if (from.content === "nothing") throw new ReduceError("index", "nothing is seen of this zone");
  if ("count" in from.content) {
    if (from.content.count < count) throw new ReduceError("count", "more cards taken than there are");
    return { ...from, content: { count: from.content.count - count } };
  }
  if (gone.length !== count) throw new ReduceError("count", "fewer cards told than moved");
  const cards = [...from.content.cards];
  for (const handle of gone) cards.splice(placeOf(cards, handle), 1);
  return { ...from, content: { cards } };
}

function put(to: ZoneView, count: number, came: Placed[]): ZoneView {
  if (to.content === "nothing") throw new ReduceError("index", "nothing is seen of this zone");
  if ("count" in to.content) return { ...to, content: { count: to.content.count + count } };
  if (came.length !== count) throw new ReduceError("count", "fewer cards told than moved");
  const cards = [...to.content.cards];
  for (const placed of came) {
    if (placed.at > cards.length) throw new ReduceError("count", "a place that does not exist");
    cards.splice(placed.at, 0, placed.card);
  }
  return { ...to, content: { cards } };
}

/** Replaces all elements from index `from` on. */
function putFrom<T>(list: T[], from = 0, elements: T[]): T[] {
  if (from > list.length) throw new ReduceError("index", "a place that does not exist");
  return [...list.slice(0, from), ...elements];
}

function withZone(view: View, at: number, change: (zone: ZoneView) => ZoneView): View {
  return { ...view, zones: set(view.zones, at, change) };
}

/** Returns a copy of the list with one element changed. */
function set<T>(list: T[], at: number, change: (old: T) => T): T[] {
  if (at < 0 || at >= list.length) {
    throw new ReduceError("index", "the batch names something this view does not have");
  }
  return list.map((old, i) => (i === at ? change(old) : old));
}

function cardsOf(zone: ZoneView): CardView[] {
  if (zone.content === "nothing" || !("cards" in zone.content)) {
    throw new ReduceError("index", "no cards are seen in this zone");
  }
  return zone.content.cards;
}

function placeOf(cards: CardView[], handle: Handle): number {
  const place = cards.findIndex((card) => card.handle === handle);
  if (place < 0) throw new ReduceError("handle", `card ${handle} is not where the batch says`);
  return place;
}
