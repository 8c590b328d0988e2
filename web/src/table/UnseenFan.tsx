/** Somebody's hand held out face down, to draw one card from. */
import { Card } from "../cards/Card";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { handLayout } from "./geometry";
import { HitArea } from "./HitArea";

export function UnseenFan({ width }: { width: number }) {
  const { view, theme, rem, narrow, stateOf } = useTable();
  const part = view.decision?.alternatives
    .flatMap((alternative) => alternative.parts)
    .map(({ kind }) => ("unseen" in kind ? kind.unseen : null))
    .find((unseen) => unseen !== null);
  if (!part) return null;
  const cardWidth = (narrow ? 3.5 : 5) * rem;
  const card = { width: cardWidth, height: cardWidth * 1.4 };
  const layout = handLayout({
    count: part.count,
    width,
    card,
    strip: 28,
    rowStrip: card.height * 0.5,
    lift: card.height * 0.15,
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
              <Card face={undefined} theme={theme} width={cardWidth} />
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
