import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isNarrow } from "./sizes";

const sources = fileURLToPath(new URL("..", import.meta.url));

/** The media queries of all style sheets that are about a width of six hundred and some pixels. */
function phoneQueries(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  const text = files.map((file) => readFileSync(`${sources}/${file}`, "utf8")).join("\n");
  return [...new Set(text.match(/(max|min)-width: 6\d\dpx/g))].sort();
}

test("a window is narrow at the same width in the layout and in the style sheets", () => {
  expect([620, 621].map((width) => isNarrow({ width, height: 800 }))).toEqual([true, false]);
  expect(phoneQueries()).toEqual(["max-width: 620px", "min-width: 621px"]);
});
