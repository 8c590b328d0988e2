/** Other players' hands, held out face down, from which the viewer draws a card. */
import { Card } from "../cards/Card";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { cardSize, layOutHand } from "./geometry";
import { HitArea } from "./HitArea";
import { thumbStripPx, unseenCard, unseenLiftShare, unseenRowShare } from "./sizes";

/** `laid` are zones whose backs lie before the viewer, who touches them there. */
export function UnseenFans({ width, laid }: { width: number; laid: number[] }) {
  const { view } = useTable();
  const parts = new Map<number, number>();
  for (const { parts: asked } of view.decision?.alternatives ?? []) {
    for (const { kind } of asked) if ("unseen" in kind) parts.set(kind.unseen.zone, kind.unseen.count);
  }
  return [...parts].map(([zone, count]) =>
    laid.includes(zone) ? null : <UnseenFan key={zone} part={{ zone, count }} width={width} />,
  );
}

function UnseenFan({ part, width }: { part: { zone: number; count: number }; width: number }) {
  const { theme, rem, narrow, stateOf } = useTable();
  const card = cardSize(unseenCard(narrow) * rem);
  const layout = layOutHand({
    count: part.count,
    width,
    card,
    strip: thumbStripPx,
    rowStrip: card.height * unseenRowShare,
    lift: card.height * unseenLiftShare,
  });
  return (
    <ul className="unseen-fan" style={{ height: layout.height, width }}>
      {layout.places.map(({ x, y, angle }, position) => {
        const target = { kind: "unseen" as const, zone: part.zone, position };
        const state = stateOf(target);
        return (
          <li
            key={`${part.zone}.${String(position)}`}
            style={{ transform: `translate(${x}px, ${y}px) rotate(${angle}deg)` }}
          >
            <span className={`tcard is-${state}`}>
              <Card face={undefined} theme={theme} width={card.width} />
              {state !== "idle" && (
                <HitArea
                  target={target}
                  state={state}
                  label={text.table.position(position + 1, part.count, text.table.draw(position + 1))}
                />
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
