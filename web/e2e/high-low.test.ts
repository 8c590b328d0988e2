/** high-low.md, "Future UI/Logic Checklist": one test for each line of the list. */
import { expect, test } from "vitest";
import { gather } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, type OpenDecision, type PressAction, readDecision } from "./support/player";
import { endBanner, statusOf } from "./support/table";

const highLow = await gameNamed("High/Low");
const RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];

/** The labels of the nine piles, in order. */
async function piles({ page }: Person): Promise<{ label: string; top: number; turned: boolean; open: boolean }[]> {
  const labels = await page.locator("[data-shape=grid] [data-zone]").evaluateAll((all) =>
    all.map((pile) => {
      const button = pile.querySelector("[data-target]");
      const backs = pile.querySelectorAll("[data-face=down]").length;
      return {
        label: (button ?? pile.querySelector("[role=img]"))?.getAttribute("aria-label") ?? "",
        open: !!button,
        backs,
      };
    }),
  );
  return labels.map(({ label, open, backs }) => ({
    label,
    open,
    top: rank(label),
    turned: /turned over/.test(label) && backs === 1,
  }));
}

const rank = (label: string) => RANKS.indexOf(/(\w+) of \w+ on top/.exec(label)?.[1] ?? "");

/** The pile and the call that are most, or least, likely to hold. */
function call(now: OpenDecision, well: boolean): PressAction {
  const picked = now.targets.find(({ pressed }) => pressed);
  const extreme = (label: string) => Math.abs(rank(label) - 6);
  if (!picked) {
    const far = [...now.targets].sort((a, b) => extreme(b.label) - extreme(a.label))[0];
    if (!far) throw new Error("no pile is open");
    return { target: far };
  }
  const higher = rank(picked.label) < 6 === well;
  const button = now.buttons.find(({ label }) => label === (higher ? "Higher" : "Lower"));
  if (!button) throw new Error(`no call: ${JSON.stringify(now)}`);
  return { button };
}

test("high-low.md, Checklist: all nine piles show their top card or that they are flipped", async () => {
  const { people, host } = await gather(highLow, { people: ["Ann"] });
  let flipped = 0;
  const play = new GameDriver(people, (now) => call(now, false));
  await play.until(async () => {
    const nine = await piles(host);
    expect(nine).toHaveLength(9);
    for (const { top, turned, label } of nine) expect(turned ? top < 0 : top >= 0, label).toBe(true);
    flipped = nine.filter(({ turned }) => turned).length;
    return flipped > 0;
  });
  expect(flipped).toBe(1);
});

test("high-low.md, Checklist: the active player picks a pile before calling higher or lower", async () => {
  const { people, named } = await gather(highLow, { people: ["Ann", "Ben"] });
  const ann = named("Ann");
  const higher = ann.page.getByRole("button", { name: "Higher" });
  const lower = ann.page.getByRole("button", { name: "Lower" });
  await higher.waitFor();
  expect(await readDecision(named("Ben"))).toBeNull();
  expect([await higher.isDisabled(), await lower.isDisabled()]).toEqual([true, true]);
  await ann.device.press(ann.page.locator("[data-target=pile]").nth(4));
  await expect.poll(() => higher.isEnabled()).toBe(true);
  expect(await lower.isEnabled()).toBe(true);
  const left = await statusOf(ann);
  await ann.device.press(higher);
  for (const person of people) await expect.poll(() => statusOf(person)).not.toBe(left);
});

test("high-low.md, Checklist: the table shows how many cards remain and which piles are open", async () => {
  const { people, host } = await gather(highLow, { people: ["Ann"] });
  expect(await statusOf(host)).toBe("43 cards left, 9 piles open");
  await host.page.getByRole("img", { name: "Deck: 43 cards" }).waitFor();
  const play = new GameDriver(people, (now) => call(now, false));
  await play.until(async () => /[0-7] piles open/.test(await statusOf(host)));
  const status = await statusOf(host);
  const [, left = "", open = ""] = /^(\d+) cards left, (\d) piles open$/.exec(status) ?? [];
  const nine = await piles(host);
  expect(nine.filter((pile) => pile.open)).toHaveLength(Number(open));
  const lying = nine.reduce((sum, { label }) => sum + Number(/: (\d+) cards?/.exec(label)?.[1]), 0);
  expect(lying + Number(left)).toBe(52);
});

test("high-low.md, Checklist: a pile that locks is flipped and can't be chosen", async () => {
  const { people, host } = await gather(highLow, { people: ["Ann"] });
  let before = await piles(host);
  const play = new GameDriver(people, (now) => call(now, false));
  await play.until(async () => {
    const now = await piles(host);
    if (now.some(({ turned }) => turned)) return true;
    // While the card that locks the pile is visible, no player has a decision.
    if (now.some(({ open }) => open)) before = now;
    return false;
  });
  const after = await piles(host);
  const at = after.findIndex(({ turned }) => turned);
  expect(before[at]?.open).toBe(true);
  expect(after[at]?.open).toBe(false);
  expect(after[at]?.label).toMatch(/turned over$/);
  await host.page.mouse.click(...(await centreOf(host, at)));
  expect((await readDecision(host))?.targets.some(({ pressed }) => pressed)).toBe(false);
});

async function centreOf({ page }: Person, pile: number): Promise<[number, number]> {
  const box = await page.locator("[data-shape=grid] [data-zone]").nth(pile).boundingBox();
  if (!box) throw new Error("no such pile");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("high-low.md, Checklist: the banner says “Players Win” when a pile stays open to the last card, else “Deck Wins”", async () => {
  const good = await gather(highLow, { people: ["Ann"], table: { preset: "quick" } });
  await new GameDriver(good.people, (now) => call(now, true)).toTheEnd();
  expect(await endBanner(good.host).getByRole("heading").textContent()).toBe("Players Win");
  expect(await statusOf(good.host)).toMatch(/^0 cards left, [1-9] piles open$/);
  const bad = await gather(highLow, { people: ["Ann"] });
  await new GameDriver(bad.people, (now) => call(now, false)).toTheEnd();
  expect(await endBanner(bad.host).getByRole("heading").textContent()).toBe("Deck Wins");
  expect(await statusOf(bad.host)).toMatch(/ 0 piles open$/);
});
