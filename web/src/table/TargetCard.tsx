/** A card on the table or in a hand: drawn, named for those who listen, and a button when the decision is about it. */
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
  /** Drawn face down although it is known. */
  turned?: boolean;
  /** "3 of 12". */
  at?: number;
  of?: number;
  /** Where it is moved to from its place: a CSS transform. */
  transform?: string;
  /** Drawn by its name. */
  titleOnly?: boolean;
  className?: string;
}

export const TargetCard = memo(function TargetCard(props: TargetCardProps) {
  const { card, width, turned, at, of, transform, titleOnly, className = "" } = props;
  const { face, theme, reader } = useEnvironment();
  const { decision, stateOf, highlighted, faceOf } = useDecisionState();
  const shown = turned ? undefined : face(card.face);
  const state = stateOf({ kind: "card", handle: card.handle });
  const name = cardName(shown, turned ? undefined : card.written, text.table.faceDown);
  const by = card.by === undefined ? "" : `, ${reader.nameOf(card.by)}`;
  const lit = highlighted.has(card.handle);
  const classes = `tcard is-${state} ${lit ? "is-highlighted" : ""} ${className}`;
  const target = { kind: "card" as const, handle: card.handle };
  const answered = state === "open" || state === "chosen" ? alternativeOfCard(decision, card.handle, faceOf) : null;
  const verb = answered ? lineText(answered.label, reader) || text.table.play : "";
  const done = verb ? text.table.doing(verb, name) : name;
  const label = at && of ? text.table.position(at, of, done) : done;
  const told = `${name}${by}${lit ? `, ${text.table.highlighted}` : ""}`;
  const idle = state === "idle" ? { role: "img", "aria-label": told } : {};
  return (
    <span className={classes} style={{ transform }} data-handle={card.handle} {...idle}>
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
