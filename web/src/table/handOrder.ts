/**
 * The order in which a person holds the cards of a hand. In a zone without order the rules ignore it.
 * So all people may sort their own cards: by suit, by rank, or by hand.
 */
import type { CardFace, CardView, Handle, ZoneLayout } from "../protocol/types";
import { changeSettings, type HandOrder } from "../settings/settings";
import { moveItem } from "../state/order";

export type { HandOrder };

/** Whether a person may sort these cards, and whether sorting them by suit and by rank makes a difference. */
export function isSortable(layout: ZoneLayout | undefined, faces: (CardFace | undefined)[]): boolean {
  if (!layout || layout.ordered) return false;
  const differ = (key: (face: CardFace) => string | undefined) =>
    new Set(faces.map((face) => face && key(face))).size > 1;
  return faces.length > 2 && differ(suitKey) && differ(rankKey);
}

const suitKey = ({ attributes, sign }: CardFace) => attributes?.suit ?? sign?.word;
const rankKey = ({ attributes, number }: CardFace) => attributes?.rank ?? number?.toString();

/** The handles of a hand in the order in which the person has laid them, by zone; for as long as the page is open. */
const laid = new Map<number, Handle[]>();

/** The cards in the order that the person wants. Cards that came later than the last sorting by hand stand at the end. */
export function arrangeHand(
  cards: CardView[],
  order: HandOrder,
  zone: number,
  all: CardFace[],
  face: (id: number | undefined) => CardFace | undefined,
): CardView[] {
  if (order === "rules") return cards;
  if (order === "own") {
    const handles = laid.get(zone) ?? [];
    const place = ({ handle }: CardView) => (handles.includes(handle) ? handles.indexOf(handle) : handles.length);
    return cards.toSorted((a, b) => place(a) - place(b));
  }
  const [first, second] = order === "suit" ? [suitKey, rankKey] : [rankKey, suitKey];
  const [byFirst, bySecond] = [ranking(all, first), ranking(all, second)];
  const at = (card: CardView, by: (face: CardFace | undefined) => number) => by(face(card.face));
  return cards.toSorted((a, b) => at(a, byFirst) - at(b, byFirst) || at(a, bySecond) - at(b, bySecond));
}

/** The deck lists its cards from the lowest value to the highest, so the first face with a value tells its rank. */
function ranking(all: CardFace[], key: (face: CardFace) => string | undefined) {
  const values = [...new Set(all.map(key))];
  return (face: CardFace | undefined) => {
    if (!face) return values.length;
    const number = Number(key(face));
    return Number.isNaN(number) || !values.every((value) => !Number.isNaN(Number(value ?? 0)))
      ? values.indexOf(key(face))
      : number;
  };
}

/** Moves a card of a hand to another place; from then on the hand keeps the person's own order. */
export function moveInHand(zone: number, shown: CardView[], handle: Handle, to: number): void {
  const handles = shown.map((card) => card.handle);
  laid.set(zone, moveItem(handles, handles.indexOf(handle), to));
  changeSettings({ handOrder: "own" });
}

const NEXT: Record<HandOrder, HandOrder> = { rules: "suit", suit: "rank", rank: "rules", own: "rules" };

export const nextOrder = (order: HandOrder): HandOrder => NEXT[order];
