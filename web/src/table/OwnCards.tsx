/**
 * The viewer's own cards: rows and grids that lie before the viewer, at a size to read and touch, and the hands below
 * them. A hand that never holds more than a card or two, such as a drawn card, lies apart, beside the others.
 */
import { useRef } from "react";
import { cardCount } from "../state/content";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { Hand } from "./Hand";
import { LaidGroup } from "./LaidGroup";
import { countRows, type Placement } from "./placement";
import { apartCard, apartUpTo, cardRatio, ownCard, ownGap, ownHeightAbove, ownMargin, ownTitle } from "./sizes";
import { TargetCard } from "./TargetCard";
import { useSize, useViewport } from "./useSize";
import "./own-cards.css";

export function OwnCards({ placed, sideways }: { placed: Placement; sideways: boolean }) {
  const { view, table, rem, narrow } = useTable();
  const viewport = useViewport();
  const ref = useRef<HTMLDivElement>(null);
  const { width } = useSize(ref);
  const mostCards = useRef(new Map<number, number>());
  const countIn = (zone: number) => cardCount(view.zones[zone]?.content);
  for (const zone of placed.hand) {
    mostCards.current.set(zone, Math.max(mostCards.current.get(zone) ?? 0, countIn(zone)));
  }
  const groups = placed.before.filter(({ zones }) => zones.some((zone) => countIn(zone) > 0));
  const hasOthers = groups.length > 0 || placed.hand.length > 1;
  const isApart = (zone: number) => hasOthers && (mostCards.current.get(zone) ?? 0) <= apartUpTo;
  const apart = placed.hand.filter((zone) => isApart(zone) && countIn(zone) > 0);
  const hands = placed.hand.filter((zone) => !isApart(zone));
  const rows = countRows(groups);
  const across = Math.max(1, ...groups.map(({ columns }) => columns));
  const apartWidth = apartCard(narrow) * rem;
  const space = width - (apart.length > 0 ? apartWidth + ownMargin * rem : 0) - ownMargin * rem;
  const above = ownHeightAbove[sideways ? "sideways" : narrow ? "phone" : "wide"];
  const height = viewport.height - (above + ownTitle * groups.length) * rem;
  const byHeight = height / Math.max(1, rows) / (cardRatio * (1 + ownGap));
  const cardWidth = Math.floor(
    Math.max(ownCard.min * rem, Math.min(ownCard.max(narrow) * rem, byHeight, space / (across * (1 + ownGap)))),
  );
  return (
    <>
      <div ref={ref} className={`mine-before ${groups.length + apart.length === 0 ? "is-empty" : ""}`}>
        {width > 0 && groups.length > 0 && (
          <div className="mine-laid" style={{ "--own-title": `${ownTitle}rem` } as React.CSSProperties}>
            {groups.map((group) => (
              <LaidGroup key={group.id} group={group} cardWidth={cardWidth} space={space} />
            ))}
          </div>
        )}
        {apart.map((zone) => (
          <ApartCards key={zone} zone={zone} width={apartWidth} title={table.zones[zone]?.title ?? text.table.hand} />
        ))}
      </div>
      {hands.map((zone) => (
        <Hand key={zone} zone={zone} content={view.zones[zone]?.content} sideways={sideways} />
      ))}
    </>
  );
}

function ApartCards({ zone, width, title }: { zone: number; width: number; title: string }) {
  const { view } = useTable();
  const content = view.zones[zone]?.content;
  if (!content || content === "nothing" || !("cards" in content)) return null;
  return (
    <div className="mine-apart" data-zone={zone}>
      <span className="laid-title">{title}</span>
      <ul aria-label={title}>
        {content.cards.map((card) => (
          <li key={card.handle}>
            <TargetCard card={card} width={width} />
          </li>
        ))}
      </ul>
    </div>
  );
}
