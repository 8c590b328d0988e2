/** A card on the table or in a hand. It has a name for screen readers, and a button if the decision is about it. */
import { memo } from "react";
import { Card } from "../cards/Card";
import type { CardView } from "../protocol/types";
import { alternativeOfCard } from "../state/selection";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { cardName } from "../text/names";
import { useDecisionState, useEnvironment } from "./context";
import { HitArea } from "./HitArea";

export interface TargetCardProps {
  card: CardView;
  width: number;
  /** True if the card is drawn face down although the viewer knows it. */
  turned?: boolean;
  /** The position of the card among others, from 1 to `of`. */
  at?: number;
  of?: number;
  /** Cards with a higher number cover those with a lower one. */
  layer?: number;
  /** A CSS transform that moves the card to its place. */
  transform?: string;
  /** True if the card is drawn as a title instead of a picture. */
  titleOnly?: boolean;
  className?: string;
}

export const TargetCard = memo(function TargetCard(props: TargetCardProps) {
  const { card, width, turned, at, of, layer, transform, titleOnly, className = "" } = props;
  const { face, theme, reader } = useEnvironment();
  const { decision, stateOf, highlighted, faceOf } = useDecisionState();
  const shown = turned ? undefined : face(card.face);
  const state = stateOf({ kind: "card", handle: card.handle });
  const name = cardName(shown, turned ? undefined : card.written, text.table.faceDown);
  const by = card.by === undefined ? "" : `, ${reader.nameOf(card.by)}`;
  const isHighlighted = highlighted.has(card.handle);
  const classes = `tcard is-${state} ${isHighlighted ? "is-highlighted" : ""} ${className}`;
  const target = { kind: "card" as const, handle: card.handle };
  const alternative = state === "open" || state === "chosen" ? alternativeOfCard(decision, card.handle, faceOf) : null;
  const verb = alternative ? lineText(alternative.label, reader) || text.table.play : "";
  const actionLabel = verb ? text.table.doing(verb, name) : name;
  const label = at && of ? text.table.position(at, of, actionLabel) : actionLabel;
  const idleLabel = `${name}${by}${isHighlighted ? `, ${text.table.highlighted}` : ""}`;
  const idleProps = state === "idle" ? { role: "img", "aria-label": idleLabel } : {};
  return (
    <span className={classes} style={{ transform, zIndex: layer }} data-handle={card.handle} {...idleProps}>
      <Card
        face={shown}
        written={turned ? undefined : card.written}
        theme={theme}
        width={width}
        titleOnly={titleOnly}
      />
      {state !== "idle" && <HitArea target={target} state={state} label={label} />}
    </span>
  );
});
