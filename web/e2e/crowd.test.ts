/** Twenty people at a table, judging, and people who arrange things as they like. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { limits } from "../src/protocol/types";
import { text } from "../src/text/catalogue";
import { expectAccessible } from "./support/axe";
import {
  boxesOf,
  deal,
  decisionOf,
  desktop,
  isInWindow,
  overlap,
  phone,
  scrolls,
  startServer,
} from "./support/drawing";
import { gather } from "./support/group";
import { seatGuests } from "./support/guests";
import { uploadPack } from "./support/pack";
import { games, type Person } from "./support/person";
import type { Server } from "./support/server";
import { handOf, openMenu, ownCards } from "./support/table";

/** Prompts that take three answers. */
const pack = {
  id: "three",
  name: "Three blanks",
  cards: {
    prompt: Array.from({ length: 12 }, (_, i) => ({ text: `Number ${i + 1}: _____, then _____, then _____.` })),
    answer: Array.from({ length: 200 }, (_, i) => ({ text: `thing ${i + 1}` })),
  },
};

let server: Server;
let packLink = "";
beforeAll(async () => {
  server = await startServer();
  packLink = await uploadPack(server, pack);
});
afterAll(() => server?.stop());

const wordFair = async () => {
  const found = (await games(server.url)).find(({ name }) => name === "Word Fair");
  if (!found) throw new Error("there is no Word Fair");
  return found;
};
const answersOf = ({ page }: Person) => page.getByRole("list", { name: "Answers", exact: true });
const promptOf = ({ page }: Person) => page.getByRole("group", { name: text.table.prompt });
const pick = (person: Person) => decisionOf(person).getByRole("button", { name: "Pick", exact: true });
const takeBack = (person: Person) => decisionOf(person).getByRole("button", { name: text.table.takeBack });

describe.each([
  ["a phone", phone(390, 844)],
  ["a desktop", desktop(1280, 800)],
])("twenty people, on %s", (_, window) => {
  test("names, scores, counts and answers can be read, and the lead's powers are in reach", async () => {
    const { host } = await deal(server, "Word Fair", { bots: 19, window });
    await pick(host).waitFor();
    const seats = host.page.locator("[data-seat]");
    expect(await seats.count()).toBe(19);
    const cut = await seats
      .locator(".seat-name")
      .evaluateAll((names) =>
        names.flatMap((name) => (name.scrollWidth > name.clientWidth + 1 ? [name.textContent] : [])),
      );
    expect(cut).toEqual([]);
    const boxes = await boxesOf(seats.locator(".seat-plate"));
    expect(boxes.flatMap((box, i) => boxes.slice(i + 1).filter((other) => overlap(box, other)))).toEqual([]);
    expect(await scrolls(host.page)).toBe(false);
    expect(await isInWindow(decisionOf(host))).toBe(true);
    expect(await answersOf(host).getByRole("listitem").count()).toBe(19);
    // The judge picks; in the next round the person answers last, because bots answer at once.
    await host.device.press(answersOf(host).getByRole("button").nth(18));
    await host.device.press(pick(host));
    await decisionOf(host).getByText(text.table.answered(18, 19)).waitFor();
    await host.press(text.table.scores);
    const board = host.page.getByRole("dialog", { name: text.table.scores });
    await expect.poll(() => board.getByRole("listitem").count()).toBe(20);
    expect(await board.getByRole("listitem").first().locator(".badge-score").innerText()).toMatch(/1$/);
    await expectAccessible(host.page);
    await host.press(text.panel.close);
    const menu = await openMenu(host);
    expect(await isInWindow(menu.getByRole("button", { name: text.panel.rules }))).toBe(true);
  });
});

