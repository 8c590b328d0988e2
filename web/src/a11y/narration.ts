/** Puts events into words: announcements, and cards that the viewer sees moving. */
import type { CardFace, Event, ZoneLayout } from "../protocol/types";
import type { Segment } from "../state/segments";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { cardName, zoneName } from "../text/names";

/** More cards at once are a deal or a gathering, which nobody wants to hear in detail. */
const MAX_CARDS = 6;

type Moved = Extract<Event, { moved: unknown }>["moved"];

/**
 * Names the player only for what the player does: the first cards that move, if they leave or reach a zone of the
 * player, or carry the player's mark. Later moves are made by the rules, so the narration tells only what went where.
 */
export function narrate(segment: Segment, reader: Reader, zones: ZoneLayout[]): string[] {
  const mover = typeof segment.cause === "object" && "move" in segment.cause ? segment.cause.move.seat : null;
  let first: Moved | null = null;
  return segment.events.flatMap((event): string[] => {
    if ("announced" in event) return [lineText(event.announced.text, reader)];
    if ("revealed" in event && event.revealed.text) return [lineText(event.revealed.text, reader)];
    if (!("moved" in event) || mover === null) return [];
    const { moved } = event;
    first ??= moved;
    const isPlayerMove =
      !segment.isContinuation && moved.from === first.from && moved.to === first.to && isByPlayer(mover, moved, zones);
    return isPlayerMove ? narratePlayerMove(moved, mover, reader, zones) : narrateRulesMove(moved, reader, zones);
  });
}

function isByPlayer(mover: number, { from, to, came }: Moved, zones: ZoneLayout[]): boolean {
  const owner = (zone: number | null) => (zone === null ? undefined : zones[zone]?.owner);
  return owner(from) === mover || owner(to) === mover || came.some(({ card }) => card.by === mover);
}

/** A move of a player: which cards the player lays down, or from where the player takes cards. */
function narratePlayerMove(moved: Moved, mover: number, reader: Reader, zones: ZoneLayout[]): string[] {
  const { from, to, count } = moved;
  const who = reader.nameOf(mover);
  const names = namesOf(moved, reader.faces);
  if (to !== null && names) return [text.table.moved(who, names, nameZone(to, zones, reader, mover))];
  if (count > MAX_CARDS || from === null) return [];
  if (zones[from]?.owner !== mover) return [text.table.draws(who, count, nameZone(from, zones, reader))];
  if (to === null) return narrateRulesMove(moved, reader, zones);
  return [text.table.moved(who, text.table.cards(count), nameZone(to, zones, reader, mover))];
}

/** A move of the rules. */
function narrateRulesMove(moved: Moved, reader: Reader, zones: ZoneLayout[]): string[] {
  const { from, to, count } = moved;
  // Several cards that were visible before need not be read out again.
  const known = count > 1 && moved.came.every(({ card }) => moved.gone.includes(card.handle));
  const names = known ? null : namesOf(moved, reader.faces);
  if (!names && count > MAX_CARDS) return [];
  const what = names ?? text.table.cards(count);
  if (from === null) return to === null ? [] : [text.table.comes(what, nameZone(to, zones, reader))];
  return [
    to === null
      ? text.table.leaves(what, nameZone(from, zones, reader))
      : text.table.passes(what, nameZone(from, zones, reader), nameZone(to, zones, reader)),
  ];
}

/** The names of the cards that have become visible; null if there are none, or too many. */
function namesOf({ came }: Moved, faces: CardFace[]): string | null {
  const seen = came.filter(({ card }) => card.face !== undefined);
  if (seen.length === 0 || seen.length > MAX_CARDS) return null;
  const name = (face: number | undefined) =>
    cardName(face === undefined ? undefined : faces[face], undefined, text.table.faceDown);
  return seen.map(({ card }) => card.written ?? name(card.face)).join(", ");
}

/** The name of a zone, without its owner if the owner is `mover`. */
const nameZone = (zone: number, zones: ZoneLayout[], reader: Reader, mover?: number) => {
  const layout = zones[zone];
  return layout ? zoneName(layout, reader.nameOf, mover) : "";
};
