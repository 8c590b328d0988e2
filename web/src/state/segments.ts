/**
 * A batch is a script: its events are in the order in which they happened. Where one of them takes away what another has only just
 * brought (the card that completes a trick, and the trick that goes to its winner), the table rests in between, or nobody would
 * ever see it. Here a batch is parted at these places, from its events alone; `stager.ts` lets time pass between the parts.
 */
import type { Batch, CardView, Event, View, ZoneView } from "../protocol/types";
import { steps } from "./reduce";

/** Some events of a batch, side by side. */
export interface Part extends Batch {
  /** Other parts of the same batch came before it. */
  follows: boolean;
}

export interface Stage {
  part: Part;
  /** What is shown after it. Of the last stage of a batch it is the next view, as the server has it. */
  view: View;
}

/** A batch that would rest more often is parted at its last places only. */
const MOST_RESTS = 6;

/** Throws a `ReduceError` if the batch does not fit the view. */
export function stages(view: View, batch: Batch): Stage[] {
  const views = steps(view, batch);
  const { events } = batch;
  const end = views[events.length] as View;
  const ends = [...rests(views, events).slice(-MOST_RESTS), events.length];
  return ends.map((until, i) => {
    const from = ends[i - 1] ?? 0;
    return {
      part: { ...batch, events: events.slice(from, until), follows: i > 0 },
      view: until === events.length ? end : unasked(views[until] as View, view, end),
    };
  });
}

/** The rest of a batch as one stage. */
export function joined(parts: Stage[]): Stage | undefined {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last || first === last) return last;
  return { part: { ...first.part, events: parts.flatMap(({ part }) => part.events) }, view: last.view };
}

/**
 * While the table rests nobody is asked anything that is over, nor yet what comes next; and nothing is pointed out that was so before
 * the move and is not after it.
 */
function unasked(view: View, before: View, end: View): View {
  const { decision, ...rest } = view;
  const same = before.decision?.id === end.decision?.id;
  const shown: View = same && decision ? { ...rest, decision } : rest;
  if (before.highlights !== end.highlights) shown.highlights = [];
  if (before.waiting === end.waiting) return shown;
  return { ...shown, waiting: [], seats: shown.seats.map((seat) => (seat.turn ? { ...seat, turn: false } : seat)) };
}

/** Something that has just come to a place: since which event, and before which one anything has left that place again. */
interface News {
  came: number;
  left: number | null;
}

/**
 * The events before which the table rests. What comes into sight, or to another place, is news there until a rest has shown it; a
 * rest comes before the first thing that leaves a place from which news goes later on, and before the end, which covers everything.
 */
function rests(views: View[], events: Event[]): number[] {
  const found = new Set<number>();
  const zones = new Map<number, Map<number, News>>();
  const dice = new Map<number, Map<number, News>>();
  /** Cards that a rest has shown where they had come to. That they are gathered after it is no news. */
  const shown = new Set<number>();

  const newsOf = (places: typeof zones, place: number) => {
    const news = places.get(place) ?? new Map<number, News>();
    places.set(place, news);
    return news;
  };
  const come = (zone: number, cards: CardView[], at: number) => {
    const news = newsOf(zones, zone);
    for (const { handle, face } of cards)
      if (face !== undefined && !shown.has(handle)) news.set(handle, { came: at, left: null });
  };
  const rest = (at: number) => {
    found.add(at);
    for (const news of [...zones.values(), ...dice.values()])
      for (const [thing, { came }] of news) if (came < at) news.delete(thing);
  };
  /** These things leave a place; the rest is before the first that left it since they came. Gives where that is. */
  const leave = (news: Map<number, News>, things: Iterable<number>, at: number): number | null => {
    for (const one of news.values()) one.left ??= at;
    const gone: number[] = [];
    for (const thing of [...things]) {
      const left = news.get(thing)?.left ?? null;
      if (left !== null) gone.push(left);
      news.delete(thing);
    }
    if (gone.length === 0) return null;
    const before = Math.max(...gone);
    rest(before);
    return before;
  };
  const leaveZone = (zone: number, handles: Iterable<number>, at: number) => {
    const before = leave(newsOf(zones, zone), handles, at);
    if (before !== null) for (const { handle } of seen(views[before]?.zones[zone])) shown.add(handle);
  };

  events.forEach((event, at) => {
    const before = views[at] as View;
    if ("moved" in event) {
      const { from, to, gone, came } = event.moved;
      if (from === to) return;
      if (from !== null) leaveZone(from, gone, at);
      if (to !== null) {
        const cards = came.map(({ card }) => card);
        come(to, cards, at);
      }
    } else if ("zone" in event) {
      const { zone, view } = event.zone;
      const had = new Set(seen(before.zones[zone]).map(({ handle }) => handle));
      const has = seen(view);
      if (has.length === 0) leaveZone(zone, newsOf(zones, zone).keys(), at);
      // With as many faces as before it was shuffled or sorted, and nobody can tell any longer what had just come.
      zones.delete(zone);
      if (has.length > had.size) {
        const fresh = has.filter(({ handle }) => !had.has(handle));
        come(zone, fresh, at);
      }
    } else if ("cards" in event) {
      const { zone, cards } = event.cards;
      const had = new Set(seen(before.zones[zone]).map(({ handle }) => handle));
      const covered = cards.filter(({ face }) => face === undefined).map(({ handle }) => handle);
      leaveZone(zone, covered, at);
      const opened = cards.filter(({ handle }) => !had.has(handle));
      come(zone, opened, at);
    } else if ("revealed" in event && event.revealed.zone !== null) {
      const { zone, faces } = event.revealed;
      const told = seen(before.zones[zone]).filter(({ face }) => face !== undefined && faces.includes(face));
      come(zone, told, at);
    } else if ("turned" in event) {
      const { zone, turned } = event.turned;
      if (turned) leaveZone(zone, newsOf(zones, zone).keys(), at);
      else come(zone, seen(before.zones[zone]), at);
    } else if ("dice" in event) {
      const news = newsOf(dice, event.dice.dice);
      // The first throw of each die is no end of the others'.
      if (news.has(event.dice.element)) leave(news, [event.dice.element], at);
      // Nought is a die that was not rolled.
      if (event.dice.face) news.set(event.dice.element, { came: at, left: null });
    } else if ("outcome" in event) {
      const any = [...zones.values(), ...dice.values()].some((news) => news.size > 0);
      if (any) rest(at);
    }
  });
  return [...found].sort((a, b) => a - b);
}

/** Cards of a zone whose faces are seen. */
function seen(zone: ZoneView | undefined): CardView[] {
  if (!zone || zone.content === "nothing" || !("cards" in zone.content)) return [];
  return zone.content.cards.filter(({ face }) => face !== undefined);
}
