/**
 * What pointing at something means, by device. A mouse hovers first, so its click plays; a finger has no hover, so
 * its first tap selects and the same tap again plays; a key acts on what has the focus, like a mouse.
 */
import type { Answer, DecisionView } from "../protocol/types";
import { type FaceOf, moveByTap, type Selection, type Target, tapped, targetState } from "./selection";

export type Device = "mouse" | "touch" | "key";

export interface Pointed {
  selection: Selection;
  /** The move to send at once. */
  answer: Answer | null;
  /** The target can't be chosen: tell why. */
  refused: boolean;
}

export function point(
  decision: DecisionView,
  selection: Selection,
  target: Target,
  device: Device,
  confirm: boolean,
  faceOf: FaceOf,
): Pointed {
  const state = targetState(decision, selection, target, faceOf);
  const nothing: Pointed = { selection, answer: null, refused: state === "blocked" };
  if (state === "idle" || state === "blocked") return nothing;
  if (state === "chosen") {
    const again = moveByTap(decision, selection, faceOf);
    if (again) return { selection, answer: again, refused: false };
  }
  const next = tapped(decision, selection, target, faceOf);
  const direct = device !== "touch" && !confirm;
  return { selection: next, answer: direct ? moveByTap(decision, next, faceOf) : null, refused: false };
}

/** Whether a tap elsewhere clears: it does for one thing that was picked, not for an answer built up with care. */
export function clearsElsewhere(decision: DecisionView | undefined, selection: Selection, faceOf: FaceOf): boolean {
  return !!decision && (moveByTap(decision, selection, faceOf) !== null || selection.cards.length === 1);
}
