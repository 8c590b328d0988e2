/** A row or a grid before another player, small, in its true rows and columns. Hidden cards are single backs. */
import { memo } from "react";
import { Card, isTextCard } from "../cards/Card";
import { cardCount, visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useTable } from "./context";
import { HitArea } from "./HitArea";
import { MiniPile } from "./MiniPile";
import { placesOf, type ZoneGroup } from "./placement";
import { miniCell, miniCellGap, miniPileMaxRow } from "./sizes";

export const MiniGroup = memo(function MiniGroup({ group }: { group: ZoneGroup }) {
  const { table, view, rem, narrow } = useTable();
  const [only] = group.zones;
  const layout = only === undefined ? undefined : table.zones[only];
  if (only === undefined || !layout) return null;
  if (group.zones.every((zone) => cardCount(view.zones[zone]?.content) === 0)) return null;
  if (placesOf(layout).length > 0) {
    const width = miniCell(narrow) * rem;
    const gap = Math.round(width * miniCellGap);
    return (
      <span
        className="mini-grid"
        style={{ gridTemplateColumns: `repeat(${group.columns}, ${width}px)`, gap }}
        data-columns={group.columns}
      >
        {group.zones.map((zone) => (
          <MiniCell key={zone} zone={zone} width={width} />
        ))}
      </span>
    );
  }
  const shown = view.zones[only];
  if (visibleCards(shown?.content).length > 0 && !shown?.turned) return <MiniPile zone={only} shown={shown} />;
  return <MiniBacks zone={only} />;
});

function MiniCell({ zone, width }: { zone: number; width: number }) {
  const { table, view, you, reader, face, theme, stateOf, highlighted } = useTable();
  const shown = view.zones[zone];
  const layout = table.zones[zone];
  if (!shown || !layout) return null;
  const cards = visibleCards(shown.content);
  const count = cardCount(shown.content);
  const top = cards.at(-1);
  const state = stateOf({ kind: "pile", zone });
  const seen = shown.turned || isTextCard(face(top?.face)) ? undefined : face(top?.face);
  const name = zoneName(layout, reader.nameOf, you.seat);
  const label =
    count === 0 ? text.table.emptyPile(name) : `${name}: ${cardName(seen, top?.written, text.table.faceDown)}`;
  const style = { "--card-w": `${width}px` } as React.CSSProperties;
  const isHighlighted = top !== undefined && highlighted.has(top.handle);
  return (
    <span className={`mini-pile is-${state}`} data-zone={zone} title={label}>
      <span
        className={`mini-open ${isHighlighted ? "is-highlighted" : ""}`}
        data-handle={top?.handle}
        {...(state === "idle" ? { role: "img", "aria-label": label } : {})}
      >
        {count === 0 ? <span className="pile-empty" style={style} /> : <Card face={seen} theme={theme} width={width} />}
      </span>
      {count > 1 && (
        <span className="mini-count" aria-hidden="true">
          {count}
        </span>
      )}
      {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
    </span>
  );
}

function MiniBacks({ zone }: { zone: number }) {
  const { table, view, you, reader, theme, rem, narrow, stateOf } = useTable();
  const layout = table.zones[zone];
  const count = cardCount(view.zones[zone]?.content);
  if (!layout) return null;
  const width = miniCell(narrow) * rem;
  const strip = count > 1 ? Math.min(width, (miniPileMaxRow.other(narrow) * rem - width) / (count - 1)) : width;
  const state = stateOf({ kind: "pile", zone });
  const label = text.table.pile(zoneName(layout, reader.nameOf, you.seat), count);
  return (
    <span className={`mini-pile is-row is-${state}`} data-zone={zone} title={label}>
      <span className="pile-drawn" {...(state === "idle" ? { role: "img", "aria-label": label } : {})}>
        {Array.from({ length: count }, (_, i) => (
          <span key={String(i)} className="mini-open" style={{ marginLeft: i === 0 ? 0 : strip - width }}>
            <Card face={undefined} theme={theme} width={width} />
          </span>
        ))}
      </span>
      {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
    </span>
  );
}
