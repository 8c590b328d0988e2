import { expect, test } from "vitest";
import type { DecisionView } from "../protocol/types";
import { isClearedByOutsideTap, point } from "./pointing";
import { emptySelection, type Target } from "./selection";

const decision: DecisionView = {
  id: 1,
  alternatives: [
    {
      name: "play",
      label: [],
      index: 0,
      legal: true,
      parts: [{ name: "c", kind: { card: { options: [1, 2], blocked: [{ handle: 3 }] } } }],
    },
  ],
};
const none = emptySelection(1);
const card = (handle: number): Target => ({ kind: "card", handle });
const faceOf = () => 0;

test("a click plays the card", () => {
  expect(point(decision, none, card(1), "mouse", false, faceOf).answer?.parts).toEqual([{ card: 1 }]);
});

test("a tap selects, a second tap on the same card plays, a tap on another card selects that card", () => {
  const first = point(decision, none, card(1), "touch", false, faceOf);
  expect(first.answer).toBeNull();
  expect(first.selection.cards).toEqual([1]);
  expect(point(decision, first.selection, card(1), "touch", false, faceOf).answer?.parts).toEqual([{ card: 1 }]);
  expect(point(decision, first.selection, card(2), "touch", false, faceOf).selection.cards).toEqual([2]);
});

test("a click only selects when the person wants to confirm", () => {
  expect(point(decision, none, card(1), "mouse", true, faceOf).answer).toBeNull();
});

test("a blocked card is refused and the selection stays", () => {
  const picked = { ...none, cards: [1] };
  expect(point(decision, picked, card(3), "mouse", false, faceOf)).toEqual({
    selection: picked,
    answer: null,
    refused: true,
  });
});

test("a tap outside of all targets clears a single picked card", () => {
  expect(isClearedByOutsideTap(decision, { ...none, cards: [1] }, faceOf)).toBe(true);
  expect(isClearedByOutsideTap(decision, none, faceOf)).toBe(false);
});
