import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Definition } from "../protocol/types";
import { PicDie } from "./GamePicture";
import HowToPlay from "./HowToPlay";

const drawn = (kind: Parameters<typeof PicDie>[0]["kind"], nth = 0) =>
  renderToStaticMarkup(createElement(PicDie, { kind, nth }));
const sides = [{ word: "sun", sign: "☀" }, { word: "rain" }];

test("a die with words shows a word or its sign, a die with numbers beyond six a number, others pips", () => {
  const words = [0, 1].map((nth) => drawn({ dice: "weather", count: 1, low: 1, high: 2, faces: sides }, nth));
  expect(words.join()).toContain("☀");
  expect(words.join()).toContain("rain");
  expect(words.join()).not.toContain("circle");
  expect(drawn({ dice: "d", count: 1, low: 1, high: 6 })).toContain("circle");
  expect(drawn({ dice: "d", count: 1, low: 1, high: 20 })).toMatch(/<text[^>]*>\d+<\/text>/);
});

test("a line of how to play shows the dice that it names, with their words", () => {
  const game = {
    theme: {},
    decks: {},
    slots: [],
    howToPlay: [{ text: "Roll the weather.", dice: ["weather"] }],
    preview: {
      zones: [],
      faces: [],
      dice: [
        { dice: "points", count: 1, low: 1, high: 6 },
        { dice: "weather", count: 1, low: 1, high: 2, faces: sides },
      ],
    },
  } as unknown as Definition;
  const page = renderToStaticMarkup(createElement(HowToPlay, { game }));
  expect(page).toMatch(/☀|rain/);
  expect(page).not.toContain("circle");
});
