/**
 * Numbered slots for cards whose order matters. A tap on a card fills a slot; dragging and arrow keys change the
 * order.
 */
import { useRef, useState } from "react";
import { visibleCards } from "../state/content";
import { moveItem } from "../state/order";
import { text } from "../text/catalogue";
import { cardName } from "../text/names";
import { useTable } from "./context";
import { slotDragMarginPx } from "./sizes";

export function OrderedSlots({ low, high }: { low: number; high: number }) {
  const { selection, select, view, face } = useTable();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const cards = selection.cards;
  const places = Math.max(low, Math.min(high, cards.length + (low === high ? 0 : 1)));
  const all = view.zones.flatMap(({ content }) => visibleCards(content));
  const nameOf = (handle: number) => {
    const card = all.find((c) => c.handle === handle);
    return cardName(face(card?.face), card?.written, text.table.faceDown);
  };
  const move = (from: number, to: number) => select({ ...selection, cards: moveItem(cards, from, to) });
  const remove = (at: number) => select({ ...selection, cards: cards.filter((_, i) => i !== at) });

  /** The filled slot under the pointer, or -1. The pointer may leave the slots a little at the top and the bottom. */
  function placeAt(x: number, y: number): number {
    const items = [...(list.current?.children ?? [])].slice(0, cards.length);
    const found = items.findIndex((item) => {
      const box = item.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top - slotDragMarginPx && y <= box.bottom + slotDragMarginPx;
    });
    return found;
  }

  return (
    <ol className="ordered-slots" ref={list} aria-label={cards.length > 1 ? text.table.reorder : undefined}>
      {Array.from({ length: places }, (_, at) => {
        const handle = cards[at];
        if (handle === undefined) {
          return (
            <li key={`empty${String(at)}`} className="slot is-empty" aria-label={text.table.slotEmpty(at + 1)}>
              <b>{at + 1}</b>
            </li>
          );
        }
        const name = nameOf(handle);
        return (
          <li key={handle} className={`slot ${dragged === handle ? "is-dragged" : ""}`}>
            <b>{at + 1}</b>
            <button
              type="button"
              aria-label={text.table.slotFilled(at + 1, name)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(handle);
              }}
              onPointerMove={(event) => {
                if (dragged !== handle) return;
                const to = placeAt(event.clientX, event.clientY);
                if (to >= 0 && to !== at) move(at, to);
              }}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
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
