/** The viewer's own cards: large, never clipped, each with a strip that is wide enough for a thumb. */
import { memo, useMemo, useRef, useState } from "react";
import { isTextCard, needTitles } from "../cards/Card";
import type { CardView, Content } from "../protocol/types";
import { cardScale, useSettings } from "../settings/settings";
import { orderedPart } from "../state/controls";
import { putAt } from "../state/order";
import { text } from "../text/catalogue";
import { useDecisionState, useEnvironment } from "./context";
import { followDrag, liftCopy, placeAt } from "./drag";
import { cardSize, handCardWidth, layOutHand, nearestPlace } from "./geometry";
import { arrangeHand, moveInHand } from "./handOrder";
import { scaleOf } from "./placement";
import {
  handLiftShare,
  handRowShare,
  maxHandScale,
  minHandRowPx,
  sidewaysHandHeight,
  sidewaysMineShare,
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

interface HandProps {
  zone: number;
  content: Content | undefined;
  /** On a phone on its side the hand has its own part of the screen. */
  sideways?: boolean;
}

export const Hand = memo(function Hand({ zone, content, sideways = false }: HandProps) {
  const { table, face } = useEnvironment();
  const title = table.zones[zone]?.title ?? text.table.hand;
  if (!content || content === "nothing" || !("cards" in content)) return null;
  const { cards } = content;
  const titleOnly = needTitles(cards.map((card) => face(card.face)));
  if (titleOnly || cards.some((card) => isTextCard(face(card.face)))) {
    return <TextHand zone={zone} cards={cards} title={title} titleOnly={titleOnly} />;
  }
  return <FannedHand zone={zone} cards={cards} title={title} sideways={sideways} />;
});

/** How tall a hand was at a width: it stays as tall when it has fewer rows, so that the table above does not jump. */
interface KeptHeight {
  width: number;
  cardWidth: number;
  height: number;
}

function FannedHand(props: { zone: number; cards: CardView[]; title: string; sideways: boolean }) {
  const { zone, title, sideways } = props;
  const ref = useRef<HTMLUListElement>(null);
  const { width } = useSize(ref);
  const viewport = useViewport();
  const settings = useSettings();
  const { table, face } = useEnvironment();
  const canSort = table.zones[zone]?.ordered === false;
  const cards = useMemo(
    () => (canSort ? arrangeHand(props.cards, settings.handOrder, zone, table.faces, face) : props.cards),
    // Sorting by hand also changes the settings, so the settings tell when to compute the order again.
    [props.cards, canSort, settings, zone, table.faces, face],
  );
  const hinted = Math.min(maxHandScale, scaleOf(table.zones[zone]));
  const window = sideways
    ? { width: viewport.width * sidewaysMineShare, height: viewport.height * sidewaysHandHeight }
    : viewport;
  const cardWidth = handCardWidth(window, viewport.rem, cardScale(settings) * hinted);
  const kept = useRef<KeptHeight>({ width: 0, cardWidth: 0, height: 0 });
  const layout = useMemo(() => {
    const card = cardSize(cardWidth);
    const rowStrip = Math.max(minHandRowPx, card.height * handRowShare);
    const needed = layOutHand({
      count: cards.length,
      width,
      card,
      strip: (thumbStripPx * viewport.rem) / usualRemPx,
      rowStrip,
      lift: card.height * handLiftShare,
    });
    if (width <= 0) return needed;
    const before = kept.current;
    const isSame = before.width === width && before.cardWidth === cardWidth;
    // Two rows of thin strips may stay empty; more would take too much from the table.
    const isKept = isSame && before.height - needed.height < 2.5 * rowStrip;
    const height = isKept ? Math.max(before.height, needed.height) : needed.height;
    kept.current = { width, cardWidth, height };
    // The cards lie at the near edge, where a thumb reaches them.
    const down = height - needed.height;
    return { ...needed, height, places: needed.places.map((place) => ({ ...place, y: place.y + down })) };
  }, [cards.length, width, cardWidth, viewport.rem]);
  const sortByHand = (event: React.PointerEvent, handle: number) => {
    if (!canSort || cards.length < 2) return;
    followDrag(event, {
      onStart: () => liftCopy((event.target as HTMLElement).closest("li")?.querySelector(".card")),
      onDrop: ({ x, y }) => {
        const box = ref.current?.getBoundingClientRect();
        if (!box) return;
        const to = nearestPlace(layout.places, { x: x - box.left, y: y - box.top }, cardSize(cardWidth));
        moveInHand(zone, cards, handle, to);
      },
    });
  };
  const sortByKey = (event: React.KeyboardEvent, handle: number, at: number) => {
    const step = event.shiftKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (!canSort || step === undefined) return;
    event.preventDefault();
    event.nativeEvent.stopImmediatePropagation();
    moveInHand(zone, cards, handle, Math.max(0, at + step));
  };
  return (
    <ul ref={ref} className="hand" data-zone={zone} aria-label={title} style={{ height: layout.height }}>
      {cards.map((card, i) => {
        const place = layout.places[i];
        const style = {
          transform: `translate(${place?.x ?? 0}px, ${place?.y ?? 0}px) rotate(${place?.angle ?? 0}deg)`,
        };
        return (
          <li
            key={card.handle}
            className="hand-place"
            style={style}
            onPointerDown={(event) => sortByHand(event, card.handle)}
            onKeyDown={(event) => sortByKey(event, card.handle, i)}
          >
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
  const { rem, narrow, select } = useEnvironment();
  const { decision, selection, stateOf } = useDecisionState();
  const isAside = !!decision && cards.every(({ handle }) => stateOf({ kind: "card", handle }) === "idle");
  // While the decision is about a row of answers, the answers need the room, and the person's own cards get smaller.
  const isJudging = isAside && decision.alternatives.some(({ parts }) => parts.some(({ kind }) => "pile" in kind));
  const [isOut, setIsOut] = useState(false);
  const settings = useSettings();
  const viewport = useViewport();
  // As large as one row allows, but large enough to be read; then there are several rows.
  const inRow = (viewport.width - textHandMargin * rem) / Math.max(1, cards.length) - textHandGap * rem;
  const [min, max] = titleOnly ? textHand.titled : isAside ? textHand.aside : textHand.normal;
  const width = Math.round(
    narrow ? textHandPhone * rem : Math.max(min * rem, Math.min(max * rem, inRow)) * cardScale(settings),
  );
  const ordered = orderedPart(decision);
  const dragToSlot = (event: React.PointerEvent, handle: number) => {
    if (!ordered || stateOf({ kind: "card", handle }) === "idle") return;
    followDrag(event, {
      onStart: () => liftCopy((event.target as HTMLElement).closest("li")?.querySelector(".card")),
      onDrop: (at) => {
        const slot = placeAt("slot", at);
        if (slot >= 0) select({ ...selection, cards: putAt(selection.cards, handle, slot, ordered.high) });
      },
    });
  };
  const toggle = isJudging && cards.length > 0 && (
    <button
      type="button"
      className="button small on-cloth secondary hand-toggle"
      aria-expanded={isOut}
      onClick={() => setIsOut(!isOut)}
    >
      {isOut ? text.table.hideHand : text.table.showHand(cards.length)}
    </button>
  );
  if (toggle && !isOut) return toggle;
  return (
    <>
      {toggle}
      <ul
        className={`hand-reading ${isAside ? "aside" : ""} ${titleOnly ? "named" : ""}`}
        data-zone={zone}
        aria-label={title}
      >
        {cards.map((card, i) => {
          const order = selection.cards.indexOf(card.handle);
          return (
            <li key={card.handle} onPointerDown={(event) => dragToSlot(event, card.handle)}>
              <TargetCard card={card} width={width} at={i + 1} of={cards.length} titleOnly={titleOnly} />
              {order >= 0 && <span className="order">{order + 1}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}
