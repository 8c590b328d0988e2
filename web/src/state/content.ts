/** What a viewer sees of the cards in a zone. */
import type { CardFace, CardView, Content, View } from "../protocol/types";

/** The cards that the viewer sees one by one; none where the viewer sees only their number, or nothing. */
export function visibleCards(content: Content | undefined): CardView[] {
  return content && content !== "nothing" && "cards" in content ? content.cards : [];
}

/** The number of cards as far as the viewer knows it. */
export function cardCount(content: Content | undefined): number {
  if (!content || content === "nothing") return 0;
  return "count" in content ? content.count : content.cards.length;
}

/** Cards with words that another player may have written and that lie open before the viewer. */
export function writtenCards({ zones, seat }: View): CardView[] {
  return openCards(zones).filter(({ written, by }) => written !== undefined && (by === undefined || by !== seat));
}

/** The words of packs on cards that lie open before the viewer, each with one card that has them. */
export function packWords({ zones }: View, faces: readonly CardFace[]): { handle: number; words: string }[] {
  const found = new Map<string, number>();
  for (const { handle, face, written } of openCards(zones)) {
    const words = face === undefined || written !== undefined ? undefined : faces[face]?.text;
    if (words && !found.has(words)) found.set(words, handle);
  }
  return [...found].map(([words, handle]) => ({ handle, words }));
}

const openCards = (zones: View["zones"]): CardView[] =>
  zones.filter(({ turned }) => !turned).flatMap(({ content }) => visibleCards(content));
