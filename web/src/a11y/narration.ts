/** What happens, in words: announcements, and cards that were seen to move. */
import type { CardFace, Event, ZoneLayout } from "../protocol/types";
import type { Segment } from "../state/segments";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { cardName, zoneName } from "../text/names";

/** More cards than this at once are a deal or a gathering, and nothing to listen to. */
const MAX_CARDS = 6;

type Moved = Extract<Event, { moved: unknown }>["moved"];

/**
 * Whoever moved is named only of what they do themselves: the first cards that move, if they come from a place of theirs, go to one,
 * or lie there as theirs. What isContinuation from it the rules do, and then it is told what went where.
 */
export function told(segment: Segment, reader: Reader, zones: ZoneLayout[]): string[] {
  const mover = typeof segment.cause === "object" && "move" in segment.cause ? segment.cause.move.seat : null;
  let first: Moved | null = null;
  return segment.events.flatMap((event): string[] => {
    if ("announced" in event) return [lineText(event.announced.text, reader)];
    if ("revealed" in event && event.revealed.text) return [lineText(event.revealed.text, reader)];
    if (!("moved" in event) || mover === null) return [];
    const { moved } = event;
    first ??= moved;
    const own =
      !segment.isContinuation && moved.from === first.from && moved.to === first.to && isOf(mover, moved, zones);
    return own ? done(moved, mover, reader, zones) : passed(moved, reader, zones);
  });
}

function isOf(mover: number, { from, to, came }: Moved, zones: ZoneLayout[]): boolean {
  const owner = (zone: number | null) => (zone === null ? undefined : zones[zone]?.owner);
  return owner(from) === mover || owner(to) === mover || came.some(({ card }) => card.by === mover);
}

/** By somebody: what they lay down, or from where they take. */
function done(moved: Moved, mover: number, reader: Reader, zones: ZoneLayout[]): string[] {
  const { from, to, count } = moved;
  const who = reader.nameOf(mover);
  const names = namesOf(moved, reader.faces);
  if (to !== null && names) return [text.table.moved(who, names, place(to, zones, reader, mover))];
  if (count > MAX_CARDS || from === null) return [];
  if (zones[from]?.owner !== mover) return [text.table.draws(who, count, place(from, zones, reader))];
  if (to === null) return passed(moved, reader, zones);
  return [text.table.moved(who, text.table.cards(count), place(to, zones, reader, mover))];
}

/** By the rules. */
function passed(moved: Moved, reader: Reader, zones: ZoneLayout[]): string[] {
  const { from, to, count } = moved;
  // Several that lay open all the while need not be read out once more.
  const known = count > 1 && moved.came.every(({ card }) => moved.gone.includes(card.handle));
  const names = known ? null : namesOf(moved, reader.faces);
  if (!names && count > MAX_CARDS) return [];
  const what = names ?? text.table.cards(count);
  if (from === null) return to === null ? [] : [text.table.comes(what, place(to, zones, reader))];
  return [
    to === null
      ? text.table.leaves(what, place(from, zones, reader))
      : text.table.passes(what, place(from, zones, reader), place(to, zones, reader)),
  ];
}

/** The cards that came into sight; null where there are none, or too many. */
function namesOf({ came }: Moved, faces: CardFace[]): string | null {
  const seen = came.filter(({ card }) => card.face !== undefined);
  if (seen.length === 0 || seen.length > MAX_CARDS) return null;
  const name = (face: number | undefined) =>
    cardName(face === undefined ? undefined : faces[face], undefined, text.table.faceDown);
  return seen.map(({ card }) => card.written ?? name(card.face)).join(", ");
}

/** Of whoever does something with it, it needs no name. */
const place = (zone: number, zones: ZoneLayout[], reader: Reader, mover?: number) => {
  const layout = zones[zone];
  return layout ? zoneName(layout, reader.nameOf, mover) : "";
};
