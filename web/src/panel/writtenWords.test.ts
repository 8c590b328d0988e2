import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CardFace, TableInfo, View } from "../protocol/types";
import { reportText } from "../text/reportCatalogue";
import { WrittenWords } from "./WrittenWords";

const info = { players: [{ seat: 1, name: "Ben" }] } as unknown as TableInfo;
const faces = [{ text: "Tea" }, { label: "A♠" }] as unknown as CardFace[];
const drawn = (cards: object[], uploadedPacks = false) => {
  const view = { seat: 0, zones: [{ content: { cards }, turned: false }] } as unknown as View;
  return renderToStaticMarkup(
    createElement(WrittenWords, { view, info: { ...info, uploadedPacks }, faces, send: () => Promise.resolve() }),
  );
};

test("each written card in sight has a button that reports it", () => {
  const html = drawn([
    { handle: 7, face: 0, written: "<b>donkey</b>", by: 1 },
    { handle: 8, face: 0, written: "חמור" },
    { handle: 9, face: 0 },
  ]);
  expect(html.match(/<button/g)).toHaveLength(2);
  expect(html).toContain("<bdi>&lt;b&gt;donkey&lt;/b&gt;</bdi><small><bdi>Ben</bdi></small>");
  expect(html).toContain(`aria-label="${reportText.card("\u2068חמור\u2069")}"`);
});

test("a table without written cards has no such list", () => {
  expect(drawn([{ handle: 9, face: 0 }])).toBe("");
});

test("words of a pack are listed once, and only where somebody uploaded a pack", () => {
  const cards = [
    { handle: 7, face: 0 },
    { handle: 8, face: 0 },
    { handle: 9, face: 1 },
    { handle: 10 },
    { handle: 11, face: 0, written: "donkey" },
  ];
  expect(drawn(cards).match(/<button/g)).toHaveLength(1);
  const html = drawn(cards, true);
  expect(html.match(/<button/g)).toHaveLength(2);
  expect(html.match(/<bdi>Tea<\/bdi>/g)).toHaveLength(1);
});
