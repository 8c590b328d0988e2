/** Reading aloud, with a fake voice that records what it has to say. */
import { expect, test, vi } from "vitest";
import { text } from "../src/text/catalogue";
import { gather } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, readDecision } from "./support/player";

const humanity = await gameNamed("Cards Against Humanity");

async function withVoice({ context, page }: Person): Promise<void> {
  const voice = () => {
    const spoken: string[] = [];
    Object.assign(globalThis, { spoken });
    Object.defineProperty(globalThis, "speechSynthesis", {
      value: { speak: ({ text }: { text: string }) => void spoken.push(text) },
    });
    Object.assign(globalThis, {
      SpeechSynthesisUtterance: class {
        constructor(readonly text: string) {}
      },
    });
  };
  await context.addInitScript(voice);
  await page.reload();
}

const spoken = ({ page }: Person): Promise<string[]> =>
  page.evaluate(() => [...(globalThis as unknown as { spoken: string[] }).spoken]);

test("with speech on, the turn, the prompt and each filled answer are read aloud; with it off, nothing is", async () => {
  const { people, others } = await gather(humanity, { people: ["Ann", "Ben", "Cleo"] });
  for (const person of people) {
    await withVoice(person);
    await person.atTable();
  }
  const drawing = async () => {
    const all = await Promise.all(people.map(readDecision));
    return people.find((_, i) => /draw a prompt/.test(all[i]?.prompt ?? ""));
  };
  const judge = await vi.waitUntil(drawing, { timeout: 15_000 });
  const [listener, silent] = others(judge) as [Person, Person];
  await listener.press(text.settings.title);
  await listener.press(text.settings.speech, "checkbox");
  await listener.press(text.panel.close);
  await judge.press("Draw a prompt");
  await expect.poll(async () => (await readDecision(listener))?.prompt ?? "").toMatch(/^Answer/);
  const prompt = (await readDecision(listener))?.prompt ?? "";
  await expect.poll(() => spoken(listener)).toContain(`${text.table.yourTurn}. ${prompt}`);
  const written = await listener.page.locator("[data-handle]").first().textContent();
  // Some prompts are questions without a blank.
  const aloud = (written ?? "").replace(/_+/g, text.table.blank).slice(0, 12);
  expect((await spoken(listener)).filter((line) => line.startsWith(aloud))).toHaveLength(1);
  const play = new GameDriver([listener, silent]);
  await play.until(() => play.moves.size === 2);
  const answers = async () => (await spoken(listener)).filter((line) => /^Answer \d: /.test(line));
  await expect.poll(answers, { timeout: 15_000 }).toHaveLength(2);
  for (const line of await answers()) expect(line).not.toContain(text.table.blank);
  // The text of each answer lies on the table.
  const shown = await listener.page
    .getByRole("list", { name: "Answer", exact: true })
    .getByRole("listitem")
    .allInnerTexts();
  const words = shown.map((one) =>
    one
      .replace(/^\d+\s*/, "")
      .split("\n")[0]
      ?.trim()
      .replace(/[.!]$/, "")
      .toLowerCase(),
  );
  for (const one of words) expect((await answers()).join("\n").toLowerCase()).toContain(one);
  expect(await spoken(silent)).toEqual([]);
});

test.each(["Cards Against Humanity", "Market Day", "Crooked Mill", "Pelmanism"])(
  "%s: a screen reader never hears a name that only the rules file has",
  async (name) => {
    const game = await gameNamed(name);
    const { people, host } = await gather(game, { people: ["Ann", "Ben", "Cleo"] });
    const heard = await listen(host);
    const play = new GameDriver(people);
    await play.until(() => [...play.moves.values()].reduce((sum, moves) => sum + moves, 0) >= 8);
    const titles = game.slots.map((slot) => slot.name.toLowerCase());
    const internal = game.slots.map(({ id }) => id).filter((id) => !titles.some((title) => title.includes(id)));
    expect(internal.length).toBeGreaterThan(0);
    const words = (await heard()).join(" ").split(/[^\p{L}\p{N}_]+/u);
    expect(words.length).toBeGreaterThan(20);
    for (const id of internal) expect(words).not.toContain(id);
    expect(words.filter((word) => word.includes("_"))).toEqual([]);
  },
);

/** Collects everything that the live region tells from now on. */
async function listen({ page }: Person): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const region = document.querySelector("[aria-live=polite][role=log]") as HTMLElement;
    new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}
