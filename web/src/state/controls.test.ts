import { expect, test } from "vitest";
import type { AlternativeView, PartKindView } from "../protocol/types";
import { listControls } from "./controls";
import { emptySelection } from "./selection";

const controlFor = (...kinds: PartKindView[]) => {
  const parts = kinds.map((kind, i) => ({ name: `part ${i}`, kind }));
  const alternative: AlternativeView = { index: 0, name: "bid", label: [{ text: "Bid" }], legal: true, parts };
  return listControls({ id: 1, alternatives: [alternative] }, emptySelection(1), () => undefined)[0];
};
const number = (low: number, high: number): PartKindView => ({ number: { low, high } });

test("up to sixteen values are buttons, and each button sends the whole move", () => {
  const bids = controlFor(number(1, 13));
  expect(bids).toMatchObject({ kind: "choices" });
  const moves = bids?.kind === "choices" ? bids.options.map(({ move }) => move?.parts) : [];
  expect(moves).toEqual(Array.from({ length: 13 }, (_, i) => [{ number: i + 1 }]));
  expect(controlFor(number(0, 15))?.kind).toBe("choices");
});

test("more values, or several parts with values, are fields", () => {
  expect(controlFor(number(0, 16))).toMatchObject({ kind: "form", fields: [{ kind: "value", name: "part 0" }] });
  expect(controlFor(number(1, 2), number(1, 2))).toMatchObject({ kind: "form", fields: [{}, {}] });
});
