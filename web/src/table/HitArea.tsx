/**
 * A button over something on the table that a person can point at. Only the button has a label, so that a screen
 * reader does not read the drawing underneath as well.
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
  // The label of a card in a hand already has a position; other targets get their position among the options.
  const position = /^\d+ of \d+: /.test(label) ? null : positionAmongOptions(decision, target);
  const name = position ? text.table.position(position.at, position.of, label) : label;
  return (
    <button
      type="button"
      className="hit"
      data-target={blocked ? undefined : target.kind}
      aria-label={blocked ? `${name}. ${text.table.cannot}` : name}
      aria-pressed={state === "chosen"}
      aria-disabled={blocked}
      onClick={() => point(target)}
    />
  );
}
