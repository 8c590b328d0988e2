/** The viewer's own cards: large, never clipped, each with a strip that is wide enough for a thumb. */
import { memo, useMemo, useRef } from "react";
import { isTextCard, needTitles } from "../cards/Card";
import type { CardView, Content } from "../protocol/types";
import { cardScale, useSettings } from "../settings/settings";
import { text } from "../text/catalogue";
import { useDecisionState, useEnvironment } from "./context";
import { cardSize, handCardWidth, layOutHand } from "./geometry";
import { scaleOf } from "./placement";
import {
  handLiftShare,
  handRowShare,
  maxHandScale,
  minHandRowPx,
  textHand,
  textHandGap,
  textHandMargin,
  textHandPhone,
  thumbStripPx,
  usualRemPx,
} from "./sizes";
import { TargetCard } from "./TargetCard";
import { useSize, useViewport } from "./useSize";
import "./hand.css";

export const Hand = memo(function Hand({ zone, content }: { zone: number; content: Content | undefined }) {
  const { table, face } = useEnvironment();
  const title = table.zones[zone]?.title ?? text.table.hand;
  if (!content || content === "nothing" || !("cards" in content)) return null;
  const { cards } = content;
  const titleOnly = needTitles(cards.map((card) => face(card.face)));
  if (titleOnly || cards.some((card) => isTextCard(face(card.face)))) {
    return <TextHand zone={zone} cards={cards} title={title} titleOnly={titleOnly} />;
  }
  return <FannedHand zone={zone} cards={cards} title={title} />;
});

function FannedHand({ zone, cards, title }: { zone: number; cards: CardView[]; title: string }) {
  const ref = useRef<HTMLUListElement>(null);
  const { width } = useSize(ref);
  const viewport = useViewport();
  const settings = useSettings();
  const hinted = Math.min(maxHandScale, scaleOf(useEnvironment().table.zones[zone]));
  const cardWidth = handCardWidth(viewport, viewport.rem, cardScale(settings) * hinted);
  const layout = useMemo(() => {
    const card = cardSize(cardWidth);
    return layOutHand({
      count: cards.length,
      width,
      card,
      strip: (thumbStripPx * viewport.rem) / usualRemPx,
      rowStrip: Math.max(minHandRowPx, card.height * handRowShare),
      lift: card.height * handLiftShare,
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

/** Cards with text lie side by side, whole. */
function TextHand(props: { zone: number; cards: CardView[]; title: string; titleOnly: boolean }) {
  const { zone, cards, title, titleOnly } = props;
  const { rem, narrow } = useEnvironment();
  const { decision, selection, stateOf } = useDecisionState();
  const isAside = !!decision && cards.every(({ handle }) => stateOf({ kind: "card", handle }) === "idle");
  const settings = useSettings();
  const viewport = useViewport();
  // As large as one row allows, but large enough to be read; then there are several rows.
  const inRow = (viewport.width - textHandMargin * rem) / Math.max(1, cards.length) - textHandGap * rem;
  const [min, max] = titleOnly ? textHand.titled : isAside ? textHand.aside : textHand.normal;
  const width = Math.round(
    narrow ? textHandPhone * rem : Math.max(min * rem, Math.min(max * rem, inRow)) * cardScale(settings),
  );
  return (
    <ul
      className={`hand-reading ${isAside ? "aside" : ""} ${titleOnly ? "named" : ""}`}
      data-zone={zone}
      aria-label={title}
    >
      {cards.map((card, i) => {
        const order = selection.cards.indexOf(card.handle);
        return (
          <li key={card.handle}>
            <TargetCard card={card} width={width} at={i + 1} of={cards.length} titleOnly={titleOnly} />
            {order >= 0 && <span className="order">{order + 1}</span>}
          </li>
        );
      })}
    </ul>
  );
}
