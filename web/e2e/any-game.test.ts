/** Games that were not written for the client are drawn so that people can read and touch everything. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { expectAccessible } from "./support/axe";
import {
  boxesOf,
  deal,
  decisionOf,
  desktop,
  hiddenCorners,
  isInWindow,
  overlap,
  phone,
  scrolls,
  startServer,
} from "./support/drawing";
import { gather } from "./support/group";
import { gameNamed } from "./support/person";
import { GameDriver } from "./support/player";
import type { Server } from "./support/server";
import { handOf, inTheMiddle, ownCards } from "./support/table";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const mine = "section.table-mine";

describe("a phone on its side", () => {
  test.each([
    ["Nine Clans", 844, 390],
    ["Nine Clans", 640, 360],
    ["Six Holes", 844, 390],
    ["Hidden Row", 640, 360],
  ])("%s at %i×%i: the decision and every own card are in sight, and nothing scrolls", async (game, width, height) => {
    const { host } = await deal(server, game, { bots: 3, window: phone(width, height) });
    await decisionOf(host).waitFor();
    await expect.poll(() => hiddenCorners(host.page.locator(`${mine} :is([data-handle], [data-back])`))).toEqual([]);
    expect(await scrolls(host.page)).toBe(false);
    expect(await isInWindow(decisionOf(host))).toBe(true);
    await expectAccessible(host.page);
  });

  test("cards with text: the decision stays in sight, and every card can be reached", async () => {
    const { named } = await deal(server, "Word Fair", { people: ["Ann", "Ben"], bots: 1, window: phone(844, 390) });
    const ben = named("Ben");
    await decisionOf(ben).waitFor();
    const cards = ownCards(ben.page);
    expect(await cards.count()).toBe(6);
    for (let at = 0; at < 6; at++) {
      await ben.device.press(cards.nth(at).getByRole("button"));
      await expect.poll(() => cards.nth(at).getByRole("button").getAttribute("aria-pressed")).toBe("true");
      expect(await isInWindow(decisionOf(ben).locator("p").first())).toBe(true);
    }
    expect(await scrolls(ben.page)).toBe(false);
  });
});

test.each([
  [360, 640],
  [390, 844],
  [640, 360],
])("with eight players at %i×%i no played card hides the rank of another", async (width, height) => {
  const { host } = await deal(server, "Long Table", { bots: 7, window: phone(width, height) });
  await decisionOf(host).waitFor();
  await expect.poll(() => inTheMiddle(host.page).count()).toBe(7);
  await expect.poll(() => hiddenCorners(inTheMiddle(host.page))).toEqual([]);
});

test("cards grow with the screen", async () => {
  const shares: number[] = [];
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    const { host } = await deal(server, "Nine Clans", { bots: 3, window: desktop(width, height) });
    await decisionOf(host).waitFor();
    expect(await scrolls(host.page)).toBe(false);
    const card = await ownCards(host.page).first().locator(".card").boundingBox();
    shares.push((card?.width ?? 0) / height);
  }
  // On every screen a card has about the same share of the height.
  expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.25);
});

describe("cards that lie before a player", () => {
  test.each([
    ["a phone", phone(390, 844), 40],
    ["a small phone", phone(360, 640), 40],
    ["a desktop", desktop(1280, 800), 60],
  ])(
    "on %s the own grid has its two rows and three columns, and the drawn card lies apart",
    async (_, window, least) => {
      const { host } = await deal(server, "Six Holes", { bots: 3, window });
      await decisionOf(host).waitFor();
      const cells = await boxesOf(host.page.getByRole("list", { name: "Grid", exact: true }).getByRole("listitem"));
      const places = (of: (box: { x: number; y: number }) => number) => [
        ...new Set(cells.map((box) => Math.round(of(box)))),
      ];
      expect([places(({ y }) => y).length, places(({ x }) => x).length, cells.length]).toEqual([2, 3, 6]);
      for (const { width } of cells) expect(width).toBeGreaterThanOrEqual(least);
      const [drawn] = await boxesOf(
        host.page.getByRole("list", { name: "Drawn card", exact: true }).getByRole("listitem"),
      );
      if (!drawn) throw new Error("no drawn card");
      expect(drawn.width).toBeGreaterThanOrEqual(least);
      expect(cells.filter((cell) => overlap(cell, drawn))).toEqual([]);
      // The others' grids have the same rows and columns.
      const grids = host.page.locator(".mini-grid");
      expect(await grids.count()).toBe(3);
      expect(await grids.first().getAttribute("data-columns")).toBe("3");
      expect(await scrolls(host.page)).toBe(false);
    },
  );

  test("two numbers that stand for a row and a column are answered by touching the cell", async () => {
    const { host } = await deal(server, "Six Holes", { bots: 1, window: phone(390, 844) });
    await decisionOf(host).waitFor();
    const drawn = await host.page
      .getByRole("list", { name: "Drawn card", exact: true })
      .getByRole("img")
      .getAttribute("aria-label");
    const cell = host.page
      .getByRole("list", { name: "Grid", exact: true })
      .getByRole("listitem")
      .nth(5)
      .getByRole("button");
    await host.device.press(cell);
    await expect.poll(() => cell.getAttribute("aria-pressed")).toBe("true");
    for (const title of [text.table.row, text.table.column])
      await decisionOf(host).getByText(title, { exact: true }).waitFor();
    expect(await decisionOf(host).getByRole("combobox").nth(0).inputValue()).toBe("2");
    expect(await decisionOf(host).getByRole("combobox").nth(1).inputValue()).toBe("3");
    await host.device.press(cell);
    await expect
      .poll(() => host.page.getByRole("list", { name: "Grid", exact: true }).getByRole("listitem").nth(5).innerHTML())
      .toContain(drawn ?? "?");
  });

  test("a face-down row is single backs, which a player touches where they lie; the empty stock is gone", async () => {
    const { host } = await deal(server, "Hidden Row", { bots: 2, window: phone(390, 844) });
    await decisionOf(host).waitFor();
    const backs = host.page.getByRole("list", { name: "Hidden cards" }).getByRole("button");
    expect(await backs.count()).toBe(5);
    const boxes = await boxesOf(backs);
    boxes.forEach((box, i) => {
      expect(boxes.filter((other, j) => j > i && overlap(box, other))).toEqual([]);
    });
    const seat = host.page.locator("[data-seat] .mini-pile.is-row .card");
    expect(await seat.count()).toBe(10);
    expect(await host.page.getByText("Stock").count()).toBe(0);
    await host.device.press(backs.nth(3));
    await host.device.press(backs.nth(3));
    await host.page.getByRole("list", { name: "Open cards" }).getByRole("listitem").first().waitFor();
    await expect
      .poll(() => host.page.getByRole("list", { name: "Hidden cards" }).getByRole("listitem").count())
      .toBe(4);
  });

  test("equal cards are one stack with a count, and touching it picks one of them", async () => {
    const { host } = await deal(server, "Treasury", { bots: 1, window: phone(390, 844) });
    await decisionOf(host).waitFor();
    const stacks = host.page.getByRole("list", { name: "Purse" }).getByRole("listitem");
    const counts = await host.page.locator(".stack-count").allTextContents();
    expect(await stacks.count()).toBeLessThanOrEqual(3);
    const total =
      counts.reduce((sum, count) => sum + Number(count.slice(1)), 0) + (await stacks.count()) - counts.length;
    expect(total).toBe(6);
    await host.device.press(stacks.first().getByRole("button"));
    await expect.poll(() => decisionOf(host).getByRole("button", { name: "Spend a coin" }).isEnabled()).toBe(true);
  });
});

test("a row of piles has its title over it", async () => {
  const { host } = await deal(server, "Word Fair", { bots: 2 });
  const row = host.page.getByRole("list", { name: "Answers", exact: true });
  await row.waitFor();
  // Below a prompt there is no doubt what the cards are.
  expect(await row.locator(".row-title").count()).toBe(0);
  const rummy = await gameNamed("Rummy");
  const { host: ann, people } = await gather(rummy, { people: ["Ann"], bots: 2 });
  const titles = ann.page.locator(".answers > .row-title");
  await new GameDriver(people).until(async () => (await titles.count()) > 0);
  await titles.getByText("Meld").waitFor();
});

test("zones that are indexed by a suit or another word show that word as their title", async () => {
  for (const window of [phone(390, 844), desktop(1280, 800)]) {
    const { host } = await deal(server, "Foundations", { bots: 2, window });
    await decisionOf(host).waitFor();
    const cloth = host.page.getByRole("region", { name: text.table.cloth });
    const words = ["Foundation", "♣", "♦", "♥", "♠", "ebb", "flood", "slack"];
    for (const word of words) await cloth.getByText(word, { exact: true }).first().waitFor();
    const piles = await boxesOf(host.page.locator("[data-shape=grid] .pile"));
    const rows = await boxesOf(host.page.locator(".answers .answer"));
    expect(piles.flatMap((pile) => rows.filter((row) => overlap(pile, row)))).toEqual([]);
  }
});

describe("the decision", () => {
  test("an impossible alternative is hidden, and a touched card leaves only the alternatives that it fits", async () => {
    const { host } = await deal(server, "Foundations", { bots: 2, window: phone(390, 844) });
    await decisionOf(host).waitFor();
    const buttons = () => decisionOf(host).getByRole("button").allTextContents();
    // The waste is empty, so two cards can't be traded.
    expect((await buttons()).join()).not.toContain("Trade two");
    expect(await buttons()).toContain("Throw away");
    // A middle card of a suit that nobody has begun can only be thrown away.
    const middle = ownCards(host.page).getByRole("button", { name: /[4-9] of / });
    await host.device.press(middle.first());
    await expect
      .poll(async () => (await buttons()).filter((label) => label !== text.table.clear))
      .toEqual(["Throw away"]);
  });

  test("a number that stands for a die is answered by touching the die, and a lone candidate is chosen already", async () => {
    const { host, named } = await deal(server, "Loaded Dice", { people: ["Ann", "Ben"], window: phone(390, 844) });
    await decisionOf(host).waitFor();
    const die = host.page.locator("[data-target=die]").nth(2);
    await host.device.press(die);
    await expect.poll(() => die.getAttribute("aria-pressed")).toBe("true");
    await host.device.press(die);
    await host.page.getByRole("group", { name: text.table.you, exact: true }).getByText("3", { exact: true }).waitFor();
    // Only Ben can get the coin, so that a card is all that is left to choose.
    await decisionOf(host).getByText("Give a coin", { exact: true }).waitFor();
    const give = decisionOf(host).getByRole("button", { name: "Give", exact: true });
    const before = (await handOf(named("Ben"))).length;
    expect(await give.isEnabled()).toBe(false);
    await host.device.press(ownCards(host.page).first().getByRole("button"));
    await expect.poll(() => give.isEnabled()).toBe(true);
    await host.device.press(give);
    await expect.poll(async () => (await handOf(named("Ben"))).length).toBe(before + 1);
  });

  test("a number out of many has a slider, steps and a field to type it", async () => {
    const { host } = await deal(server, "Treasury", { bots: 1, window: phone(390, 844) });
    await decisionOf(host).waitFor();
    await host.press("Offer …");
    const slider = decisionOf(host).getByRole("slider");
    await slider.waitFor();
    await expectAccessible(host.page);
    await host.press(`Offer: ${text.table.more(100)}`);
    await host.press(`Offer: ${text.table.more(1)}`);
    const typed = decisionOf(host).getByRole("spinbutton");
    await expect.poll(() => typed.inputValue()).toBe("102");
    await slider.focus();
    await host.page.keyboard.press("ArrowRight");
    await expect.poll(() => typed.inputValue()).toBe("103");
    await host.device.write(typed, "4321");
    await host.press("Offer");
    await host.page.getByRole("group", { name: text.table.you, exact: true }).getByText("4321").waitFor();
  });

  test("fields have titles, never the letters of the rules", async () => {
    const { host } = await deal(server, "Treasury", { bots: 1 });
    await decisionOf(host).waitFor();
    await host.press("Offer in two parts …");
    await decisionOf(host)
      .getByRole("slider", { name: text.table.part("number", 1, 2) })
      .waitFor();
    await decisionOf(host)
      .getByRole("slider", { name: text.table.part("number", 2, 2) })
      .waitFor();
    expect(await decisionOf(host).innerText()).not.toMatch(/^[A-Za-z]$/m);
  });
});

test("nine words have nine signs and nine colours; red is red; a fan shows the names", async () => {
  const seen = new Map<string, { sign: string; ink: string }>();
  // A hand has about six of the words, so the test deals until it has seen all of them.
  for (let deals = 0; seen.size < 9 && deals < 12; deals++) await lookAtClans(seen);
  expect(seen.size).toBe(9);
  expect(new Set([...seen.values()].map(({ sign, ink }) => `${sign} ${ink}`)).size).toBe(9);
  expect(new Set([...seen.values()].map(({ sign }) => sign)).size).toBe(9);
  expect(seen.get("red")?.ink).toBe("rgb(184, 32, 47)");
});

/** Deals a hand and notes the sign and the colour of each word in it. */
async function lookAtClans(seen: Map<string, { sign: string; ink: string }>): Promise<void> {
  const { host, close } = await deal(server, "Nine Clans", { bots: 4 });
  await decisionOf(host).waitFor();
  const drawn = await ownCards(host.page).evaluateAll((cards) =>
    cards.map((card) => ({
      word: card.querySelector(".card-edge-name")?.textContent ?? "",
      sign: card.querySelector("use")?.getAttribute("href") ?? "",
      ink: getComputedStyle(card.querySelector("svg.card-art") as Element).color,
      named:
        (card.querySelector(".card-edge-name")?.getBoundingClientRect().left ?? 0) - card.getBoundingClientRect().left,
      width: card.getBoundingClientRect().width,
    })),
  );
  for (const { word, sign, ink, named, width } of drawn) {
    expect(word).not.toBe("");
    // The name stands in the left third, which the next card of the fan leaves free.
    expect(named).toBeLessThan(width / 3);
    const before = seen.get(word);
    if (before) expect({ sign, ink }).toEqual(before);
    for (const [other, look] of seen) if (other !== word) expect([look.sign, look.ink]).not.toEqual([sign, ink]);
    seen.set(word, { sign, ink });
  }
  await close();
}
