import { expect, test } from "vitest";
import type { CardFace } from "../protocol/types";
import { cardName } from "../text/names";
import { needTitles } from "./Card";
import { signOf } from "./suits";

const line = (number: number, title: string): CardFace => ({
  deck: "lines",
  template: "number",
  label: title,
  number,
  title,
});

test("cards with the same corner and different titles need titles; equal cards do not", () => {
  expect(needTitles([line(3, "Threes"), line(25, "Full house"), line(3, "Three of a kind")])).toBe(true);
  expect(needTitles([line(7, "Goldsmith"), line(7, "Goldsmith"), line(8, "Brewer")])).toBe(false);
  const cups = { ...line(7, "Seven of cups"), sign: { word: "cups", place: 1 } };
  expect(needTitles([cups, { ...cups, title: "Seven of coins", sign: { word: "coins", place: 0 } }])).toBe(false);
  expect(needTitles([undefined, { deck: "", template: "pips", label: "7♠" }])).toBe(false);
});

test("a game's own suits get different shapes, and a colour word gets its colour", () => {
  const own = (word: string, place: number) =>
    signOf({ deck: "", template: "pips", label: "", attributes: { suit: word }, sign: { word, place } });
  const drawn = ["coins", "cups", "swords", "batons", "stars", "moons", "peaks", "combs"].map(own);
  expect(new Set(drawn.map((sign) => sign?.symbol)).size).toBe(8);
  expect(new Set(drawn.map((sign) => sign?.ink)).size).toBe(8);
  expect(own("green", 0)?.ink).toBe(own("green", 5)?.ink);
  expect(own("♥", 2)).toEqual({ symbol: "suit-h", className: "suit-h" });
  expect(signOf(line(3, "Threes"))).toBeUndefined();
});

test("a game's own cards are read aloud with label and title", () => {
  const knave = { ...line(8, "Knave"), label: "8 of cups", sign: { word: "cups", place: 1 } };
  expect(cardName(knave, undefined, "")).toBe("8 of cups, Knave");
  expect(cardName({ ...knave, label: "Knave of cups", title: "Knave of cups" }, undefined, "")).toBe("Knave of cups");
});
