import { expect, test } from "vitest";
import type { Batch, View } from "../protocol/types";
import { Timeline } from "./timeline";

const first: View = {
  seq: 0,
  paused: false,
  seats: [],
  zones: [],
  values: [{ values: [0] }],
  dice: [],
  highlights: [],
  status: [],
  waiting: [],
};
const batches = Array.from(
  { length: 120 },
  (_, i): Batch => ({ seq: i + 1, cause: "start", events: [{ value: { var: 0, element: 0, value: i + 1 } }] }),
);

test("returns the view of any step, in any order", () => {
  const timeline = new Timeline(first, batches);
  for (const step of [0, 120, 3, 119, 50, 51, 49, 100, 1]) {
    expect(timeline.at(step).values).toEqual([{ values: [step] }]);
    expect(timeline.at(step).seq).toBe(step);
  }
  expect(timeline.at(-5).seq).toBe(0);
  expect(timeline.at(500).seq).toBe(120);
});
