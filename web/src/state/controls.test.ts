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
  expect(controlFor(number(0, 16))).toMatchObject({ kind: "form", fields: [{ kind: "range", name: "part 0" }] });
  expect(controlFor(number(1, 2), number(1, 2))).toMatchObject({ kind: "form", fields: [{}, {}] });
});

const alternative = (index: number, legal: boolean, ...kinds: PartKindView[]): AlternativeView => ({
  index,
  name: `way${index}`,
  label: [],
  legal,
  parts: kinds.map((kind, i) => ({ name: `part ${i}`, kind })),
});
const card = (...options: number[]): PartKindView => ({ card: { options, blocked: [] } });
const shownFor = (cards: number[], ...alternatives: AlternativeView[]) =>
  listControls({ id: 1, alternatives }, { ...emptySelection(1), cards }, () => undefined).map(
    (control) => control.alternative.index,
  );

test("an impossible alternative has no control", () => {
  expect(shownFor([], alternative(0, true, card(1)), alternative(1, false, card(2)), alternative(2, true))).toEqual([
    0, 2,
  ]);
  expect(shownFor([], alternative(0, false, card(1)))).toEqual([0]);
});

test("a picked card leaves the alternatives that can take it, and those without parts", () => {
  const all = [alternative(0, true, card(1, 2)), alternative(1, true, card(2), number(1, 3)), alternative(2, true)];
  expect(shownFor([2], ...all)).toEqual([0, 1, 2]);
  expect(shownFor([1], ...all)).toEqual([0, 2]);
  expect(shownFor([9], ...all)).toEqual([0, 1, 2]);
});

test("a number out of many begins with the lowest one, so that the move is complete", () => {
  const bid = controlFor(number(5, 900));
  expect(bid).toMatchObject({ kind: "form", fields: [{ kind: "range", chosen: 5 }], move: { parts: [{ number: 5 }] } });
});
