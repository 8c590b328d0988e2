/** The views of a finished game, at any step, forwards and backwards. */
import type { Batch, View } from "../protocol/types";
import { reduce } from "../state/reduce";

/** The timeline keeps a view after every this many steps, so that going back does not start at the first view. */
const SNAPSHOT_EVERY = 50;

export class Timeline {
  readonly length: number;
  private snapshots: View[];

  constructor(
    first: View,
    readonly batches: Batch[],
  ) {
    this.length = batches.length;
    this.snapshots = [first];
  }

  /** The view after `step` batches. */
  at(step: number): View {
    const wanted = Math.max(0, Math.min(this.length, step));
    const from = Math.min(Math.floor(wanted / SNAPSHOT_EVERY), this.snapshots.length - 1);
    let view = this.snapshots[from] as View;
    for (let i = from * SNAPSHOT_EVERY; i < wanted; i++) {
      view = reduce(view, this.batches[i] as Batch);
      if ((i + 1) % SNAPSHOT_EVERY === 0 && this.snapshots.length === (i + 1) / SNAPSHOT_EVERY)
        this.snapshots.push(view);
    }
    return view;
  }
}
