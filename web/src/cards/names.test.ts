import { expect, test } from "vitest";
import type { CardFace } from "../protocol/types";
import { needNames } from "./Card";

const line = (number: number, title: string): CardFace => ({
  deck: "lines",
  template: "number",
  label: title,
  number,
  title,
});

test("cards with the same number and another title are told by their names; cards that are alike are not", () => {
  expect(needNames([line(3, "Threes"), line(25, "Full house"), line(3, "Three of a kind")])).toBe(true);
  expect(needNames([line(7, "Goldsmith"), line(7, "Goldsmith"), line(8, "Brewer")])).toBe(false);
  expect(needNames([undefined, { deck: "", template: "pips", label: "7♠" }])).toBe(false);
});
