/** Small things at a seat: piles with their count, and dice. */
import { memo } from "react";
import { Card, isTextCard } from "../cards/Card";
import { Cup, Die } from "../cards/Die";
import type { CardView, ZoneView } from "../protocol/types";
import { cardCount, visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useDecisionState, useEnvironment, useTable } from "./context";
import { diceInPlay } from "./DiceTray";
import { HitArea } from "./HitArea";
import { ZoneCardsButton } from "./Pile";
import { miniPileCard, miniPileFreeShare, miniPileMaxRow, miniPileOpenCard } from "./sizes";

/**
 * The top card, small, with a count; nothing while the pile is empty. Face-up cards in a row, and a single face-up
 * card, are larger, so that people can read them; they need no count.
 */
export const MiniPile = memo(function MiniPile(props: { zone: number; shown: ZoneView | undefined; isOwn?: boolean }) {
  const { zone, shown, isOwn = false } = props;
  const { table, you, reader, face, theme, rem, narrow } = useEnvironment();
  const { stateOf, highlighted } = useDecisionState();
  const owner = isOwn ? "own" : "other";
  const layout = table.zones[zone];
  if (!shown || !layout || shown.content === "nothing") return null;
  const cards = visibleCards(shown.content);
  const count = cardCount(shown.content);
  if (count === 0) return null;
  // A card with text would be too small to read here, so the pile draws its back.
  const legible = (card: CardView | undefined) => card?.face !== undefined && !isTextCard(face(card.face));
  const isRow = layout.shape === "row" || layout.shape === "slots";
  const isOpen = !shown.turned && cards.length > 0 && cards.every(legible) && (isRow || count === 1);
  const width = (isOpen ? miniPileOpenCard(narrow) : miniPileCard[owner]) * rem;
  const maxRow = miniPileMaxRow[owner](narrow) * rem;
  const strip = count > 1 ? Math.min(width * miniPileFreeShare, (maxRow - width) / (count - 1)) : width;
  const top = cards.at(-1);
  const state = stateOf({ kind: "pile", zone });
  const title = zoneName(layout, reader.nameOf, you.seat);
  const names = (isOpen ? cards : []).map((card) => cardName(face(card.face), card.written, text.table.faceDown));
  const label = [text.table.pile(title, count), ...names].join(", ");
  const idle = state === "idle" ? { role: "img", "aria-label": label } : {};
  const isBrowsable = state === "idle" && top !== undefined && !shown.turned;
  return (
    <span className={`mini-pile is-${state} ${isOpen ? "is-row" : ""}`} data-zone={zone} title={label}>
      <span className="pile-drawn" {...idle}>
        {isOpen ? (
          cards.map((card, i) => (
            <span
              key={card.handle}
              className={`mini-open ${highlighted.has(card.handle) ? "is-highlighted" : ""}`}
              data-handle={card.handle}
              style={{ marginLeft: i === 0 ? 0 : strip - width }}
            >
              <Card face={face(card.face)} theme={theme} width={width} />
            </span>
          ))
        ) : (
          <Card face={shown.turned || !legible(top) ? undefined : face(top?.face)} theme={theme} width={width} />
        )}
      </span>
      {!isOpen && count > 1 && (
        <span className="mini-count" aria-hidden="true">
          {count}
        </span>
      )}
      {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
      {isBrowsable && <ZoneCardsButton zone={zone} title={title} />}
    </span>
  );
});

/** The dice of one seat; dice that belong to no player are in the middle. */
export function SeatDice({ seat }: { seat: number }) {
  const { table, view } = useTable();
  return table.dice.map((layout, dice) => {
    const own = diceInPlay(layout, view.dice[dice], seat);
    if (own.length === 0) return null;
    const faces = own.map((element) => view.dice[dice]?.faces[element] ?? null);
    if (faces.every((face) => face === null)) {
      return (
        <span key={layout.id} className="seat-dice" role="img" aria-label={text.table.cup}>
          <Cup />
        </span>
      );
    }
    // The player has not rolled yet, or has lost all dice.
    if (layout.low > 0 && faces.every((face) => face === 0)) return null;
    return (
      <span key={layout.id} className="seat-dice">
        {own.map((element) => (
          <span key={element} className="mini-die">
            <Die face={view.dice[dice]?.faces[element] ?? null} layout={layout} />
          </span>
        ))}
      </span>
    );
  });
}
