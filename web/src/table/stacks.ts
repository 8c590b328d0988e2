/** Puts equal cards together. Pure. */
import type { CardView } from "../protocol/types";

/**
 * The cards as stacks of equal ones, in the order of each stack's first card. In an ordered zone every card is a stack
 * of its own, because its place says something; so is a card that is face down or that somebody wrote on.
 */
export function stackEqualCards(cards: CardView[], ordered: boolean): CardView[][] {
  const stacks: CardView[][] = [];
  const byFace = new Map<number, CardView[]>();
  for (const card of cards) {
    const stack = ordered || card.face === undefined || card.written !== undefined ? null : byFace.get(card.face);
    if (stack) {
      stack.push(card);
      continue;
    }
    const started = [card];
    stacks.push(started);
    if (card.face !== undefined) byFace.set(card.face, started);
  }
  return stacks;
}
