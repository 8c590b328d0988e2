/** A card on the table or in a hand: drawn, named for those who listen, and a button when the decision is about it. */
import { memo } from "react";
import { Card } from "../cards/Card";
import type { CardView } from "../protocol/types";
import { text } from "../text/catalogue";
import { cardName } from "../text/names";
import { useTable } from "./context";

export interface TargetCardProps {
  card: CardView;
  width: number;
  /** Drawn face down although it is known. */
  turned?: boolean;
  /** "3 of 12". */
  at?: number;
  of?: number;
  tabIndex?: number;
  style?: React.CSSProperties;
  className?: string;
}

export const TargetCard = memo(function TargetCard(props: TargetCardProps) {
  const { card, width, turned, at, of, style, className = "" } = props;
  const { face, theme, stateOf, point, highlighted, reader } = useTable();
  const shown = turned ? undefined : face(card.face);
  const state = stateOf({ kind: "card", handle: card.handle });
  const name = cardName(shown, turned ? undefined : card.written, text.table.faceDown);
  const by = card.by === undefined ? "" : `, ${reader.nameOf(card.by)}`;
  const classes = `tcard is-${state} ${highlighted.has(card.handle) ? "is-highlighted" : ""} ${className}`;
  const drawn = <Card face={shown} written={turned ? undefined : card.written} theme={theme} width={width} />;
  if (state === "idle") {
    return (
      <span className={classes} style={style} data-handle={card.handle} role="img" aria-label={name + by}>
        {drawn}
      </span>
    );
  }
  const label = at && of ? text.table.position(at, of, name) : name;
  return (
    <button
      type="button"
      className={classes}
      style={style}
      data-handle={card.handle}
      data-target={state === "blocked" ? undefined : "card"}
      aria-label={state === "blocked" ? `${label}. ${text.table.cannot}` : label}
      aria-pressed={state === "chosen"}
      aria-disabled={state === "blocked"}
      tabIndex={props.tabIndex}
      onClick={() => point({ kind: "card", handle: card.handle })}
    >
      {drawn}
    </button>
  );
});
