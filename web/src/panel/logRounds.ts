/** Computes what the log shows: the earlier steps that the server sends, and the lines of each round. */
import type { LogStep, Narration, TableLog } from "../protocol/types";
import { bounded, type GameLog } from "../state/log";

/**
 * Adds the steps that the server has sent. `upTo` is the last step that the screen shows; batches bring the later ones.
 */
export function addTold(log: GameLog, told: TableLog, upTo: number, now: number): GameLog {
  const known = new Set(log.steps.map(({ seq }) => seq));
  // The times are shown by this browser's clock, like those of steps that arrive later.
  const added = told.steps
    .filter(({ seq }) => seq <= upTo && !known.has(seq))
    .map((step) => ({ ...step, at: step.at + now - told.now }));
  const steps = [...log.steps, ...added].sort((a, b) => a.seq - b.seq);
  const isEarliest = (told.steps[0]?.seq ?? 0) <= (steps[0]?.seq ?? 0);
  return bounded({ steps, earlier: isEarliest ? told.earlier : log.earlier, stale: false });
}

export interface LogLine {
  id: string;
  at: number;
  narration: Narration;
  /** How many equal lines this one stands for. */
  count: number;
}

/** The lines of one round, or of everything before the first round. */
export interface LogRound {
  id: string;
  title: Narration | null;
  lines: LogLine[];
  /** The position of the first line since the viewer's last move, if it is in this round. */
  newFrom: number | null;
}

/** Groups the lines by round, and folds equal lines that follow each other. `seat` is the viewer's. */
export function groupByRound(steps: LogStep[], seat: number | undefined): LogRound[] {
  const rounds: LogRound[] = [];
  const lastMove = seat === undefined ? -1 : steps.findLastIndex((step) => step.seat === seat);
  let isMarked = lastMove < 0;
  steps.forEach((step, i) => {
    step.narrations.forEach((narration, n) => {
      const id = `${step.seq}.${n}`;
      if (narration.kind === "round") {
        rounds.push({ id, title: narration, lines: [], newFrom: null });
        return;
      }
      const round = rounds.at(-1) ?? { id: "", title: null, lines: [], newFrom: null };
      if (rounds.length === 0) rounds.push(round);
      const isFirstNew = !isMarked && i > lastMove;
      if (isFirstNew) {
        isMarked = true;
        round.newFrom = round.lines.length;
      }
      const last = round.lines.at(-1);
      if (last && !isFirstNew && isEqual(last.narration, narration)) {
        round.lines[round.lines.length - 1] = { ...last, at: step.at, count: last.count + 1 };
      } else round.lines.push({ id, at: step.at, narration, count: 1 });
    });
  });
  return rounds;
}

function isEqual(a: Narration, b: Narration): boolean {
  return a.kind === b.kind && JSON.stringify(a.text) === JSON.stringify(b.text);
}
