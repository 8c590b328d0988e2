/**
 * Numbered slots for cards whose order matters. A tap on a card fills a slot; so does a card that is dropped on it.
 * Dragging and arrow keys change the order.
 */
import { useState } from "react";
import { visibleCards } from "../state/content";
import { moveItem } from "../state/order";
import { text } from "../text/catalogue";
import { cardName } from "../text/names";
import { useTable } from "./context";
import { followDrag, liftCopy, placeAt } from "./drag";

export function OrderedSlots({ low, high }: { low: number; high: number }) {
  const { selection, select, view, face } = useTable();
  const [dragged, setDragged] = useState<number | null>(null);
  /** The slot under the dragged card. */
  const [over, setOver] = useState(-1);
  const cards = selection.cards;
  const places = Math.max(low, Math.min(high, cards.length + (low === high ? 0 : 1)));
  const all = view.zones.flatMap(({ content }) => visibleCards(content));
  const nameOf = (handle: number) => {
    const card = all.find((c) => c.handle === handle);
    return cardName(face(card?.face), card?.written, text.table.faceDown);
  };
  const move = (from: number, to: number) => select({ ...selection, cards: moveItem(cards, from, to) });
  const remove = (at: number) => select({ ...selection, cards: cards.filter((_, i) => i !== at) });

  const drag = (event: React.PointerEvent<HTMLElement>, handle: number) =>
    followDrag(event, {
      onStart: () => {
        setDragged(handle);
        return liftCopy((event.target as HTMLElement).closest(".slot"));
      },
      onMove: (at) => setOver(placeAt("slot", at)),
      // The order changes once, when the card is dropped: it lands on the slot under the pointer.
      onDrop: (at) => {
        const to = placeAt("slot", at);
        if (to >= 0) move(cards.indexOf(handle), Math.min(to, cards.length - 1));
        stop();
      },
      onCancel: () => stop(),
    });
  const stop = () => {
    setDragged(null);
    setOver(-1);
  };

  return (
    <ol className="ordered-slots" aria-label={cards.length > 1 ? text.table.reorder : undefined}>
      {Array.from({ length: places }, (_, at) => {
        const handle = cards[at];
        if (handle === undefined) {
          return (
            <li
              key={`empty${String(at)}`}
              className="slot is-empty"
              data-slot={at}
              aria-label={text.table.slotEmpty(at + 1)}
            >
              <b>{at + 1}</b>
            </li>
          );
        }
        const name = nameOf(handle);
        return (
          <li
            key={handle}
            className={`slot ${dragged === handle ? "is-dragged" : ""} ${over === at ? "is-over" : ""}`}
            data-slot={at}
          >
            <b>{at + 1}</b>
            <button
              type="button"
              aria-label={text.table.slotFilled(at + 1, name)}
              onPointerDown={(event) => drag(event, handle)}
              onKeyDown={(event) => {
                if (event.key === "ArrowLeft" || event.key === "ArrowUp") move(at, at - 1);
                else if (event.key === "ArrowRight" || event.key === "ArrowDown") move(at, at + 1);
                else if (event.key === "Delete" || event.key === "Backspace") remove(at);
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            >
              {name}
            </button>
            <button
              type="button"
              className="slot-remove"
              aria-label={`${text.table.clear} ${name}`}
              onClick={() => remove(at)}
            >
              ×
            </button>
          </li>
        );
      })}
    </ol>
  );
}
