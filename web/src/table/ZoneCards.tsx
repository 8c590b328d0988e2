/**
 * A panel that lists the face-up cards of a zone, such as earlier tricks or the discard pile. The newest play comes
 * first.
 */
import { Card, isTextCard } from "../cards/Card";
import type { CardView } from "../protocol/types";
import { SidePanel } from "../shell/SidePanel";
import { visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useTable } from "./context";
import { listedCard, listedCardWithText } from "./sizes";
import "./zone-cards.css";

export function ZoneCardsPanel({ zone, onClose }: { zone: number; onClose: () => void }) {
  const { view, table, you, reader } = useTable();
  const cards = visibleCards(view.zones[zone]?.content);
  const layout = table.zones[zone];
  if (!layout) return null;
  return (
    <SidePanel title={text.table.lookTitle(zoneName(layout, reader.nameOf, you.seat), cards.length)} onClose={onClose}>
      <ol className="look">
        {groupPlays(cards).map(({ by, cards: played }) => (
          <li key={played[0]?.handle}>
            {by !== undefined && (
              <span className="look-by">
                <bdi>{reader.nameOf(by)}</bdi>
              </span>
            )}
            <CardRow cards={played} />
          </li>
        ))}
      </ol>
    </SidePanel>
  );
}

/** A panel that lists all face-up cards of all players: at the end of a replay, all hands. */
export function AllHandsPanel({ onClose }: { onClose: () => void }) {
  const { view, table, reader } = useTable();
  const owned = table.zones.flatMap(({ owner, title }, at) => {
    const cards = visibleCards(view.zones[at]?.content);
    return owner === undefined || cards.length === 0 ? [] : [{ owner, title, at, cards }];
  });
  const seats = [...new Set(owned.map(({ owner }) => owner))].sort((a, b) => a - b);
  return (
    <SidePanel title={text.table.hands} onClose={onClose}>
      {seats.length === 0 && <p>{text.table.noCards}</p>}
      {seats.map((seat) => (
        <section key={seat} className="look-seat">
          <h3>
            <bdi>{reader.nameOf(seat)}</bdi>
          </h3>
          {owned
            .filter(({ owner }) => owner === seat)
            .map(({ at, title, cards }) => (
              <div key={at}>
                <span className="look-by">{text.table.lookTitle(title, cards.length)}</span>
                <CardRow cards={cards} />
              </div>
            ))}
        </section>
      ))}
    </SidePanel>
  );
}

function CardRow({ cards }: { cards: CardView[] }) {
  const { face, theme, rem } = useTable();
  const hasText = cards.some((card) => isTextCard(face(card.face)));
  return (
    <ul className={`look-cards ${hasText ? "reading" : ""}`}>
      {cards.map((card) => (
        <li key={card.handle}>
          <span role="img" aria-label={cardName(face(card.face), card.written, text.table.faceDown)}>
            <Card
              face={face(card.face)}
              written={card.written}
              theme={theme}
              width={(hasText ? listedCardWithText : listedCard) * rem}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Consecutive cards of one player form a group; so do consecutive cards without a known player. The newest group
 * comes first.
 */
function groupPlays(cards: CardView[]): { by: number | undefined; cards: CardView[] }[] {
  const groups: { by: number | undefined; cards: CardView[] }[] = [];
  for (const card of cards) {
    const last = groups.at(-1);
    if (last && last.by === card.by) last.cards.push(card);
    else groups.push({ by: card.by, cards: [card] });
  }
  return groups.reverse();
}
