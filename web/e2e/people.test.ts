/** What people at a table can do about each other and about the table: votes, mutes, reactions, moved seats, new rules. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../src/protocol/types";
import { text } from "../src/text/catalogue";
import { Line } from "./support/line";
import { gather, visitor } from "./support/party";
import { gameNamed, games, type Person } from "./support/person";
import { Server, shippedGames } from "./support/server";
import { chatOf, handOf, openChat, openMenu, seatOf } from "./support/table";

const donkey = await gameNamed("Donkey");

test("who comes and who goes is told in passing, in the lobby and at the table", async () => {
  const { host: ann, code } = await gather(donkey, { people: ["Ann"], bots: 1, lobby: true });
  const line = await Line.to(ann.server);
  onTestFinished(() => line.close());
  const ben = await visitor("Ben", { server: line.url });
  const told = (words: string) => ann.page.getByRole("status").filter({ hasText: words }).waitFor();
  await Promise.all([told(text.presence.joined("Ben")), ben.openAndSit(code)]);
  await ann.start();
  await ben.atTable();
  await Promise.all([told(text.presence.lost("Ben")), line.cut()]);
  await Promise.all([told(text.presence.back("Ben")), line.mend()]);
});

test("a vote to remove: offered to those who don't lead, about somebody who is gone; a majority removes them", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben", "Cleo", "Dora"] });
  const [ben, cleo] = [named("Ben"), named("Cleo")];
  const vote = ({ page }: Person) => page.getByRole("button", { name: text.panel.vote("Dora") });
  await openMenu(ben);
  expect(await vote(ben).count()).toBe(0);
  await named("Dora").page.close();
  await vote(ben).waitFor();
  await ben.device.press(vote(ben));
  await expect.poll(() => vote(ben).getAttribute("aria-pressed")).toBe("true");
  expect(await vote(ben).textContent()).toContain("1/2");
  // Taken back, and given again.
  await ben.device.press(vote(ben));
  await expect.poll(() => vote(ben).getAttribute("aria-pressed")).toBe("false");
  await ben.device.press(vote(ben));
  await expect.poll(() => vote(ben).getAttribute("aria-pressed")).toBe("true");
  await openMenu(cleo);
  expect(await vote(cleo).textContent()).toContain("1/2");
  await cleo.device.press(vote(cleo));
  await vote(cleo).waitFor({ state: "hidden" });
  expect((await chatOf(host)).join("\n")).toMatch(/Dora/);
  // Whoever was removed has no seat any more, is told so, and may watch.
  const dora = named("Dora");
  await dora.newWindow();
  await dora.open(host.code());
  await dora.page.getByText(text.home.refusals["seat/left"] ?? "").waitFor();
  expect(await handOf(dora)).toEqual([]);
});

test("the lead removes somebody who is there: they land at home with the reason", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  await openMenu(host);
  await host.press(text.panel.kick("Cleo"));
  await named("Cleo")
    .page.getByRole("alert")
    .getByText(text.home.refusals["seat/kicked"] ?? "")
    .waitFor();
  await named("Ben").page.getByText(text.presence.removed("Cleo")).waitFor();
});

test("the lead mutes somebody in the chat: their words are refused and kept, until they may speak again", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben"] });
  const ben = named("Ben");
  const more = async (what: string) => {
    const menu = await openMenu(host);
    await host.press(text.panel.more("Ben"));
    await host.device.press(menu.getByRole("button", { name: what, exact: true }));
    return menu;
  };
  const menu = await more(text.panel.mute);
  await menu.getByText(text.panel.muted).waitFor();
  await host.press(text.panel.close);
  const chat = await openChat(ben);
  const field = chat.getByRole("textbox", { name: text.panel.write });
  await ben.device.write(field, "Can you hear me?");
  await ben.press(text.panel.send);
  await chat.getByRole("alert").waitFor();
  expect(await field.inputValue()).toBe("Can you hear me?");
  expect((await chatOf(host)).join("\n")).not.toContain("Can you hear me?");
  await more(text.panel.unmute);
  await host.press(text.panel.close);
  // The mute's end is told to nobody but the chat itself: it is tried until it goes through.
  await expect
    .poll(async () => {
      if ((await field.inputValue()) !== "") await ben.press(text.panel.send);
      return field.inputValue();
    })
    .toBe("");
  expect((await chatOf(host)).join("\n")).toContain("Can you hear me?");
});

test("a reaction shows over whoever sent it, for everybody, and goes away", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben"] });
  const [sign = ""] = limits.reactions;
  await named("Ben").press(text.table.react);
  await named("Ben").device.press(named("Ben").page.getByRole("button", { name: sign, exact: true }));
  const shown = seatOf(host, "Ben").getByRole("status", { name: text.table.reacted("Ben", sign) });
  await shown.waitFor();
  await shown.waitFor({ state: "hidden" });
});

test("a seat is moved to another device: the same cards there, and none where they were", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann", "Ben"] });
  const cards = await handOf(host);
  expect(cards.length).toBeGreaterThan(20);
  const menu = await openMenu(host);
  await host.press(text.panel.moveSeat);
  const told = (await menu.getByRole("status").filter({ hasText: text.panel.seatCode }).innerText()).trim();
  const seatCode = told.split(/\s+/).at(-1) ?? "";
  const phone = await visitor("Phone", { device: "touch" });
  await phone.page.goto(`${phone.server}/t/${code}?watch`);
  await phone.atTable();
  expect(await handOf(phone)).toEqual([]);
  await openMenu(phone);
  const field = phone.page.getByRole("textbox", { name: text.panel.takeSeat });
  // A wrong code is refused in words, and what was typed stays.
  await phone.device.write(field, "nonsense");
  await phone.press(text.panel.takeSeatGo);
  await phone.page.getByRole("alert").waitFor();
  expect(await field.inputValue()).toBe("nonsense");
  await phone.device.write(field, seatCode);
  await phone.press(text.panel.takeSeatGo);
  await field.waitFor({ state: "hidden" });
  await phone.press(text.panel.close);
  await expect.poll(() => handOf(phone)).toEqual(cards);
  await expect.poll(() => handOf(host)).toEqual([]);
});

test("a new version of the rules: everyone is told, and the lead restarts the table with it, in the same seats", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baize-games-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "donkey.baize");
  await copyFile(join(shippedGames, "donkey.baize"), file);
  const server = await Server.start({ games: folder });
  onTestFinished(() => server.stop());
  const [game] = await games(server.url);
  if (!game) throw new Error("no game");
  const { host, named, people } = await gather(game, { people: ["Ann", "Ben"], server: server.url });
  const ben = named("Ben");
  const source = await readFile(file, "utf8");
  await writeFile(file, source.replace(/^game ".*"$/m, 'game "Mule"'));
  for (const { page } of people) await page.getByText(text.newRules.there).waitFor();
  // The others can't, and are told who can.
  await ben.page.getByText(text.newRules.byLead("Ann")).waitFor();
  expect(await ben.page.getByRole("button", { name: text.newRules.restart }).count()).toBe(0);
  await ben.press(text.newRules.later);
  await ben.page.getByText(text.newRules.there).waitFor({ state: "hidden" });
  await host.press(text.newRules.restart);
  // Asked once more; a no changes nothing.
  await host.page.getByRole("alertdialog", { name: text.newRules.sure }).waitFor();
  await host.press(text.panel.cancel);
  expect(await host.page.getByRole("heading", { level: 1 }).innerText()).toBe("Donkey");
  await host.press(text.newRules.later);
  // It is in the menu as well.
  await openMenu(host);
  await host.press(text.newRules.restart);
  await host.press(text.table.yes);
  for (const { page } of people) await page.getByRole("heading", { level: 1, name: "Mule" }).waitFor();
  await host.press(text.panel.close);
  for (const person of people) expect(await handOf(person)).toHaveLength(26);
  expect(await host.page.getByText(text.newRules.there).count()).toBe(0);
});
