/**
 * The client contains no game. This test reads the names of all games from `games/` and looks for them in the
 * client's code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const web = fileURLToPath(new URL("../../", import.meta.url));
const games = readdirSync(join(web, "../games")).flatMap((file) => {
  if (!file.endsWith(".baize")) return [];
  const [, title = ""] = /^game "([^"]+)"/m.exec(readFileSync(join(web, "../games", file), "utf8")) ?? [];
  return [title, file.replace(/\.baize$/, "")];
});
/** Names of games that are also common words: this one is a suit. */
const PLAIN = new Set(["hearts"]);

function sources(folder: string): string[] {
  return readdirSync(join(web, folder), { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const isCode = /\.(tsx?|mjs|css|html)$/.test(path) && !/\.test\.tsx?$/.test(path);
    return entry.isFile() && isCode ? [path] : [];
  });
}

test("no game is named in the client's code", () => {
  expect(games.length).toBeGreaterThan(10);
  const names = [...new Set(games)].filter((name) => !PLAIN.has(name.toLowerCase()));
  const written = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const named = new RegExp(`\\b(${written.join("|")})\\b`, "i");
  const found = [...sources("src"), ...sources("scripts"), join(web, "index.html")].flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, i) => (named.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
