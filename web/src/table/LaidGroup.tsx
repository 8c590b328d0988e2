/**
 * Zones of the viewer that lie on the table: a row of cards, or a grid in its true rows and columns. Cards that the
 * viewer does not know are single backs. Equal cards whose order does not matter are one stack with a count.
 */
import { Card } from "../cards/Card";
import type { CardView } from "../protocol/types";
import { cardCount, visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useTable } from "./context";
import { HitArea } from "./HitArea";
import { Pile } from "./Pile";
import { hasOnlyNumbers, placesOf, type ZoneGroup } from "./placement";
import { ownGap, setOverlap, thumbStripPx } from "./sizes";
import { stackEqualCards } from "./stacks";
import { TargetCard } from "./TargetCard";

interface LaidGroupProps {
  group: ZoneGroup;
  cardWidth: number;
  /** The width in which the cards must fit. */
  space: number;
}

export function LaidGroup({ group, cardWidth, space }: LaidGroupProps) {
  const { table } = useTable();
  const [only] = group.zones;
  const layout = table.zones[only ?? 0];
  if (only === undefined || !layout) return null;
  return (
    <div className="laid-group">
      <span className="laid-title">{group.title}</span>
      {placesOf(layout).length === 0 ? (
        <LaidRow zone={only} cardWidth={cardWidth} space={space} />
      ) : (
        <LaidGrid group={group} cardWidth={cardWidth} />
      )}
    </div>
  );
}

function LaidGrid({ group, cardWidth }: { group: ZoneGroup; cardWidth: number }) {
  const { table } = useTable();
  const gap = Math.round(cardWidth * ownGap);
  const isTitled = group.zones.some((zone) => !hasOnlyNumbers(table.zones[zone]));
  return (
    <ul
      className="laid-grid"
      aria-label={group.title}
      data-columns={group.columns}
      style={{ gridTemplateColumns: `repeat(${group.columns}, ${cardWidth}px)`, gap }}
    >
      {group.zones.map((zone) => (
        <li key={zone}>
          <Cell zone={zone} width={cardWidth} titled={isTitled} />
        </li>
      ))}
    </ul>
  );
}

/** One zone of a grid. A card in it that can be picked is a target by itself; else the zone is. */
function Cell({ zone, width, titled }: { zone: number; width: number; titled: boolean }) {
  const { view, table, stateOf } = useTable();
  const shown = view.zones[zone];
  const top = visibleCards(shown?.content).at(-1);
  const isCardAsked = top && stateOf({ kind: "card", handle: top.handle }) !== "idle";
  const layout = table.zones[zone];
  return (
    <>
      {isCardAsked ? (
        <span data-zone={zone}>
          <TargetCard card={top} width={width} turned={shown?.turned} />
        </span>
      ) : (
        <Pile zone={zone} shown={shown} width={width} title={null} />
      )}
      {titled && layout && (
        <span className="laid-place">
          {placesOf(layout)
            .map(({ label }) => label)
            .join(" ")}
        </span>
      )}
    </>
  );
}

function LaidRow({ zone, cardWidth, space }: { zone: number; cardWidth: number; space: number }) {
  const { view, table, you, reader, theme, rem, stateOf } = useTable();
  const shown = view.zones[zone];
  const layout = table.zones[zone];
  if (!shown || !layout) return null;
  const cards = visibleCards(shown.content);
  const hidden = cardCount(shown.content) - cards.length;
  const stacks = stackEqualCards(cards, layout.ordered || shown.turned);
  const count = stacks.length + hidden;
  const strip = stripOf(count, cardWidth, space, thumbStripPx * (rem / 16));
  const title = zoneName(layout, reader.nameOf, you.seat);
  const pile = stateOf({ kind: "pile", zone });
  const overlap = { "--strip": `${strip - cardWidth}px` } as React.CSSProperties;
  return (
    <span className={`laid-row is-${pile}`}>
      <ul className="laid-cards" data-zone={zone} aria-label={title} style={overlap}>
        {stacks.map((stack) => (
          <li key={stack[0]?.handle} className={stack.length > 1 ? "is-stack" : undefined}>
            <Stack cards={stack} width={cardWidth} turned={shown.turned} />
          </li>
        ))}
        {Array.from({ length: hidden }, (_, position) => {
          const target = { kind: "unseen" as const, zone, position };
          const state = stateOf(target);
          const label = text.table.position(position + 1, hidden, text.table.draw(position + 1));
          return (
            <li key={`back${String(position)}`}>
              <span
                className={`tcard is-${state}`}
                data-back={position}
                {...(state === "idle" ? { role: "img", "aria-label": text.table.faceDown } : {})}
              >
                <Card face={undefined} theme={theme} width={cardWidth} />
                {state !== "idle" && <HitArea target={target} state={state} label={label} />}
              </span>
            </li>
          );
        })}
      </ul>
      {pile !== "idle" && (
        <HitArea
          target={{ kind: "pile", zone }}
          state={pile}
          label={text.table.pile(title, cardCount(shown.content))}
        />
      )}
    </span>
  );
}

/** The distance from one card to the next: a gap between them if there is room, else as much of each as fits. */
function stripOf(count: number, card: number, space: number, least: number): number {
  const whole = card * (1 + ownGap);
  if (count < 2) return whole;
  return Math.max(Math.min(least, card * (1 - setOverlap)), Math.min(whole, (space - card) / (count - 1)));
}

/** Equal cards, one on the other. Pointing at them picks one more of them; the last one that is picked is put back. */
function Stack({ cards, width, turned }: { cards: CardView[]; width: number; turned: boolean }) {
  const { selection, face } = useTable();
  const picked = cards.filter(({ handle }) => selection.cards.includes(handle));
  const top = cards.find((card) => !picked.includes(card)) ?? cards.at(-1);
  if (!top) return null;
  const name = cardName(face(top.face), top.written, text.table.faceDown);
  return (
    <>
      <TargetCard card={top} width={width} turned={turned} />
      {cards.length > 1 && (
        <span className="stack-count" role="img" aria-label={text.table.stack(cards.length, name)}>
          {picked.length > 0 ? `${picked.length}/${cards.length}` : `×${cards.length}`}
        </span>
      )}
    </>
  );
}
