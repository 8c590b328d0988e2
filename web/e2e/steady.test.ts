/** The table stays where it is: nothing jumps while people play. */
import { describe, expect, test } from "vitest";
import { gather } from "./support/group";
import { gameNamed, type Person, PHONE } from "./support/person";
import { GameDriver } from "./support/player";
import { handOf } from "./support/table";

const hearts = await gameNamed("Hearts");
const donkey = await gameNamed("Donkey");

/** What must stay: the places of the table. A line of the log, a prompt of another width or a new badge may move. */
const PLACES = ".table-mine, .table-mine > *, .hand, .felt, .felt > *, .seat, .table-ground, .top-bar, .decision";

/** Collects which places jump from now on, also after a touch or a key: their boxes before and after. */
async function watchJumps({ page }: Person): Promise<() => Promise<string[]>> {
  await page.evaluate((places) => {
    const jumps: string[] = [];
    Object.assign(globalThis, { jumps });
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as unknown as { sources: Source[] }[]) {
        for (const { node, previousRect: before, currentRect: after } of sources) {
          if (!(node instanceof Element) || !node.matches(places)) continue;
          const box = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(" ");
          jumps.push(`${node.className}: ${box(before)} to ${box(after)}`);
        }
      }
    }).observe({ type: "layout-shift" });
  }, PLACES);
  return () => page.evaluate(() => (globalThis as unknown as { jumps: string[] }).jumps);
}

const height = (jump: string, at: "before" | "after") =>
  Number(/: \S+ \S+ \S+ (\S+) to \S+ \S+ \S+ (\S+)/.exec(jump)?.[at === "before" ? 1 : 2]);

describe.each([
  ["a phone", { ...PHONE, viewport: { width: 390, height: 844 } }],
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
])("on %s", (_, window) => {
  test.each([
    ["a hand is played out", hearts, 9],
    ["a hand of many rows gets smaller", donkey, 12],
  ])("nothing jumps while %s", async (_, game, moves) => {
    const { host, people } = await gather(game, { people: ["Ann"], bots: game === donkey ? 1 : 3, contexts: window });
    const play = new GameDriver(people);
    await play.until(async () => play.moves.size > 0 && (await handOf(host)).length > 11);
    const jumps = await watchJumps(host);
    const before = play.moves.get("Ann") ?? 0;
    await play.until(() => (play.moves.get("Ann") ?? 0) >= before + moves);
    // The own place may need more room once, for a badge that nobody had before. It never gives it back, so that nothing
    // jumps to and fro.
    const all = await jumps();
    const own = all.filter((jump) => jump.startsWith("table-mine"));
    expect(own.length, all.join("\n")).toBeLessThanOrEqual(1);
    expect(own.filter((jump) => height(jump, "after") < height(jump, "before"))).toEqual([]);
    expect(all.filter((jump) => jump.startsWith("hand"))).toEqual([]);
    if (own.length === 0) expect(all).toEqual([]);
  });
});
