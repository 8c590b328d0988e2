/** donkey.md, "Start": each of its lines is a test here. */
import { expect, onTestFinished, test } from "vitest";
import { text } from "../src/text/catalogue";
import { Line } from "./support/line";
import { gather, visitor } from "./support/party";
import { gameNamed, type Person } from "./support/person";
import { asked, Play } from "./support/player";
import { endBanner, handOf, openChat, openMenu, seatOf } from "./support/table";

const donkey = await gameNamed("Donkey");

async function lineTo(server: string): Promise<Line> {
  const line = await Line.to(server);
  onTestFinished(() => line.close());
  return line;
}

const paused = ({ page }: Person) => page.getByRole("alertdialog", { name: text.paused.title });

test("donkey.md, Start: people and bots sit together; bots have names of one word and are shown as bots", async () => {
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

test("donkey.md, Start: the first player gets a link of its own to copy, adds bots, starts with two, and eight start by themselves", async () => {
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

test("donkey.md, Start: the first player's lost connection pauses the game with a modal for all; another's halts it at their turn without one", async () => {
  const annLine = await lineTo((await visitor("nobody")).server);
  const benLine = await lineTo((await visitor("nobody")).server);
  const {
    host: ann,
    named,
    people,
  } = await gather(donkey, {
    people: ["Ann", "Ben", "Cleo"],
    servers: { Ann: annLine.url, Ben: benLine.url },
  });
  const [ben, cleo] = [named("Ben"), named("Cleo")];
  annLine.cut();
  for (const person of [ben, cleo]) {
    await paused(person).waitFor();
    expect(await paused(person).textContent()).toContain(text.paused["host-away"]("Ann"));
  }
  annLine.mend();
  for (const person of people) await paused(person).waitFor({ state: "hidden" });
  benLine.cut();
  await seatOf(cleo, "Ben").getByRole("img", { name: text.table.offline }).waitFor();
  await seatOf(ann, "Ben").getByRole("img", { name: text.table.offline }).waitFor();
  const halted = async () => {
    const waits = await Promise.all(
      [ann, cleo].map(({ page }) => page.getByText(text.table.turnOf("Ben"), { exact: true }).count()),
    );
    return waits.every((count) => count > 0);
  };
  await new Play([ann, cleo]).until(halted);
  for (const person of [ann, cleo]) expect(await paused(person).count()).toBe(0);
  benLine.mend();
  await expect.poll(() => asked(ben), { timeout: 20_000 }).not.toBeNull();
});

test("donkey.md, Start: one window has the messages and the session updates: joined, disconnected, reconnected", async () => {
  const line = await lineTo((await visitor("nobody")).server);
  const { host: ann, named } = await gather(donkey, {
    people: ["Ann", "Ben"],
    servers: { Ben: line.url },
    lobby: true,
  });
  const [ben, panel] = [named("Ben"), await openChat(ann)];
  const log = panel.getByRole("log");
  await log.getByText("Ben joined the game").waitFor();
  const his = await openChat(ben);
  await ben.device.write(his.getByRole("textbox", { name: text.panel.write }), "Hello, Ann!");
  await ben.press(text.panel.send);
  await log.getByText("Ben Hello, Ann!").waitFor();
  line.cut();
  await log.getByText("Ben disconnected").waitFor();
  line.mend();
  await log.getByText("Ben reconnected").waitFor();
});

test("donkey.md, Start: whoever was disconnected, the first player too, resumes by the link; any other link brings the grid of unfinished games", async () => {
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

test("donkey.md, Start: the first player, and nobody else, abandons the game: it ends for all, is never resumed and never in the grid", async () => {
  const { host: ann, named, code } = await gather(donkey, { people: ["Ann", "Ben"] });
  const ben = named("Ben");
  const menu = await openMenu(ben);
  expect(await menu.getByRole("button", { name: text.panel.abandon }).count()).toBe(0);
  await ben.press(text.panel.close);
  await openMenu(ann);
  await ann.press(text.panel.abandon);
  await ann.press(text.table.yes);
  await endBanner(ben).waitFor();
  await endBanner(ann).waitFor();
  for (const person of [ann, ben]) {
    await person.open(code);
    await person.page.getByRole("alert").waitFor();
    expect(await person.page.getByRole("alert").textContent()).toContain(text.home.refusals["table/over"]);
    await person.page.getByText(text.home.resumeNone).waitFor();
    expect(await person.page.getByRole("button", { name: /Ann, Ben/ }).count()).toBe(0);
  }
});

test("donkey.md, Start: with four bots three others join by the link; the next gets the reason and the page to make a game of their own", async () => {
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
