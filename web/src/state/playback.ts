/**
 * Shows the batches that arrive, with a delay between the segments of a batch (`segments.ts`), so that people can see
 * each of them. What is not shown yet waits in a queue. The client never falls far behind the server: delays become
 * short when several batches wait, and the queue is shown at once when it is long or when nobody sees the window.
 */
import type { Batch, Narration, View } from "../protocol/types";
import { mergeSegments, type SegmentWithView, splitBatch } from "./segments";
import type { TableStore } from "./store";

/** Milliseconds between two segments: enough time to look at the table. */
export const SEGMENT_DELAY = 1100;
/** Milliseconds between two segments while more waits in the queue. */
export const SHORT_SEGMENT_DELAY = 350;
/** Milliseconds after the last segment of a split batch, so that its cards are gone before the next batch is shown. */
export const SWEEP_DELAY = 250;
/** With more unfinished batches than this, delays are short. */
const MAX_BATCHES_AT_FULL_DELAY = 2;
/** With more unfinished batches than this, there are no delays. */
const MAX_BATCHES_WAITING = 4;

/** The clock of the queue. Tests replace it. */
export interface PlaybackClock {
  now: () => number;
  /** Returns a function that cancels the call. */
  schedule: (ms: number, call: () => void) => () => void;
  /**
   * False while the window is hidden. Browsers slow the timers of hidden windows down, so that a person who comes back
   * would find an old table.
   */
  isWindowVisible: () => boolean;
}

const BROWSER_CLOCK: PlaybackClock = {
  now: () => performance.now(),
  schedule: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  isWindowVisible: () => typeof document === "undefined" || document.visibilityState !== "hidden",
};

export class PlaybackQueue {
  /** Batches that are not shown to their end, each with its remaining segments. */
  private queue: SegmentWithView[][] = [];
  private lastShownAt = 0;
  /** The segment shown last was the last one of a batch with several. */
  private finishedSplitBatch = false;
  /** The batch that is being shown has more than two segments. */
  private hasManySegments = false;
  private cancelTimer: (() => void) | null = null;

  constructor(
    private readonly store: TableStore,
    private readonly clock: PlaybackClock = BROWSER_CLOCK,
  ) {}

  /** The view after everything that has arrived, shown or not. */
  latestView(): View | null {
    return this.queue.at(-1)?.at(-1)?.view ?? this.store.get().view;
  }

  /** Throws a `ReduceError` if the batch does not fit the latest view; the client then has to fetch a whole view. */
  enqueue(batch: Batch, narrations: Narration[] = []): void {
    const view = this.latestView();
    if (!view) return;
    this.queue.push(splitBatch(view, batch, narrations));
    if (!this.clock.isWindowVisible() || this.queue.length > MAX_BATCHES_WAITING) this.flush();
    else this.showDue();
  }

  /** Shows everything that has arrived at once. */
  flush(): void {
    this.stopTimer();
    this.finishedSplitBatch = false;
    for (let segments = this.queue.shift(); segments; segments = this.queue.shift()) {
      const merged = mergeSegments(segments);
      if (merged) this.store.showSegment(merged);
    }
  }

  /** Discards what is not shown yet, because a whole view replaces it. */
  clear(): void {
    this.stopTimer();
    this.queue = [];
    this.finishedSplitBatch = false;
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  /** Shows every segment that is due, and sets a timer for the next one. */
  private showDue(): void {
    this.stopTimer();
    for (let segments = this.queue[0]; segments; segments = this.queue[0]) {
      const wait = this.lastShownAt + this.delayBefore(segments) - this.clock.now();
      if (wait > 0) {
        this.cancelTimer = this.clock.schedule(wait, () => this.showDue());
        return;
      }
      this.showNext(segments);
    }
  }

  private delayBefore(segments: SegmentWithView[]): number {
    if (!segments[0]?.segment.isContinuation) return this.finishedSplitBatch ? SWEEP_DELAY : 0;
    const isBusy = this.hasManySegments || this.queue.length > MAX_BATCHES_AT_FULL_DELAY;
    return isBusy ? SHORT_SEGMENT_DELAY : SEGMENT_DELAY;
  }

  private showNext(segments: SegmentWithView[]): void {
    const next = segments.shift() as SegmentWithView;
    const { isContinuation } = next.segment;
    if (!isContinuation) this.hasManySegments = segments.length > 1;
    if (segments.length === 0) this.queue.shift();
    this.finishedSplitBatch = isContinuation && segments.length === 0;
    this.lastShownAt = this.clock.now();
    this.store.showSegment(next);
  }
}
