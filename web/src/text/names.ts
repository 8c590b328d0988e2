/** Cards and zones in words, for screen readers: "7♠" is read as "7 of spades". */
import { suitOf } from "../cards/suits";
import type { CardFace, ZoneLayout } from "../protocol/types";
import { text } from "./catalogue";

const RANKS: Record<string, string> = { A: "ace", K: "king", Q: "queen", J: "jack" };

export function cardName(face: CardFace | undefined, written: string | undefined, unseen: string): string {
  if (written !== undefined) return written;
  if (!face) return unseen;
  const { rank, suit } = face.attributes ?? {};
  const known = suitOf(suit);
  if (rank && known) return `${RANKS[rank] ?? rank} of ${known.name}`;
  if (face.sign && !known)
    return face.title && !face.label.includes(face.title) ? `${face.label}, ${face.title}` : face.label;
  if (face.number !== undefined && face.title) return `${face.number}, ${face.title}`;
  return face.text || face.label;
}

/** The name of a zone with its owner, unless that is `mine`, and with its index. */
export function zoneName(layout: ZoneLayout, nameOf: (seat: number) => string, mine?: number): string {
  const index = layout.index ?? [];
  const places = index.filter(({ seat }) => !seat).map(({ label }) => label);
  const title = [layout.title, ...places].join(" ");
  const owner = layout.owner ?? index.find(({ seat }) => seat)?.value;
  return owner === undefined || owner === mine ? title : text.table.of(nameOf(owner), title);
}
