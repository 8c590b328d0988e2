/** Played cards, each lying towards the player who played it; a card that nobody played lies in the centre. */
import type { CardView } from "../protocol/types";
import { visibleCards } from "../state/content";
import { useTable } from "./context";
import {
  arrangeInColumns,
  cardSize,
  coversRanks,
  fanOffsets,
  type Position,
  placeTowards,
  type Size,
  separateCards,
  topSeatsBottom,
} from "./geometry";
import { scaleOf } from "./placement";
import {
  fullPlayedCardsUpTo,
  longReachX,
  manyPlayedScale,
  maxFanStep,
  maxPlayedScale,
  maxReachY,
  minPlayedCardPx,
  minPlayedScale,
  minReachX,
  minReachY,
  playedCardPhonePx,
  playedCardPhoneShare,
  playedCardWide,
  playedCardWideShare,
  playedColumnGap,
  playedColumns,
  playedSideGap,
  reachEdgeGap,
  reachSeatGap,
  separatedUpTo,
  shortReachUpTo,
  shortReachX,
  totalFanStep,
} from "./sizes";
import { TargetCard } from "./TargetCard";

interface PlayedCardsProps {
  zones: number[];
  area: Size;
  seat: Size;
  /** Seats round the table, with their places. */
  others: number[];
  places: Position[];
}

export function PlayedCards({ zones, area, seat, others, places }: PlayedCardsProps) {
  const { view, table, rem, narrow } = useTable();
  const scale = Math.max(...zones.map((zone) => scaleOf(table.zones[zone])), minPlayedScale);
  const preferred = narrow
    ? Math.min(playedCardPhonePx, area.height * playedCardPhoneShare)
    : Math.min(playedCardWide * rem, area.height * playedCardWideShare);
  const crowdScale = others.length > fullPlayedCardsUpTo ? manyPlayedScale : 1;
  // On a phone three cards must fit side by side between the seats.
  const byColumns = narrow
    ? (area.width - 2 * seat.width) / (playedColumns * (1 + playedColumnGap))
    : Number.POSITIVE_INFINITY;
  const crowded = others.length > fullPlayedCardsUpTo ? Math.max(byColumns, minPlayedCardPx) : byColumns * 2;
  const width = Math.round(Math.min(crowded, preferred * Math.min(maxPlayedScale, scale) * crowdScale));
  const card = cardSize(width);
  // The seats at the far side take space at the top; the viewer's seat is outside. Played cards get what is left.
  const top = topSeatsBottom(places, seat, area);
  const centre = { width: area.width, height: area.height + top };
  // As far out as the seats allow, but close enough to be seen at a glance.
  const farthestX = width * (others.length > shortReachUpTo ? longReachX : shortReachX);
  const farthestY = card.height * maxReachY(narrow);
  const reach = {
    width: Math.max(width * minReachX, Math.min(area.width / 2 - seat.width - width * reachSeatGap, farthestX)),
    height: Math.max(
      card.height * minReachY,
      Math.min((area.height - top) / 2 - card.height * reachEdgeGap, farthestY),
    ),
  };
  const viewerPlace = { x: area.width / 2, y: area.height + top };
  /** Keeps cards clear of the seats at the sides, if there is room for both. */
  const clampX = (x: number, half: number) => {
    const least = Math.min(area.width / 2, seat.width + half + width * playedSideGap);
    return Math.max(least, Math.min(area.width - least, x));
  };
  const fanStep = (count: number) => Math.min(maxFanStep, totalFanStep / count);
  const halfWidthOf = (count: number) => width / 2 + (width * fanStep(count) * (count - 1)) / 2;
  /** Moves cards so that no card hides another's rank, if each player has played one card. */
  const placeApart = (targets: Position[], areSingle: boolean): Position[] => {
    const separated = others.length <= separatedUpTo ? separateCards(targets, card, area.height) : targets;
    if (!areSingle || !coversRanks(separated, card)) return separated;
    const margin = Math.min(area.width / 2 - width, seat.width + width * playedSideGap);
    const space = { left: margin, top, width: area.width - 2 * margin, height: area.height - top };
    return arrangeInColumns(targets, card, space);
  };
  return zones.map((zone) => {
    const shown = view.zones[zone];
    if (!shown || shown.content === "nothing" || !("cards" in shown.content)) return null;
    const groups = groupByPlayer(visibleCards(shown.content));
    const targets = groups.map(({ by, cards }) => {
      const place = by === view.seat ? viewerPlace : places[others.indexOf(by ?? -1)];
      const base = place ? placeTowards(place, centre, reach) : { x: centre.width / 2, y: centre.height / 2, angle: 0 };
      return { ...base, x: clampX(base.x, halfWidthOf(cards.length)) };
    });
    const bases = placeApart(
      targets,
      groups.every(({ cards }) => cards.length === 1),
    );
    return (
      <div
        key={zone}
        className="towards"
        role="group"
        aria-label={table.zones[zone]?.title}
        data-zone={zone}
        data-shape="towards"
      >
        {groups.map(({ cards }, group) => {
          const base = bases[group] ?? { x: 0, y: 0, angle: 0 };
          const offsets = fanOffsets(cards.length, card, fanStep(cards.length));
          return cards.map((played, i) => {
            const offset = offsets[i] ?? { x: 0, y: 0, angle: 0 };
            const x = base.x + offset.x - width / 2;
            const y = base.y + offset.y - card.height / 2;
            return (
              <TargetCard
                key={played.handle}
                card={played}
                width={width}
                turned={shown.turned}
                layer={cards.length === 1 ? Math.round(y) : undefined}
                className="towards-card"
                transform={`translate(${x}px, ${y}px) rotate(${base.angle + offset.angle}deg)`}
              />
            );
          });
        })}
      </div>
    );
  });
}

/** Groups cards by player, in the order of each player's first card. */
function groupByPlayer(cards: CardView[]): { by: number | undefined; cards: CardView[] }[] {
  const groups: { by: number | undefined; cards: CardView[] }[] = [];
  for (const card of cards) {
    const group = groups.find((g) => g.by === card.by);
    if (group) group.cards.push(card);
    else groups.push({ by: card.by, cards: [card] });
  }
  return groups;
}
