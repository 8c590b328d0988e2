import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isNarrow, isPhone, isSideways, sidewaysMineShare } from "./sizes";

const sources = fileURLToPath(new URL("..", import.meta.url));

const styles = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => readFileSync(`${sources}/${file}`, "utf8"))
  .join("\n");

/** The media queries of all style sheets that fit the pattern. */
const queries = (pattern: RegExp): string[] => [...new Set(styles.match(pattern))].sort();

test("a window is narrow at the same width in the layout and in the style sheets", () => {
  expect([620, 621].map((width) => isNarrow({ width, height: 800 }))).toEqual([true, false]);
  expect(queries(/(max|min)-width: 6\d\dpx/g)).toEqual(["max-width: 620px", "min-width: 621px"]);
});

test("a phone on its side is one at the same height in the layout and in the style sheets", () => {
  expect([500, 501].map((height) => isSideways({ width: 800, height }))).toEqual([true, false]);
  expect([500, 501].map((height) => isPhone({ width: 800, height }))).toEqual([true, false]);
  expect(isSideways({ width: 360, height: 480 })).toBe(false);
  expect(queries(/(max|min)-height: \d+px/g)).toEqual(["max-height: 500px", "min-height: 501px"]);
  expect(styles).toContain(`flex: 0 0 ${sidewaysMineShare * 100}%`);
});
