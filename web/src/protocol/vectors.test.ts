import { describe, expect, test } from "vitest";
import { reduce } from "../state/reduce";
import { splitBatch } from "../state/segments";
import { type ExpandedBatch, expandBatch, type Texts, type View, type WireBatch } from "./types";

/**
 * Files that `crates/protocol/tests` write: batches, and what the server's own parser and reducer make of them. Those
 * tests fail when the files are stale.
 */
interface Followed {
  texts: Texts;
  viewers: { first: View; batches: WireBatch[]; half: View | null; last: View }[];
}
interface Compact {
  texts: Texts;
  batches: { wire: WireBatch; expanded: ExpandedBatch }[];
}

const files = import.meta.glob<Followed | Compact>("./vectors/*.json", { eager: true, import: "default" });
const named = Object.entries(files);
const games = named.filter((entry): entry is [string, Followed] => "viewers" in entry[1]);

/** Drops `undefined` values, as JSON does. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("shared vectors", () => {
  test("exist for the compact form and for games", () => {
    expect(named.length - games.length).toBe(1);
    expect(games.length).toBeGreaterThan(1);
  });

  test("a batch is parsed like the server parses it", () => {
    for (const [, file] of named) {
      if ("viewers" in file) continue;
      for (const { wire, expanded } of file.batches) expect(plain(expandBatch(wire, file.texts))).toEqual(expanded);
    }
  });

  test.each(games)("%s: view + batch = next view, for a player and a spectator", (_, { texts, viewers }) => {
    for (const { first, batches, half, last } of viewers) {
      let view = first;
      for (const wire of batches) {
        if (half && view.seq === half.seq) expect(plain(view)).toEqual(half);
        view = reduce(view, expandBatch(wire, texts).batch);
      }
      expect(batches.length).toBeGreaterThan(0);
      expect(plain(view)).toEqual(last);
    }
  });

  test.each(games)("%s: the segments of a batch have the same events and end with the same view", (_, file) => {
    for (const { first, batches } of file.viewers) {
      let view = first;
      for (const wire of batches) {
        const { batch } = expandBatch(wire, file.texts);
        const segments = splitBatch(view, batch);
        view = reduce(view, batch);
        expect(segments.flatMap(({ segment }) => segment.events)).toEqual(batch.events);
        expect(plain(segments.at(-1)?.view)).toEqual(plain(view));
      }
    }
  });

  test("invalid batches are refused", () => {
    const unknown = ["?", "T", "a99,0", "s<2,1>", "b1[w0]"];
    const unfinished = ["m1", "q0", "h-5", "f[0,1]", "s[`one", "s[1", "v0,0[*3]", "h*3", "s[~]"];
    for (const bad of [...unknown, ...unfinished]) {
      expect(() => expandBatch(`1,0${bad}`, [["one"]]), bad).toThrow();
    }
  });
});
