/** The viewer's own cards: large, never clipped, each with a strip wide enough for a thumb. */
import { memo, useMemo, useRef } from "react";
import { isReading, needNames } from "../cards/Card";
import type { CardView, Content } from "../protocol/types";
import { cardScale, useSettings } from "../settings/settings";
import { text } from "../text/catalogue";
import { useChoosing, useSurroundings } from "./context";
import { handCardWidth, handLayout } from "./geometry";
import { scaleOf } from "./placement";
import { TargetCard } from "./TargetCard";
import { useSize, useViewport } from "./useSize";
import "./hand.css";

/** What a thumb needs, in pixels at the usual size of type. */
const STRIP = 28;

export const Hand = memo(function Hand({ zone, content }: { zone: number; content: Content | undefined }) {
  const { table, face } = useSurroundings();
  const title = table.zones[zone]?.title ?? text.table.hand;
  if (!content || content === "nothing" || !("cards" in content)) return null;
  const { cards } = content;
  const named = needNames(cards.map((card) => face(card.face)));
  if (named || cards.some((card) => isReading(face(card.face)))) {
    return <ReadingHand zone={zone} cards={cards} title={title} named={named} />;
  }
  return <FannedHand zone={zone} cards={cards} title={title} />;
});

function FannedHand({ zone, cards, title }: { zone: number; cards: CardView[]; title: string }) {
  const ref = useRef<HTMLUListElement>(null);
  const { width } = useSize(ref);
  const viewport = useViewport();
  const settings = useSettings();
  const hinted = Math.min(1.15, scaleOf(useSurroundings().table.zones[zone]));
  const cardWidth = handCardWidth(viewport, viewport.rem, cardScale(settings) * hinted);
  const layout = useMemo(() => {
    const card = { width: cardWidth, height: cardWidth * 1.4 };
    const rowStrip = Math.max(44, card.height * 0.46);
    return handLayout({
      count: cards.length,
      width,
      card,
      strip: (STRIP * viewport.rem) / 16,
      rowStrip,
      lift: card.height * 0.13,
    });
  }, [cards.length, width, cardWidth, viewport.rem]);
  return (
    <ul ref={ref} className="hand" data-zone={zone} aria-label={title} style={{ height: layout.height }}>
      {cards.map((card, i) => {
        const place = layout.places[i];
        const style = {
          transform: `translate(${place?.x ?? 0}px, ${place?.y ?? 0}px) rotate(${place?.angle ?? 0}deg)`,
        };
        return (
          <li key={card.handle} className="hand-place" style={style}>
            <TargetCard card={card} width={cardWidth} at={i + 1} of={cards.length} />
          </li>
        );
      })}
      {cards.length === 0 && <li className="hand-empty">{text.table.noCards}</li>}
    </ul>
  );
}

/** Cards that are read lie side by side, whole. */
function ReadingHand(props: { zone: number; cards: CardView[]; title: string; named: boolean }) {
  const { zone, cards, title, named } = props;
  const { rem, narrow } = useSurroundings();
  const { decision, selection, stateOf } = useChoosing();
  const aside = !!decision && cards.every(({ handle }) => stateOf({ kind: "card", handle }) === "idle");
  const settings = useSettings();
  const viewport = useViewport();
  // As large as one row allows, down to what can still be read; then there are more rows.
  const inRow = (viewport.width - 3 * rem) / Math.max(1, cards.length) - 0.5 * rem;
  const [least, most] = named ? [7.6, 9.4] : aside ? [8.6, 10.4] : [10.4, 13];
  const width = Math.round(
    narrow ? 10 * rem : Math.max(least * rem, Math.min(most * rem, inRow)) * cardScale(settings),
  );
  return (
    <ul className={`hand-reading ${aside ? "aside" : ""} ${named ? "named" : ""}`} data-zone={zone} aria-label={title}>
      {cards.map((card, i) => {
        const order = selection.cards.indexOf(card.handle);
        return (
          <li key={card.handle}>
            <TargetCard card={card} width={width} at={i + 1} of={cards.length} named={named} />
            {order >= 0 && <span className="order">{order + 1}</span>}
          </li>
        );
      })}
    </ul>
  );
}
