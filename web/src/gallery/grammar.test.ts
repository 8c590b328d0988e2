/**
 * Tests the patterns of the grammar for editors on single lines. The test is here because a JavaScript engine knows
 * their syntax.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const path = new URL("../../../editors/vscode/syntaxes/baize.tmLanguage.json", import.meta.url);
const { repository } = JSON.parse(readFileSync(path, "utf8"));

test("tells alternatives from lines of state", () => {
  const alternative = new RegExp(repository.alternative.match);
  for (const line of [
    "  play: card c from hand[p]",
    '  bid "Bid": number k from 0..5',
    '  bid "{if first then "Bid" else "More"}": number k from 0..5',
    "  give: 1..3 cards cs from hand[p]",
    "  rob: player q from players",
  ])
    expect(alternative.exec(line)?.[1], line).toBe(/\w+/.exec(line)?.[0]);
  for (const line of ["  leader: player", '  judge: player, role "Judge"', "  trump: suit", "  next: player = nobody"])
    expect(alternative.test(line), line).toBe(false);
});

test("colours a word that has a meaning in one place only there", () => {
  const placed: { match: string }[] = repository.placed.patterns;
  const found = (line: string) => placed.flatMap(({ match }) => new RegExp(match).exec(line)?.[0] ?? []);
  expect(found("  seat out when hand is empty")).toEqual(["out"]);
  expect(found("  theme cloth green, back weave")).toEqual(["green", "weave"]);
  expect(found("  if c is not blank")).toEqual(["blank"]);
  expect(found("  make colour red green")).toEqual([]);
  expect(found("  ready")).toEqual([]);
  expect(new RegExp(repository.drawn.begin).exec("  zone trick: centre, large")?.[1]).toBe("zone");
});
