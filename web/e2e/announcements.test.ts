/** What the rules announce: everything is seen, one after the other, also what is announced together with the end. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { deal, decisionOf, startServer } from "./support/drawing";
import type { Person } from "./support/person";
import type { Server } from "./support/server";
import { endBanner } from "./support/table";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** Records what is announced, and when the end banner comes, in this order. */
async function watchAnnounced({ page }: Person): Promise<() => Promise<string[]>> {
  await page.evaluate((look) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const note = (words: string) => seen.at(-1) !== words && seen.push(words);
    new MutationObserver(() => {
      const shown = document.querySelectorAll<HTMLElement>("[data-announced]");
      for (const one of shown) note(`${one.dataset.announced}: ${one.innerText.replace(/\s+/g, " ").trim()}`);
      if (shown.length > 1) note("two at once");
      if ([...document.querySelectorAll("[role=dialog] button")].some((b) => b.textContent === look)) note("the end");
    }).observe(document.body, { childList: true, subtree: true });
  }, text.end.look);
  return () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
}

const plain = (words: string[]) => words.map((one) => one.replace(/[\u2066-\u2069]/g, ""));

test("two banners of one move are both seen, and the end waits for the last shout and banner", async () => {
  const { host } = await deal(server, "Last Words", { bots: 1 });
  await decisionOf(host).waitFor();
  const seen = await watchAnnounced(host);
  await host.press("Open it");
  await expect
    .poll(async () => plain(await seen()), { timeout: 20_000 })
    .toEqual(["banner: Ann opens the door", "banner: Behind it is another door"]);
  await host.press("Finish");
  await endBanner(host).waitFor({ timeout: 20_000 });
  expect(plain(await seen()).slice(2)).toEqual(["shout: the last word! Ann", "banner: And that was all", "the end"]);
  // Somebody who comes to a finished game waits for nothing.
  await host.page.reload();
  await endBanner(host).waitFor();
  expect(await host.page.locator("[data-announced]").count()).toBe(0);
});

test("a shout is larger than the name of the player whom it is about", async () => {
  const { host } = await deal(server, "Last Words", { bots: 1 });
  await host.press("Open it");
  await host.press("Finish");
  const shout = host.page.locator("[data-announced=shout]");
  await shout.waitFor({ timeout: 20_000 });
  expect(await shout.locator("strong").innerText()).toBe("the last word!");
  expect(await shout.locator("span").innerText()).toContain("Ann");
  const [large, small] = await Promise.all(
    ["strong", "span"].map((part) =>
      shout.locator(part).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
    ),
  );
  expect(large ?? 0).toBeGreaterThan(small ?? 0);
});
