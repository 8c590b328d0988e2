/** The table stays where it is: nothing jumps while people play. */
import { expect, test } from "vitest";
import { gather } from "./support/group";
import { gameNamed, type Person, PHONE } from "./support/person";
import { GameDriver } from "./support/player";
import { handOf } from "./support/table";

const hearts = await gameNamed("Hearts");

interface Shift {
  value: number;
  what: string[];
}

/** Collects what jumps from now on, also after a touch or a key. */
async function watchShifts({ page }: Person): Promise<() => Promise<Shift[]>> {
  await page.evaluate(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    type Entry = PerformanceEntry & {
      value: number;
      sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[]) {
        const what = entry.sources.map(({ node, previousRect: a, currentRect: b }) => {
          const box = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(" ");
          return `${node?.nodeName ?? "?"}.${node?.className ?? ""}: ${box(a)} to ${box(b)}`;
        });
        shifts.push({ value: entry.value, what });
      }
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
}

test.each([
  ["a phone", { ...PHONE, viewport: { width: 390, height: 844 } }],
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
])("nothing jumps on %s while a hand is played out", async (_, window) => {
  const { host, people } = await gather(hearts, { people: ["Ann"], bots: 3, contexts: window });
  const play = new GameDriver(people);
  await play.until(async () => (await handOf(host)).length === 13 && play.moves.size > 0);
  const shifts = await watchShifts(host);
  const before = play.moves.get("Ann") ?? 0;
  await play.until(() => (play.moves.get("Ann") ?? 0) >= before + 9);
  console.log(JSON.stringify(await shifts(), null, 1));
  const seen = await shifts();
  expect(seen.reduce((sum, { value }) => sum + value, 0), JSON.stringify(seen, null, 1)).toBeLessThan(0.01);
});
