import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PackInfo } from "../protocol/types";
import { reportText } from "../text/reportCatalogue";
import { PackNames } from "./UploadedPacks";

const pack = (id: string, name: string, official: boolean, description = ""): PackInfo => ({
  id,
  name,
  description,
  official,
  cards: {},
});
const drawn = (packs: PackInfo[]) =>
  renderToStaticMarkup(createElement(PackNames, { packs, send: () => Promise.resolve() }));

test("each uploaded pack has a button that reports it", () => {
  const html = drawn([pack("a", "<b>Rude</b>", false, "Very rude"), pack("b", "חמור", false), pack("c", "Base", true)]);
  expect(html.match(/<button/g)).toHaveLength(2);
  expect(html).toContain("<bdi>&lt;b&gt;Rude&lt;/b&gt;</bdi><small><bdi>Very rude</bdi></small>");
  expect(html).toContain(`aria-label="${reportText.pack("\u2068חמור\u2069")}"`);
});

test("a table with the server's packs alone has no such list", () => {
  expect(drawn([pack("c", "Base", true)])).toBe("");
});
