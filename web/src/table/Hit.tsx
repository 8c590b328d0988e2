/**
 * The part of a thing on the table that is pointed at: a button laid over it. What is drawn underneath is for the
 * eyes; the button's label alone says what it is, so that the corner indices of a card are not read out twice.
 */
import type { Target, TargetState } from "../state/selection";
import { text } from "../text/catalogue";
import { useTable } from "./context";

interface HitProps {
  target: Target;
  state: Exclude<TargetState, "idle">;
  label: string;
}

export function Hit({ target, state, label }: HitProps) {
  const { point } = useTable();
  const blocked = state === "blocked";
  return (
    <button
      type="button"
      className="hit"
      data-target={blocked ? undefined : target.kind}
      aria-label={blocked ? `${label}. ${text.table.cannot}` : label}
      aria-pressed={state === "chosen"}
      aria-disabled={blocked}
      onClick={() => point(target)}
    />
  );
}
