/** Another player's hand, held out face down, from which the viewer draws a card. */
import { Card } from "../cards/Card";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { cardSize, layOutHand } from "./geometry";
import { HitArea } from "./HitArea";
import { thumbStripPx, unseenCard, unseenLiftShare, unseenRowShare } from "./sizes";

export function UnseenFan({ width }: { width: number }) {
  const { view, theme, rem, narrow, stateOf } = useTable();
  const part = view.decision?.alternatives
    .flatMap((alternative) => alternative.parts)
    .map(({ kind }) => ("unseen" in kind ? kind.unseen : null))
    .find((unseen) => unseen !== null);
  if (!part) return null;
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
