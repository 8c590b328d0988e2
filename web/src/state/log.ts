/** What happened in the game, step by step, in the words of the server. */
import type { LogStep } from "../protocol/types";
import type { BatchSegment } from "./segments";

export interface GameLog {
  steps: LogStep[];
  /** The server has earlier steps. */
  earlier: boolean;
  /** Steps may be missing, because they happened before this client followed the game. */
  stale: boolean;
}

export const EMPTY_LOG: GameLog = { steps: [], earlier: false, stale: true };

/** Bound on what a long game leaves in memory. */
const MAX_STEPS = 900;

/** Adds what a segment tells. All segments of a batch become one step. */
export function addSegment(log: GameLog, { seq, cause, narrations = [] }: BatchSegment, at: number): GameLog {
  if (narrations.length === 0) return log;
  const last = log.steps.at(-1);
  if (last && last.seq > seq) return log;
  if (last && last.seq === seq) {
    const step = { ...last, narrations: [...last.narrations, ...narrations] };
    return { ...log, steps: [...log.steps.slice(0, -1), step] };
  }
  const seat = typeof cause === "object" && "move" in cause ? { seat: cause.move.seat } : {};
  return bounded({ ...log, steps: [...log.steps, { seq, at, ...seat, narrations }] });
}

export function bounded(log: GameLog): GameLog {
  if (log.steps.length <= MAX_STEPS) return log;
  return { ...log, steps: log.steps.slice(-MAX_STEPS), earlier: true };
}
