/** donkey.md, "Start": one test for each line of the list. */
import { expect, onTestFinished, test } from "vitest";
import { text } from "../src/text/catalogue";
import { pausedText } from "../src/text/pausedCatalogue";
import { CuttableProxy } from "./support/cuttableProxy";
import { gather, visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, readDecision } from "./support/player";
import { endBanner, handOf, openChat, openMenu, seatOf } from "./support/table";

const donkey = await gameNamed("Donkey");

async function proxyTo(server: string): Promise<CuttableProxy> {
  const proxy = await CuttableProxy.to(server);
  onTestFinished(() => proxy.close());
  return proxy;
}

const paused = ({ page }: Person) => page.getByRole("alertdialog", { name: pausedText.title });

test("donkey.md, Start: people and bots sit together; a bot has a name of one word and is shown as a bot", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben"], lobby: true });
  await host.addBots(1, "easy");
  await host.addBots(1, "medium");
  await host.addBots(1, "difficult");
  const people = await openMenu(host);
  const bots = people.getByRole("listitem").filter({ has: host.page.getByRole("img", { name: text.table.bot }) });
  const names = await bots.evaluateAll((all) => all.map((item) => item.getAttribute("aria-label") ?? ""));
  expect(names).toHaveLength(3);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^\p{L}+$/u);
  await host.press(text.panel.close);
  await host.start();
  await named("Ben").atTable();
  for (const name of names) await seatOf(host, name).getByRole("img", { name: text.table.bot, exact: true }).waitFor();
  await seatOf(host, "Ben").getByRole("img", { name: text.table.online, exact: true }).waitFor();
  await seatOf(named("Ben"), "Ann").getByRole("img", { name: text.table.online, exact: true }).waitFor();
});

