/** Cards and zones in words, for screen readers: "7♠" is read as "7 of spades". */
import { suitOf } from "../cards/suits";
import type { CardFace, RichText, ZoneLayout } from "../protocol/types";
import { text } from "./catalogue";
import { isolateName } from "./isolate";
import type { Reader } from "./line";

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

/** A line as screen readers read it. The blanks of a prompt are read as a word, not as a row of signs. */
export const spokenText = (line: RichText, { nameOf, faces }: Reader): string =>
  line
    .map((piece) => {
      if ("text" in piece) return piece.text;
      if ("seat" in piece) return nameOf(piece.seat);
      return "face" in piece ? cardName(faces[piece.face], undefined, text.table.faceDown) : isolateName(piece.written);
    })
    .join("")
    .replace(/_{2,}/g, text.table.blank);
