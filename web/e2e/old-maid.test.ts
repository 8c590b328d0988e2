/** old-maid.md, "UX Checklist": one test for each line of the list. */
import { expect, onTestFinished, test } from "vitest";
import type { TableInfo } from "../src/protocol/types";
import { text } from "../src/text/catalogue";
import { CuttableProxy } from "./support/cuttableProxy";
import { gather, visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, readDecision } from "./support/player";
import { cardCountOf, endBanner, handOf, logOf, ownPlace, seatOf, statusOf } from "./support/table";

const oldMaid = await gameNamed("Old Maid");

test("old-maid.md, UX Checklist: High/Low or Old Maid is picked before joining", async () => {
  const ann = await visitor("Ann");
  await ann.home();
  for (const name of ["High/Low", "Old Maid"]) {
    await ann.press(`${text.home.withFriends}: ${name}`);
    await ann.page.getByRole("dialog", { name }).waitFor();
    await ann.press(text.panel.close);
  }
  await ann.make(oldMaid);
  await ann.page.getByRole("heading", { name: "Old Maid" }).waitFor();
});

test("old-maid.md, UX Checklist: the board shows each player, how many cards they hold, and their discards", async () => {
  const { host, people } = await gather(oldMaid, { people: ["Ann", "Ben"], bots: 1 });
  const others = await host.page
    .locator("[data-seat]")
    .evaluateAll((all) => all.map((s) => s.getAttribute("aria-label")?.split(",")[0] ?? ""));
  expect(others).toHaveLength(2);
  expect(others).toContain("Ben");
  const laid = async (name: string) => {
    const place = name === "Ann" ? host.page.getByRole("region", { name: text.table.mine }) : seatOf(host, name);
    const pairs = name === "Ann" ? "Pairs" : text.table.of(name, "Pairs");
    const label = await place.getByRole("img", { name: new RegExp(`^${pairs}: `) }).getAttribute("aria-label");
    return Number(/(\d+) cards?/.exec(label ?? "")?.[1]);
  };
  // Nobody is dealt seventeen cards of different ranks, so every player has laid a pair.
  let sum = (await handOf(host)).length + (await laid("Ann"));
  for (const name of others) {
    const [held, down] = [await cardCountOf(host, name), await laid(name)];
    expect(down % 2).toBe(0);
    expect(down).toBeGreaterThan(0);
    sum += held + down;
  }
  expect(sum).toBe(52);
  expect(await cardCountOf(host, "Ben")).toBe((await handOf(people[1] ?? host)).length);
});

test("old-maid.md, UX Checklist: the player whose turn it is stands out, and draws from the neighbour by a click or taps", async () => {
  const { people } = await gather(oldMaid, {
    people: ["Ann", "Ben", "Cleo"],
    devices: { Ann: "touch", Ben: "mouse", Cleo: "touch" },
  });
  const drawn = new Set<string>();
  // The game goes on until a finger and a mouse have each had a turn.
  while (drawn.size < 2) {
    await expect.poll(async () => (await Promise.all(people.map(readDecision))).filter(Boolean).length).toBe(1);
    const questions = await Promise.all(people.map(readDecision));
    const at = questions.findIndex((question) => question !== null);
    const drawer = people[at];
    const question = questions[at];
    if (!drawer || !question) throw new Error("nobody draws");
    const from = /^Draw a card from (\w+)$/.exec(question.prompt)?.[1] ?? "";
    const target = people.find(({ name }) => name === from);
    if (!target) throw new Error(question.prompt);
    for (const viewer of people) {
      // The others' windows may still show a pair that was just drawn, before it is put down.
      await expect.poll(() => statusOf(viewer)).toBe(`${drawer.name} draws from ${from}`);
      const place = viewer === drawer ? ownPlace(viewer).locator("..") : seatOf(viewer, drawer.name);
      expect(await place.getAttribute("class")).toContain("has-turn");
    }
    const held = (await handOf(target)).length;
    expect(question.targets).toHaveLength(held);
    expect(question.targets.every(({ kind }) => kind === "unseen")).toBe(true);
    const card = drawer.page.getByRole("button", { name: /^1 of / });
    await drawer.device.press(card);
    if (drawer.device.name === "touch") {
      await expect.poll(() => card.getAttribute("aria-pressed")).toBe("true");
      expect((await handOf(target)).length).toBe(held);
      await drawer.device.press(card);
    }
    await expect.poll(async () => (await handOf(target)).length).toBe(held - 1);
    drawn.add(drawer.device.name);
  }
});

