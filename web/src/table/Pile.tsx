/**
 * A pile: its top card, and an edge that grows with the number of cards. The rules can lock a pile; then it is drawn
 * turned over.
 */
import { memo } from "react";
import { Card } from "../cards/Card";
import type { ZoneView } from "../protocol/types";
import { text } from "../text/catalogue";
import { cardName, zoneName } from "../text/names";
import { useDecisionState, useEnvironment } from "./context";
import { HitArea } from "./HitArea";
import { cardsPerPileEdge, maxPileEdges } from "./sizes";
import "./pile.css";

interface PileProps {
  zone: number;
  shown: ZoneView | undefined;
  width: number;
  /** The text below the pile instead of its title and its count. If it is null, there is no text. */
  title?: string | null;
  /** What a counter says beside the pile. */
  note?: string | undefined;
}

export const Pile = memo(function Pile({ zone, shown, width, title, note }: PileProps) {
  const { table, you, reader, face, theme } = useEnvironment();
  const { stateOf, highlighted } = useDecisionState();
  const layout = table.zones[zone];
  if (!shown || !layout || shown.content === "nothing") return null;
  const cards = "cards" in shown.content ? shown.content.cards : null;
  const count = "count" in shown.content ? shown.content.count : shown.content.cards.length;
  const top = cards?.[cards.length - 1];
  const state = stateOf({ kind: "pile", zone });
  const turned = shown.turned;
  const topFace = turned ? undefined : face(top?.face);
  const name = zoneName(layout, reader.nameOf, you.seat);
  const description =
    count === 0
      ? text.table.emptyPile(name)
      : [
          text.table.pile(name, count),
          note ?? "",
          turned ? text.table.locked : top ? text.table.top(cardName(topFace, top.written, text.table.faceDown)) : "",
        ]
          .filter(Boolean)
          .join(", ");
  const depth = Math.min(maxPileEdges, Math.ceil(Math.max(0, count - 1) / cardsPerPileEdge));
  const style = { "--depth": depth, "--card-w": `${width}px` } as React.CSSProperties;
  const isHighlighted = top && highlighted.has(top.handle);
  const body = (
    <>
      <span className={`pile-stack ${isHighlighted ? "is-highlighted" : ""}`} style={style} data-handle={top?.handle}>
        {count === 0 ? (
          <span className="pile-empty" style={style} />
        ) : (
          <Card
            key={top?.handle ?? "back"}
            face={topFace}
            written={turned ? undefined : top?.written}
            theme={theme}
            width={width}
          />
        )}
        {turned && <Lock />}
      </span>
      {title === undefined ? (
        <span className="pile-title">
          {layout.title} <b>{count}</b>
        </span>
      ) : (
        title !== null && <span className="pile-title">{title}</span>
      )}
      {note !== undefined && <span className="counter">{note}</span>}
    </>
  );
  const classes = `pile is-${state} ${turned ? "is-turned" : ""}`;
  const isPlain = state === "idle" || state === "blocked";
  return (
    <span className={classes} data-zone={zone}>
      <span className="pile-drawn" {...(isPlain ? { role: "img", "aria-label": description } : {})}>
        {body}
      </span>
      {!isPlain && <HitArea target={{ kind: "pile", zone }} state={state} label={description} />}
      {isPlain && !turned && cards && count > 1 && <ZoneCardsButton zone={zone} title={name} />}
    </span>
  );
});

/** A button that opens a list of the pile's cards. It is there while no decision is about the pile. */
export function ZoneCardsButton({ zone, title }: { zone: number; title: string }) {
  const { openOverlay } = useEnvironment();
  return (
    <button
      type="button"
      className="look-hit"
      aria-label={text.table.lookThrough(title)}
      onClick={() => openOverlay(zone)}
    />
  );
}

function Lock() {
  return (
    <svg className="pile-lock" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" />
      <path d="M8 11V8.5a4 4 0 0 1 8 0V11m-9 0h10v7H7z" />
    </svg>
  );
}