test("donkey.md, Start: the first player gets a link to copy, adds bots and starts with two; with eight the game starts by itself", async () => {
  const ann = await visitor("Ann", { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const code = await ann.make(donkey);
  const start = ann.page.getByRole("button", { name: text.lobby.start });
  await ann.page.getByText(text.lobby.need(1)).waitFor();
  expect(await start.isDisabled()).toBe(true);
  await ann.press(text.lobby.copy);
  await ann.page.getByRole("button", { name: text.lobby.copied }).waitFor();
  const link = await ann.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${ann.server}/t/${code}`);
  const ben = await visitor("Ben");
  expect(await ben.make(donkey)).not.toBe(code);
  await ben.page.goto(link);
  await ben.seated();
  await expect.poll(() => start.isEnabled()).toBe(true);
  await ann.addBots(5);
  expect(await start.isEnabled()).toBe(true);
  await ann.device.press(
    ann.page.getByRole("group", { name: text.lobby.addBot }).getByRole("button", { name: text.lobby.levels.easy }),
  );
  await ann.atTable();
  await ben.atTable();
});

test("donkey.md, Start: a lost connection of the first player pauses the game with a modal; another player's lost connection halts it at their turn without a modal", async () => {
  const annProxy = await proxyTo((await visitor("nobody")).server);
  const benProxy = await proxyTo((await visitor("nobody")).server);
  const {
    host: ann,
    named,
    people,
  } = await gather(donkey, {
    people: ["Ann", "Ben", "Cleo"],
    servers: { Ann: annProxy.url, Ben: benProxy.url },
  });
  const [ben, cleo] = [named("Ben"), named("Cleo")];
  annProxy.cut();
  for (const person of [ben, cleo]) {
    await paused(person).waitFor();
    expect(await paused(person).textContent()).toContain(pausedText["host-away"]("Ann"));
  }
  annProxy.restore();
  for (const person of people) await paused(person).waitFor({ state: "hidden" });
  benProxy.cut();
  await seatOf(cleo, "Ben").getByRole("img", { name: text.table.offline }).waitFor();
  await seatOf(ann, "Ben").getByRole("img", { name: text.table.offline }).waitFor();
  const halted = async () => {
    const waits = await Promise.all(
      [ann, cleo].map(({ page }) => page.getByText(text.table.turnOf("Ben"), { exact: true }).count()),
    );
    return waits.every((count) => count > 0);
  };
  await new GameDriver([ann, cleo]).until(halted);
  for (const person of [ann, cleo]) expect(await paused(person).count()).toBe(0);
  benProxy.restore();
  await expect.poll(() => readDecision(ben), { timeout: 20_000 }).not.toBeNull();
});

test("donkey.md, Start: one panel has the messages and the session updates: joined, disconnected, reconnected", async () => {
  const proxy = await proxyTo((await visitor("nobody")).server);
  const { host: ann, named } = await gather(donkey, {
    people: ["Ann", "Ben"],
    servers: { Ben: proxy.url },
    lobby: true,
  });
  const [ben, panel] = [named("Ben"), await openChat(ann)];
  const log = panel.getByRole("log");
  await log.getByText("Ben joined the game").waitFor();
  const his = await openChat(ben);
  await ben.device.write(his.getByRole("textbox", { name: text.panel.write }), "Hello, Ann!");
  await ben.press(text.panel.send);
  await log.getByText("Ben Hello, Ann!").waitFor();
  proxy.cut();
  await log.getByText("Ben disconnected").waitFor();
  proxy.restore();
  await log.getByText("Ben reconnected").waitFor();
});

test("donkey.md, Start: a disconnected player, also the first one, resumes by the link; any other link shows the list of unfinished games", async () => {
  const { people, code } = await gather(donkey, { people: ["Ann", "Ben"], bots: 1 });
  for (const person of people) {
    const before = await handOf(person);
    await person.page.close();
    await person.newWindow();
    await person.open(code);
    await person.atTable();
    await paused(person).waitFor({ state: "hidden" });
    expect((await handOf(person)).length).toBeGreaterThan(0);
    expect(before).toEqual(expect.arrayContaining(await handOf(person)));
  }
  for (const person of people) {
    await person.open("NOSUCH");
    await person.page
      .getByRole("alert")
      .getByText(text.home.refusals["table/unknown"] ?? "")
      .waitFor();
    const grid = person.page.getByRole("region", { name: text.home.resumeTitle });
    const card = grid.getByRole("button").filter({ hasText: "Ann" });
    const words = (await card.innerText()).replace(/\s+/g, " ");
    expect(words).toMatch(/Ann, Ben \+ 1 bot .*\d\d\/\d\d\/\d\d \d\d:\d\d/);
    expect(words).not.toContain(code);
    await person.device.press(card);
    await person.atTable();
    expect(person.code()).toBe(code);
  }
});

test("donkey.md, Start: only the first player can abandon the game; it ends for all and is not listed as unfinished", async () => {
  const { host: ann, named, code } = await gather(donkey, { people: ["Ann", "Ben"] });
  const ben = named("Ben");
  const menu = await openMenu(ben);
  expect(await menu.getByRole("button", { name: text.panel.abandon }).count()).toBe(0);
  await ben.press(text.panel.close);
  await openMenu(ann);
  await ann.press(text.panel.abandon);
  await ann.press(text.table.yes);
  for (const person of [ann, ben]) await endBanner(person).getByText("Ann abandoned the game").waitFor();
  for (const person of [ann, ben]) {
    await person.open(code);
    await person.page.getByRole("alert").waitFor();
    expect(await person.page.getByRole("alert").textContent()).toContain(text.home.refusals["table/over"]);
    await person.page.getByText(text.home.resumeNone).waitFor();
    expect(await person.page.getByRole("button", { name: /Ann, Ben/ }).count()).toBe(0);
  }
});

test("donkey.md, Start: with four bots three others join by the link; the next person gets the reason and can make a game", async () => {
  const { host, code, people } = await gather(donkey, { people: ["Ann"], bots: 4, lobby: true });
  for (const name of ["Ben", "Cleo", "Dora"]) {
    const guest = await visitor(name);
    await guest.openAndSit(code);
    people.push(guest);
  }
  for (const person of people) await person.atTable();
  const eve = await visitor("Eve");
  await eve.arrive(code);
  await eve.page.getByRole("alert").waitFor();
  expect(await eve.page.getByRole("alert").textContent()).toMatch(/begun|seat/);
  expect(host.code()).toBe(code);
  expect(await eve.make(donkey)).not.toBe(code);
  await eve.page.getByText(text.lobby.need(1)).waitFor();
});

test("the end of a game that the lead ended names the lead", async () => {
  const { host: ann, people } = await gather(donkey, { people: ["Ann", "Ben"] });
  await openMenu(ann);
  await ann.press(text.panel.end);
  await ann.press(text.table.yes);
  for (const person of people) await endBanner(person).getByText("Ann ended the game").waitFor();
});
