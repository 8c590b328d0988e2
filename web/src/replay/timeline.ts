/** A finished game, step by step: any moment from the first view and the batches, forwards and backwards. */
import type { Batch, View } from "../protocol/types";
import { reduce } from "../state/reduce";

/** A view is kept every so many steps, so that going back is not starting over. */
const KEPT_EVERY = 50;

export class Timeline {
  readonly length: number;
  private kept: View[];

  constructor(
    first: View,
    readonly batches: Batch[],
  ) {
    this.length = batches.length;
    this.kept = [first];
  }

  /** The view after so many batches. */
  at(step: number): View {
    const wanted = Math.max(0, Math.min(this.length, step));
    const from = Math.min(Math.floor(wanted / KEPT_EVERY), this.kept.length - 1);
    let view = this.kept[from] as View;
    for (let i = from * KEPT_EVERY; i < wanted; i++) {
      view = reduce(view, this.batches[i] as Batch);
      if ((i + 1) % KEPT_EVERY === 0 && this.kept.length === (i + 1) / KEPT_EVERY) this.kept.push(view);
    }
    return view;
  }
}
