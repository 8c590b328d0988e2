/** Cards with text on small phones: whatever is picked, everything can be reached and nothing covers anything. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { gather, type TableGroup } from "./support/group";
import { uploadPack } from "./support/pack";
import { gameNamed, type Person, PHONE } from "./support/person";
import { drawPrompt } from "./support/player";
import { Server } from "./support/server";

const game = await gameNamed("Cards Against Humanity");

/** The longest text that a card may have. */
const LONGEST = 400;
const long = (words: string) => `${words} ${"and so on, at great length, ".repeat(LONGEST)}`.slice(0, LONGEST - 1);

/** Prompts that take three answers, all of the greatest length. */
const pack = {
  id: "longest",
  name: "Longest",
  cards: {
    prompt: Array.from({ length: 20 }, (_, i) => ({ text: `${long(`${i + 1}`).slice(0, -24)} _____, _____, _____.` })),
    answer: Array.from({ length: 120 }, (_, i) => ({ text: long(`Thing ${i + 1}`) })),
  },
};

let server: Server;
let packLink = "";
beforeAll(async () => {
  server = await Server.start();
  packLink = await uploadPack(server, pack);
});
afterAll(() => server?.stop());

for (const height of [740, 640]) {
  describe.sequential(`a prompt with three answers of the greatest length, at 360×${height}`, () => {
    let group: TableGroup;
    let judge: Person;
    let writers: Person[];

    beforeAll(async () => {
      group = await gather(game, {
        people: ["Ann", "Ben", "Cleo"],
        devices: { Ann: "touch", Ben: "touch", Cleo: "touch" },
        contexts: { ...PHONE, viewport: { width: 360, height } },
        server: server.url,
        table: { packs: [pack.name], packLinks: [packLink] },
        lasting: true,
      });
      judge = await drawPrompt(group.people);
      writers = group.others(judge);
      for (const writer of writers) await submit(writer).waitFor();
    });
    afterAll(() => group?.close());

    test("nothing overlaps, and every card, slot and button can be reached while three cards are picked", async () => {
      for (const writer of writers) {
        await expectApart(writer);
        for (const at of [6, 0, 3]) {
          await writer.device.press(cards(writer).nth(at));
          await expect.poll(() => cards(writer).nth(at).getAttribute("aria-pressed")).toBe("true");
          await expectApart(writer);
        }
        // Clears a slot and fills it again; then the button sends the cards.
        await writer.device.press(
          places(writer)
            .nth(1)
            .getByRole("button", { name: new RegExp(`^${text.table.clear}`) }),
        );
        await expect.poll(() => picked(writer)).toBe(2);
        await expectApart(writer);
        await writer.device.press(cards(writer).nth(0));
        await expect.poll(() => picked(writer)).toBe(3);
        await writer.device.press(submit(writer));
        await submit(writer).waitFor({ state: "hidden" });
      }
    });

    test("the judge can reach every answer and the button that chooses it", async () => {
      const answers = judge.page.getByRole("list", { name: "Answer", exact: true }).getByRole("button");
      await expect.poll(() => answers.count(), { timeout: 15_000 }).toBe(2);
      await judge.device.press(answers.nth(0));
      await judge.device.press(answers.nth(1));
      await expect.poll(() => answers.nth(1).getAttribute("aria-pressed")).toBe("true");
      await expectApart(judge);
    });
  });
}

const asking = ({ page }: Person): Locator => page.getByRole("region", { name: text.table.yourTurn });
const submit = (person: Person): Locator => asking(person).getByRole("button", { name: text.table.play, exact: true });
const places = (person: Person): Locator => asking(person).locator("ol").getByRole("listitem");
const cards = ({ page }: Person): Locator => page.getByRole("button", { name: /^\d+ of \d+: (play )?Thing/ });
const picked = (person: Person): Promise<number> =>
  places(person)
    .getByRole("button", { name: new RegExp(`^${text.table.clear}`) })
    .count();

/**
 * Checks that the decision is completely inside the window, and that the table above it scrolls and has enough
 * height.
 */
async function expectApart({ page }: Person): Promise<void> {
  const seen = await page.evaluate(() => {
    const region = document.querySelector("[data-decision]");
    const target = document.querySelector("[data-target]");
    let scrolled = target?.parentElement ?? null;
    while (scrolled && !/auto|scroll/.test(getComputedStyle(scrolled).overflowY)) scrolled = scrolled.parentElement;
    if (!region || !scrolled) return null;
    const { top, bottom } = region.getBoundingClientRect();
    const above = scrolled.getBoundingClientRect();
    return {
      inWindow: bottom <= innerHeight && document.documentElement.scrollHeight <= innerHeight,
      apart: above.bottom <= top,
      room: above.height / innerHeight,
      sideways: document.documentElement.scrollWidth > innerWidth || scrolled.scrollWidth > scrolled.clientWidth,
    };
  });
  expect(seen).toMatchObject({ inWindow: true, apart: true, sideways: false });
  expect(seen?.room).toBeGreaterThan(0.4);
}
