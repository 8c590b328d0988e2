/**
 * Decides what pointing at a target does, by device. A mouse hovers before it clicks, so a click plays. A finger
 * can't hover, so the first tap selects and a second tap on the same target plays. A key acts on the focused target,
 * like a click.
 */
import type { Answer, DecisionView } from "../protocol/types";
import {
  type FaceOf,
  moveOfSelection,
  type PlayerSelection,
  selectTarget,
  type Target,
  targetState,
} from "./selection";

export type Device = "mouse" | "touch" | "key";

export interface PointResult {
  selection: PlayerSelection;
  /** The move to send at once. */
  answer: Answer | null;
  /** The target can't be chosen; the client tells the person why. */
  refused: boolean;
}

export function point(
  decision: DecisionView,
  selection: PlayerSelection,
  target: Target,
  device: Device,
  confirm: boolean,
  faceOf: FaceOf,
): PointResult {
  const state = targetState(decision, selection, target, faceOf);
  const nothing: PointResult = { selection, answer: null, refused: state === "blocked" };
  if (state === "idle" || state === "blocked") return nothing;
  if (state === "chosen") {
    const again = moveOfSelection(decision, selection, faceOf);
    if (again) return { selection, answer: again, refused: false };
  }
  const next = selectTarget(decision, selection, target, faceOf);
  const direct = device !== "touch" && !confirm;
  return { selection: next, answer: direct ? moveOfSelection(decision, next, faceOf) : null, refused: false };
}

/**
 * Whether a tap outside of all targets clears the selection. It clears a single picked thing, but not several cards
 * that took effort to pick.
 */
export function isClearedByOutsideTap(
  decision: DecisionView | undefined,
  selection: PlayerSelection,
  faceOf: FaceOf,
): boolean {
  return !!decision && (moveOfSelection(decision, selection, faceOf) !== null || selection.cards.length === 1);
}
