/**
 * The part of a thing on the table that is pointed at: a button laid over it. What is drawn underneath is for the
 * eyes; the button's label alone says what it is, so that the corner indices of a card are not read out twice.
 */
import { positionAmongOptions, type Target, type TargetState } from "../state/selection";
import { text } from "../text/catalogue";
import { useDecisionState, useEnvironment } from "./context";

interface HitAreaProps {
  target: Target;
  state: Exclude<TargetState, "idle">;
  label: string;
}

export function HitArea({ target, state, label }: HitAreaProps) {
  const { point } = useEnvironment();
  const { decision } = useDecisionState();
  const blocked = state === "blocked";
  // Cards in a hand bring their position along; of other things it is that among all that can be chosen.
  const place = /^\d+ of \d+: /.test(label) ? null : positionAmongOptions(decision, target);
  const told = place ? text.table.position(place.at, place.of, label) : label;
  return (
    <button
      type="button"
      className="hit"
      data-target={blocked ? undefined : target.kind}
      aria-label={blocked ? `${told}. ${text.table.cannot}` : told}
      aria-pressed={state === "chosen"}
      aria-disabled={blocked}
      onClick={() => point(target)}
    />
  );
}