test.each([
  ["a phone", phone(390, 844)],
  ["a desktop", desktop(1280, 800)],
])("on %s the lead of twenty people reaches the last of them, and every long name can be read", async (_, window) => {
  const { host, code } = await gather(await wordFair(), {
    people: ["Ann"],
    server: server.url,
    contexts: window,
    devices: { Ann: window.hasTouch ? "touch" : "mouse" },
    lobby: true,
  });
  const names = Array.from({ length: 19 }, (_, i) => `${String.fromCharCode(65 + i)}artholomew Featherston${i % 10}`);
  for (const name of names) expect([...name]).toHaveLength(limits.nameChars);
  const leave = await seatGuests(host.server, code, names);
  onTestFinished(leave);
  // Some games begin by themselves when the last seat is taken.
  const start = host.page.getByRole("button", { name: text.lobby.start });
  await start
    .or(host.page.getByRole("region", { name: text.table.cloth }))
    .first()
    .waitFor();
  if (await start.count()) await host.start();
  await host.atTable();
  const menu = await openMenu(host);
  const entries = menu.locator(".people > li");
  await expect.poll(() => entries.count()).toBe(20);
  const cut = await entries.locator("bdi").evaluateAll((all) =>
    all.flatMap((name) => {
      const [own, around] = [name.getBoundingClientRect(), (name.parentElement as Element).getBoundingClientRect()];
      const isCut = name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0;
      return isCut || own.right > around.right + 1 ? [name.textContent] : [];
    }),
  );
  expect(cut).toEqual([]);
  // A press fails on what is covered or can't be scrolled to.
  const last = names.at(-1) ?? "";
  await host.press(text.panel.kick(last));
  await host.page.getByRole("alertdialog", { name: text.panel.kickSure(last) }).waitFor();
  await host.press(text.panel.cancel);
  await host.press(text.panel.pause);
  await menu.getByRole("button", { name: text.panel.resume }).waitFor();
  await host.press(text.panel.resume);
  await menu.getByRole("button", { name: text.panel.pause }).waitFor();
});

describe("judging", () => {
  test.each([
    ["a phone", phone(390, 844)],
    ["a phone on its side", phone(844, 390)],
    ["a desktop", desktop(1280, 800)],
  ])("on %s the prompt stays in sight, and an answer is read filled in before it is sent", async (_, window) => {
    const { host } = await deal(server, "Word Fair", { bots: 12, window, packLink, packs: [pack.name] });
    await pick(host).waitFor();
    const last = answersOf(host).getByRole("listitem").last();
    const words = await last.locator("[data-face=up]").allInnerTexts();
    expect(words.length).toBe(3);
    await host.device.press(last.getByRole("button"));
    await expect.poll(() => last.getByRole("button").getAttribute("aria-pressed")).toBe("true");
    expect(await isInWindow(promptOf(host))).toBe(true);
    const filled = await promptOf(host).innerText();
    for (const word of words) expect(filled).toContain(word.trim());
    // One press only selects; the button sends, and until two seconds have passed the answer can be taken back.
    await host.device.press(pick(host));
    await host.device.press(takeBack(host));
    await pick(host).waitFor();
    expect(await last.getByRole("button").getAttribute("aria-pressed")).toBe("true");
    await expectAccessible(host.page);
    await host.device.press(pick(host));
    await takeBack(host).waitFor();
    await answersOf(host).waitFor({ state: "hidden" });
  });

  test("whoever wants to be asked is asked once, and then the answer is sent at once", async () => {
    const { host } = await deal(server, "Word Fair", { bots: 3 });
    await pick(host).waitFor();
    await host.page.evaluate(() => localStorage.setItem("baize.settings", JSON.stringify({ confirm: true })));
    await host.page.reload();
    await pick(host).waitFor();
    await host.device.press(answersOf(host).getByRole("button").first());
    const held: string[] = [];
    await host.page.exposeFunction("sawHeld", (words: string) => held.push(words));
    await host.page.evaluate(
      (words) =>
        new MutationObserver(() => {
          if (document.body.innerText.includes(words))
            (window as unknown as { sawHeld(w: string): void }).sawHeld(words);
        }).observe(document.body, { childList: true, subtree: true }),
      text.table.takeBack,
    );
    await host.device.press(pick(host));
    await answersOf(host).waitFor({ state: "hidden" });
    expect(held).toEqual([]);
  });

  test("a dragged card lands on the slot where it is dropped, and a card of the hand can be dropped on a slot", async () => {
    const { named } = await deal(server, "Word Fair", {
      people: ["Ann", "Ben"],
      bots: 1,
      packLink,
      packs: [pack.name],
    });
    const ben = named("Ben");
    await decisionOf(ben).waitFor();
    const hand = await handOf(ben);
    const card = (at: number) => ownCards(ben.page).nth(at).getByRole("button");
    for (const at of [0, 1, 2]) await ben.device.press(card(at));
    const slots = ben.page.locator("[data-slot]");
    const order = async () => (await slots.allInnerTexts()).map((words) => /thing \d+/.exec(words)?.[0]);
    await expect.poll(order).toEqual(hand.slice(0, 3));
    await drag(ben, slots.nth(0).getByRole("button").first(), slots.nth(2));
    await expect.poll(order).toEqual([hand[1], hand[2], hand[0]]);
    await drag(ben, slots.nth(2).getByRole("button").first(), slots.nth(0));
    await expect.poll(order).toEqual(hand.slice(0, 3));
    // All slots are full, so the dropped card takes the place of the one that was there.
    await drag(ben, card(4), slots.nth(1));
    await expect.poll(order).toEqual([hand[0], hand[4], hand[2]]);
    expect(await promptOf(ben).innerText()).toContain(`${hand[0]}, then ${hand[4]}, then ${hand[2]}`);
  });

  async function drag({ page }: Person, from: ReturnType<typeof ownCards>, to: ReturnType<typeof ownCards>) {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    if (!start || !end) throw new Error("nothing to drag");
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
    await page.mouse.up();
  }
});