test("old-maid.md, UX Checklist: the start needs two connected players, and locks the seats", async () => {
  const ann = await visitor("Ann");
  const proxy = await CuttableProxy.to(ann.server);
  onTestFinished(() => proxy.close());
  const code = await ann.make(oldMaid);
  const start = ann.page.getByRole("button", { name: text.lobby.start });
  await start.waitFor();
  expect(await start.isDisabled()).toBe(true);
  const ben = await visitor("Ben", { server: proxy.url });
  await ben.openAndSit(code);
  await expect.poll(() => start.isEnabled()).toBe(true);
  expect(await ben.page.getByRole("button", { name: text.lobby.start }).count()).toBe(0);
  proxy.cut();
  await expect.poll(() => start.isDisabled()).toBe(true);
  proxy.restore();
  await expect.poll(() => start.isEnabled(), { timeout: 15_000 }).toBe(true);
  await ann.start();
  await ben.atTable();
  expect(await start.count()).toBe(0);
  const cleo = await visitor("Cleo");
  await cleo.arrive(code);
  await cleo.page.getByText(/begun/).first().waitFor();
  expect(await ann.page.locator("[data-seat]").count()).toBe(1);
});

/** The table as the server has told it last. */
function latestTable(person: Person): TableInfo | undefined {
  const told = person.messages().map((message) => JSON.stringify(message));
  const last = told.findLast((message) => message.includes('"definitionId"'));
  const find = (value: unknown): TableInfo | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    if ("definitionId" in value && "settings" in value) return value as TableInfo;
    return Object.values(value)
      .map(find)
      .find((found) => found !== undefined);
  };
  return last === undefined ? undefined : find(JSON.parse(last));
}

test("old-maid.md, UX Checklist: the banner names the Old Maid and offers a rematch with the same roster", async () => {
  const { host, people, code } = await gather(oldMaid, { people: ["Ann", "Ben"], bots: 1, table: { preset: "quick" } });
  const bot = (
    await host.page
      .locator("[data-seat]")
      .evaluateAll((all) => all.map((s) => s.getAttribute("aria-label")?.split(",")[0] ?? ""))
  ).find((n) => n !== "Ben");
  await new GameDriver(people).toTheEnd();
  const banner = await endBanner(host).getByRole("heading").textContent();
  expect(banner).toMatch(/^(\w+ drew the last card — )?\w+ is the Old Maid!$/);
  const [, holder = ""] = /(\w+) is the Old Maid!$/.exec(banner ?? "") ?? [];
  const loser = endBanner(host).getByRole("listitem").filter({ hasText: text.end.loser });
  expect(await loser.count()).toBe(1);
  expect(await loser.textContent()).toContain(holder);
  const joker = await Promise.all(
    people.map(async (person) => (await handOf(person)).some((card) => /joker/i.test(card))),
  );
  const holds = people.find((_, i) => joker[i]);
  expect(holds?.name ?? bot).toBe(holder);
  const before = latestTable(host);
  await host.press(text.end.rematch);
  for (const person of people) {
    await person.page.getByText(text.lobby.title).waitFor();
    // The seat order, the options and the packs stay.
    await expect.poll(() => latestTable(person)?.status).toBe("lobby");
    expect(latestTable(person)?.settings).toEqual(before?.settings);
    expect(latestTable(person)?.players.map(({ id, name }) => ({ id, name }))).toEqual(
      before?.players.map(({ id, name }) => ({ id, name })),
    );
    for (const name of ["Ann", "Ben", bot ?? ""])
      await person.page
        .getByText(new RegExp(`^${name}`))
        .first()
        .waitFor();
    expect(person.code()).toBe(code);
  }
  await host.start();
});

test("a turn that passes because its player is absent is told in the log", async () => {
  const { host, named } = await gather(oldMaid, { people: ["Ann", "Ben", "Cleo"] });
  await named("Cleo").page.close();
  const told = logOf(host).getByText("Cleo is absent: the turn passes on").first();
  await new GameDriver([host, named("Ben")]).until(async () => (await told.count()) > 0);
  await told.waitFor();
});
