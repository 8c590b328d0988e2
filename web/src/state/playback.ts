/**
 * Lets time pass between the stages of a batch, so that the table rests where `staging.ts` says. What has arrived and is not shown yet
 * waits in line. Nobody falls behind: rests are short where several follow each other, and a table that is far behind, or that
 * nobody looks at, is at once where the server is.
 */
import type { Batch, View } from "../protocol/types";
import { joined, type Stage, stages } from "./segments";
import type { TableStore } from "./store";

/** Milliseconds: long enough to see what lies there, and what takes its place when there is more to come. */
export const REST = 1100;
export const SHORT_REST = 350;
/** After a rest, for what is swept away, before the next move is shown. */
export const SWEEP = 250;
/** Batches that are not shown to their end. With more than these rests are short … */
const BEHIND = 2;
/** … and with more than these there are none. */
const FAR_BEHIND = 4;

/** Replaced in tests. */
export interface Time {
  now: () => number;
  /** Gives what cancels it. */
  after: (ms: number, act: () => void) => () => void;
  /** Somebody may be looking. Windows that nobody sees have slow timers, and would show an old table when they are opened. */
  watched: () => boolean;
}

const BROWSER: Time = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  watched: () => typeof document === "undefined" || document.visibilityState !== "hidden",
};

export class Stager {
  /** Batches that are not shown, or not to their end, with the stages that are left of each. */
  private line: Stage[][] = [];
  /** When the last stage was shown. */
  private shown = 0;
  /** That was the last of a batch before whose end the table had rested. */
  private swept = false;
  /** The batch that is begun rests more than once. */
  private often = false;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly store: TableStore,
    private readonly time: Time = BROWSER,
  ) {}

  /** The view after all that has arrived, whether it is shown yet or not. */
  latest(): View | null {
    return this.line.at(-1)?.at(-1)?.view ?? this.store.get().view;
  }

  /** A batch that has arrived. Throws a `ReduceError` if it does not fit; then a whole view is needed. */
  take(batch: Batch): void {
    const view = this.latest();
    if (!view) return;
    this.line.push(stages(view, batch));
    if (!this.time.watched() || this.line.length > FAR_BEHIND) this.settle();
    else this.go();
  }

  /** All that has arrived is shown now. */
  settle(): void {
    this.stop();
    this.swept = false;
    for (let left = this.line.shift(); left; left = this.line.shift()) {
      const stage = joined(left);
      if (stage) this.store.stage(stage);
    }
  }

  /** A whole view takes the place of all that has arrived. */
  drop(): void {
    this.stop();
    this.line = [];
    this.swept = false;
  }

  private stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** Shows what is due, and comes back when more will be. */
  private go(): void {
    this.stop();
    for (let left = this.line[0]; left; left = this.line[0]) {
      const due = this.shown + this.pause(left) - this.time.now();
      if (due > 0) {
        this.cancel = this.time.after(due, () => this.go());
        return;
      }
      this.next(left);
    }
  }

  /** How long what is shown stays before this comes. */
  private pause(next: Stage[]): number {
    if (!next[0]?.part.follows) return this.swept ? SWEEP : 0;
    return this.often || this.line.length > BEHIND ? SHORT_REST : REST;
  }

  private next(left: Stage[]): void {
    const stage = left.shift() as Stage;
    const { follows } = stage.part;
    if (!follows) this.often = left.length > 1;
    if (left.length === 0) this.line.shift();
    this.swept = follows && left.length === 0;
    this.shown = this.time.now();
    this.store.stage(stage);
  }
}
