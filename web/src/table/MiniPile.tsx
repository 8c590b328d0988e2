/** Small things before a seat: piles with their count, and dice. */
import { memo } from "react";
import { Card, isReading } from "../cards/Card";
import { Cup, Die } from "../cards/Die";
import type { CardView, ZoneView } from "../protocol/types";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useChoosing, useSurroundings, useTable } from "./context";
import { inPlay } from "./DiceTray";
import { HitArea } from "./HitArea";
import { ZoneCardsButton } from "./Pile";

/** The share of a card in a row that the next one leaves free, at most. */
const FREE = 0.66;

/**
 * The top card, small, with a count; nothing while it is empty. A lone card that was turned up is there to be read, and so are
 * those that lie in a row: they are larger, and need no count.
 */
export const MiniPile = memo(function MiniPile(props: { zone: number; shown: ZoneView | undefined; large?: boolean }) {
  const { zone, shown, large = false } = props;
  const { table, you, reader, face, theme, rem, narrow } = useSurroundings();
  const { stateOf, highlighted } = useChoosing();
  const layout = table.zones[zone];
  if (!shown || !layout || shown.content === "nothing") return null;
  const cards = "cards" in shown.content ? shown.content.cards : [];
  const count = "count" in shown.content ? shown.content.count : cards.length;
  if (count === 0) return null;
  // A card to be read is too small to read here; its back says as much.
  const legible = (card: CardView | undefined) => card?.face !== undefined && !isReading(face(card.face));
  const row = layout.shape === "row" || layout.shape === "slots";
  const open = !shown.turned && cards.length > 0 && cards.every(legible) && (row || count === 1);
  const width = (open ? (narrow ? 2.4 : 2.8) : large ? 2.3 : 1.55) * rem;
  const most = (large ? (narrow ? 7 : 11) : narrow ? 6.2 : 8.4) * rem;
  const strip = count > 1 ? Math.min(width * FREE, (most - width) / (count - 1)) : width;
  const top = cards.at(-1);
  const state = stateOf({ kind: "pile", zone });
  const title = zoneName(layout, reader.nameOf, you.seat);
  const names = (open ? cards : []).map((card) => cardName(face(card.face), card.written, text.table.faceDown));
  const label = [text.table.pile(title, count), ...names].join(", ");
  const idle = state === "idle" ? { role: "img", "aria-label": label } : {};
  const looked = state === "idle" && top !== undefined && !shown.turned;
  return (
    <span className={`mini-pile is-${state} ${open ? "is-row" : ""}`} data-zone={zone} title={label}>
      <span className="pile-drawn" {...idle}>
        {open ? (
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
      {!open && count > 1 && (
        <span className="mini-count" aria-hidden="true">
          {count}
        </span>
      )}
      {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
      {looked && <ZoneCardsButton zone={zone} title={title} />}
    </span>
  );
});

/** The dice that belong to a seat; those of nobody are in the middle. */
export function SeatDice({ seat }: { seat: number }) {
  const { table, view } = useTable();
  return table.dice.map((layout, dice) => {
    const own = inPlay(layout, view.dice[dice], seat);
    if (own.length === 0) return null;
    const faces = own.map((element) => view.dice[dice]?.faces[element] ?? null);
    if (faces.every((face) => face === null)) {
      return (
        <span key={layout.id} className="seat-dice" role="img" aria-label={text.table.cup}>
          <Cup />
        </span>
      );
    }
    // Not rolled, or all lost: nothing to see.
    if (layout.low > 0 && faces.every((face) => face === 0)) return null;
    return (
      <span key={layout.id} className="seat-dice">
        {own.map((element) => (
          <span key={element} className="mini-die">
            <Die face={view.dice[dice]?.faces[element] ?? null} low={layout.low} high={layout.high} />
          </span>
        ))}
      </span>
    );
  });
}