test("players sort their own hand by suit, by rank and by hand", async () => {
  const { host } = await deal(server, "Foundations", { bots: 3 });
  await decisionOf(host).waitFor();
  const dealt = await handOf(host);
  const ranks = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
  const rankOf = (name: string) => ranks.findIndex((rank) => name.includes(`${rank} of `));
  const sort = host.page.getByRole("button", { name: /^Sort my cards/ });
  await host.device.press(sort);
  await expect.poll(() => sort.innerText()).toContain(text.table.handOrders.suit);
  await host.device.press(sort);
  const byRank = async () => (await handOf(host)).map(rankOf);
  await expect
    .poll(async () => (await byRank()).join())
    .toBe(
      dealt
        .map(rankOf)
        .sort((a, b) => a - b)
        .join(),
    );
  // A card that is dragged over the third one takes its place; so do the arrow keys with Shift.
  const before = await handOf(host);
  const [from, to] = await Promise.all([0, 2].map((at) => ownCards(host.page).nth(at).locator(".card").boundingBox()));
  if (!from || !to) throw new Error("no cards");
  await host.page.mouse.move(from.x + 12, from.y + from.height / 2);
  await host.page.mouse.down();
  await host.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
  await host.page.mouse.up();
  await expect.poll(() => handOf(host)).toEqual([before[1], before[2], before[0], ...before.slice(3)]);
  await ownCards(host.page).nth(2).getByRole("button").focus();
  await host.page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(() => handOf(host)).toEqual([before[1], before[0], before[2], ...before.slice(3)]);
});

test("seats move when the places change, and whoever is finished is honoured", async () => {
  const { host } = await deal(server, "Long Table", { bots: 3 });
  await decisionOf(host).waitFor();
  const order = async () =>
    (await boxesOf(host.page.locator("[data-seat]"))).sort((a, b) => a.x - b.x).map(({ label }) => label.split(",")[0]);
  const before = await order();
  const plates = host.page.locator("[data-seat].is-safe .seat-plate");
  await expect.poll(() => plates.count()).toBe(3);
  expect(await plates.evaluateAll((all) => all.map((plate) => getComputedStyle(plate).opacity))).toEqual([
    "1",
    "1",
    "1",
  ]);
  await host.device.press(ownCards(host.page).first().getByRole("button"));
  await decisionOf(host).getByRole("button", { name: "Next round" }).waitFor();
  await expect.poll(order).toEqual(before.toReversed());
});

test("presence has a shape of its own: a disc, a crescent, a cross", async () => {
  const { host, named } = await deal(server, "Nine Clans", { people: ["Ann", "Ben", "Cleo"] });
  await decisionOf(host).waitFor();
  const shapes = () =>
    host.page
      .locator("[data-seat] [data-presence]")
      .evaluateAll((signs) =>
        signs.map((sign) => `${sign.getAttribute("data-presence")} ${sign.querySelector("path")?.getAttribute("d")}`),
      );
  const online = await shapes();
  expect(online[0]).toBe(online[1]);
  const ben = named("Ben");
  await openMenu(ben);
  await ben.press(text.panel.away, "checkbox");
  await named("Cleo").leave();
  await expect
    .poll(async () => (await shapes()).map((shape) => shape.split(" ")[0]).sort())
    .toEqual(["away", "offline"]);
  expect(new Set([...online, ...(await shapes())].map((shape) => shape.replace(/^\w+ /, ""))).size).toBe(3);
});

test("counters lie on the cloth: beside their pile, or at its near edge", async () => {
  const { host } = await deal(server, "Treasury", { bots: 1 });
  await decisionOf(host).waitFor();
  const cloth = host.page.getByRole("region", { name: text.table.cloth });
  await cloth.getByRole("list", { name: text.table.counters }).getByText("Largest bid").waitFor();
  await cloth.getByText("Sold").waitFor();
  expect(await host.page.locator("header").innerText()).not.toContain("Largest bid");
});
