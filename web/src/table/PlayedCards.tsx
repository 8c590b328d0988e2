/** What was played, lying towards its player; what nobody in particular played lies in the middle. */
import type { CardView } from "../protocol/types";
import { useTable } from "./context";
import { apart, clustered, type Place, type Size, towards } from "./geometry";
import { scaleOf } from "./placement";
import { TargetCard } from "./TargetCard";

interface PlayedCardsProps {
  zones: number[];
  area: Size;
  seat: Size;
  /** Seats round the table, with their places. */
  others: number[];
  places: Place[];
}

export function PlayedCards({ zones, area, seat, others, places }: PlayedCardsProps) {
  const { view, table, rem, narrow } = useTable();
  const scale = Math.max(...zones.map((zone) => scaleOf(table.zones[zone])), 0.72);
  const wanted = narrow ? Math.min(60, area.height * 0.155) : Math.min(6.6 * rem, area.height * 0.19);
  const width = Math.round(wanted * Math.min(1.25, scale) * (others.length > 5 ? 0.86 : 1));
  const card = { width, height: width * 1.4 };
  // Seats at the far side take room at the top; the viewer's own is outside. What is left is for what is played.
  const top = places.reduce(
    (low, { y }) => (y - seat.height / 2 < area.height * 0.12 ? Math.max(low, y + seat.height / 2) : low),
    0,
  );
  const centre = { width: area.width, height: area.height + top };
  // As far out as the seats leave room, but no farther than a glance takes in.
  const reach = {
    width: Math.max(
      width * 0.95,
      Math.min(area.width / 2 - seat.width - width * 0.62, width * (others.length > 3 ? 3 : 2.1)),
    ),
    height: Math.max(
      card.height * 0.55,
      Math.min((area.height - top) / 2 - card.height * 0.52, card.height * (narrow ? 1.7 : 1.25)),
    ),
  };
  const me = { x: area.width / 2, y: area.height + top };
  /** Keeps cards clear of the seats at the sides, where there is room for both. */
  const clamped = (x: number, half: number) => {
    const least = Math.min(area.width / 2, seat.width + half + width * 0.16);
    return Math.max(least, Math.min(area.width - least, x));
  };
  return zones.map((zone) => {
    const content = view.zones[zone]?.content;
    if (!content || content === "nothing" || !("cards" in content)) return null;
    const turned = view.zones[zone]?.turned ?? false;
    const groups = grouped(content.cards);
    const halfOf = (count: number) => width / 2 + (width * Math.min(0.42, 2.2 / count) * (count - 1)) / 2;
    const aimed = groups.map(({ by, cards }) => {
      const at = by === view.seat ? me : places[others.indexOf(by ?? -1)];
      const base = at ? towards(at, centre, reach) : { x: centre.width / 2, y: centre.height / 2, angle: 0 };
      return { ...base, x: clamped(base.x, halfOf(cards.length)) };
    });
    // Many cards may overlap; a few need not.
    const bases = others.length <= 3 ? apart(aimed, card, area.height) : aimed;
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
          const offsets = clustered(cards.length, card, Math.min(0.42, 2.2 / cards.length));
          return cards.map((shown, i) => {
            const offset = offsets[i] ?? { x: 0, y: 0, angle: 0 };
            const x = base.x + offset.x - width / 2;
            const y = base.y + offset.y - card.height / 2;
            return (
              <TargetCard
                key={shown.handle}
                card={shown}
                width={width}
                turned={turned}
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

/** Cards by player, in the order in which the players' first cards lie. */
function grouped(cards: CardView[]): { by: number | undefined; cards: CardView[] }[] {
  const groups: { by: number | undefined; cards: CardView[] }[] = [];
  for (const card of cards) {
    const group = groups.find((g) => g.by === card.by);
    if (group) group.cards.push(card);
    else groups.push({ by: card.by, cards: [card] });
  }
  return groups;
}
