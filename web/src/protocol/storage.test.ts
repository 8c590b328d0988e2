import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = new URL("../", import.meta.url);
const isSource = (path: string) => /\.tsx?$/.test(path) && !path.includes(".test.");
const keysIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, key]) => key);

/** The keys under which the code keeps something in the browser. */
const kept = readdirSync(fileURLToPath(sources), { recursive: true, encoding: "utf8" })
  .filter(isSource)
  .flatMap((path) => keysIn(readFileSync(new URL(path, sources), "utf8"), /"(baize\.[a-z]+)"/g));

test("the privacy page lists every key that this browser keeps, and no other", () => {
  const page = readFileSync(new URL("../../../docs/privacy.md", import.meta.url), "utf8");
  const listed = keysIn(page, /^\| `(baize\.[a-z]+)`/gm);
  expect(kept.length).toBeGreaterThan(5);
  expect([...new Set(listed)].sort()).toEqual([...new Set(kept)].sort());
});
