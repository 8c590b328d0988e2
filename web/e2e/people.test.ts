/**
 * What people at a table can do about each other and about the table: votes, mutes, reactions, moved seats, new
 * rules.
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../src/protocol/types";
import { text } from "../src/text/catalogue";
import { pausedText } from "../src/text/pausedCatalogue";
import { CuttableProxy } from "./support/cuttableProxy";
import { gather, visitor } from "./support/group";
import { gameNamed, games, type Person } from "./support/person";
import { Server, shippedGames } from "./support/server";
import { chatOf, handOf, openChat, openMenu, seatOf } from "./support/table";

const donkey = await gameNamed("Donkey");
const against = await gameNamed("Cards Against Humanity");
const oldMaid = await gameNamed("Old Maid");

test("a toast tells who comes and who goes, in the lobby and at the table", async () => {
  const { host: ann, code } = await gather(donkey, { people: ["Ann"], bots: 1, lobby: true });
  const proxy = await CuttableProxy.to(ann.server);
  onTestFinished(() => proxy.close());
  const ben = await visitor("Ben", { server: proxy.url });
  const showsToast = (words: string) => ann.page.getByRole("status").filter({ hasText: words }).waitFor();
  await Promise.all([showsToast(text.presence.joined("Ben")), ben.openAndSit(code)]);
  await ann.start();
  await ben.atTable();
  await Promise.all([showsToast(text.presence.lost("Ben")), proxy.cut()]);
  await Promise.all([showsToast(text.presence.back("Ben")), proxy.restore()]);
});

test("names of 24 letters are never cut to a few letters, on a phone and on a desktop", async () => {
  const names = ["Bartholomew Featherstone", "Wilhelmina Butterworth-X", "Maximiliane Mustermann-Y"];
  for (const name of names) expect([...name]).toHaveLength(limits.nameChars);
  const { host } = await gather(donkey, { people: ["Ann", ...names] });
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await host.page.setViewportSize(viewport);
    const seen = host.page.locator("[data-seat] .seat-name");
    await expect.poll(() => seen.count()).toBe(3);
    const shares = await seen.evaluateAll((all) => all.map((name) => name.clientWidth / name.scrollWidth));
    // At least ten of the letters can be read.
    for (const share of shares) expect(share * limits.nameChars).toBeGreaterThan(10);
    const menu = await openMenu(host);
    for (const name of names) await menu.getByText(name, { exact: true }).waitFor();
    await host.press(text.panel.close);
  }
});

test("players other than the lead can vote to remove an absent player; a majority removes the player", async () => {
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
  // Takes the vote back, and votes again.
  await ben.device.press(vote(ben));
  await expect.poll(() => vote(ben).getAttribute("aria-pressed")).toBe("false");
  await ben.device.press(vote(ben));
  await expect.poll(() => vote(ben).getAttribute("aria-pressed")).toBe("true");
  await openMenu(cleo);
  expect(await vote(cleo).textContent()).toContain("1/2");
  await cleo.device.press(vote(cleo));
  await vote(cleo).waitFor({ state: "hidden" });
  expect((await chatOf(host)).join("\n")).toMatch(/Dora/);
  // The removed player has no seat, reads the reason, and may watch.
  const dora = named("Dora");
  await dora.newWindow();
  await dora.open(host.code());
  await dora.page.getByText(text.home.refusals["seat/left"] ?? "").waitFor();
  expect(await handOf(dora)).toEqual([]);
});

test("the lead removes a player, who comes to the first page with the reason", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  await openMenu(host);
  // The menu asks first, and declining changes nothing.
  const sure = host.page.getByRole("alertdialog", { name: text.panel.kickSure("Cleo") });
  await host.press(text.panel.kick("Cleo"));
  await sure.waitFor();
  await host.press(text.panel.cancel);
  await sure.waitFor({ state: "hidden" });
  expect(await named("Cleo").page.getByRole("region", { name: text.table.cloth }).count()).toBe(1);
  await host.press(text.panel.kick("Cleo"));
  await host.press(text.panel.kickYes);
  await named("Cleo")
    .page.getByRole("alert")
    .getByText(text.home.refusals["seat/kicked"] ?? "")
    .waitFor();
  await named("Ben").page.getByText(text.presence.removed("Cleo")).waitFor();
});

test("the lead takes the removal of a player back, who has the seat and the cards again", async () => {
  const { host, named, code } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const cleo = named("Cleo");
  const cards = await handOf(cleo);
  const menu = await openMenu(host);
  await host.press(text.panel.kick("Cleo"));
  await host.press(text.panel.kickYes);
  await cleo.page.getByRole("alert").waitFor();
  await menu.getByText(text.panel.removed("Cleo")).waitFor();
  await host.press(text.panel.undoKick("Cleo"));
  await menu.getByText(text.panel.removed("Cleo")).waitFor({ state: "hidden" });
  await cleo.open(code);
  await cleo.atTable();
  await expect.poll(async () => (await handOf(cleo)).length).toBeGreaterThan(0);
  // A bot may have played a card for Cleo meanwhile.
  expect(cards).toEqual(expect.arrayContaining(await handOf(cleo)));
});

test("while the table waits for an absent player, it says why and until when", async () => {
  const { named } = await gather(oldMaid, { people: ["Ann", "Ben", "Cleo"] });
  await named("Ann").page.close();
  const note = ({ page }: Person) => page.getByText(text.table.absent.disconnected("Ann"));
  const others = [named("Ben"), named("Cleo")];
  const shown = () => Promise.all(others.map(async (person) => ((await note(person).count()) > 0 ? person : null)));
  await expect.poll(async () => (await shown()).every(Boolean)).toBe(true);
  const reader = (await shown()).find((person) => person !== null) as Person;
  const seconds = async () => Number(/In 0:(\d\d) somebody else/.exec((await note(reader).textContent()) ?? "")?.[1]);
  // Some seconds are left of the minute after which the lead passes on.
  await expect.poll(seconds).toBeGreaterThan(0);
  const first = await seconds();
  await expect.poll(seconds).toBeLessThan(first);
});

test("a pause leaves chat, menu, link, leave and the lead's powers usable", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"], devices: { Ben: "touch" } });
  const ben = named("Ben");
  await openMenu(host);
  await host.press(text.panel.pause);
  await host.press(text.panel.close);
  const veil = ({ page }: Person) => page.getByRole("alertdialog", { name: pausedText.title });
  for (const person of [host, ben]) await veil(person).waitFor();
  expect(await veil(host).textContent()).toContain(pausedText.youLead);
  expect(await veil(ben).textContent()).toContain(pausedText.meanwhile);
  await veil(ben).getByRole("button", { name: text.lobby.copy }).waitFor();
  // The buttons of the bar are not covered: `press` fails on a covered button. So are those of the veil.
  const buttons = [ben.page.getByRole("navigation"), veil(ben)].map((place) =>
    place.getByRole("button", { name: text.panel.open }),
  );
  for (const button of buttons) {
    await ben.device.press(button);
    const chat = ben.page.getByRole("dialog", { name: text.panel.title });
    await ben.device.write(chat.getByRole("textbox", { name: text.panel.write }), "Back soon?");
    await ben.press(text.panel.send);
    await chat.getByRole("log").getByText("Back soon?").first().waitFor();
    await ben.press(text.panel.close);
  }
  // The lead removes a player, and a player leaves. Beside each button that ends something stands what it ends.
  const menu = await openMenu(host);
  for (const how of [text.panel.endHow, text.panel.leaveHow, text.panel.abandonHow])
    await menu.getByText(how).waitFor();
  await host.press(text.panel.kick("Cleo"));
  await host.press(text.panel.kickYes);
  await named("Cleo").page.getByRole("alert").waitFor();
  await ben.device.press(veil(ben).getByRole("button", { name: pausedText.menu }));
  await ben.page.getByText(text.panel.leaveHow).waitFor();
  await ben.press(text.panel.leave);
  await ben.press(text.table.yes);
  await host.page.getByText(text.presence.left("Ben")).waitFor();
});

test("somebody who is away sees that and comes back with one tap", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const ben = named("Ben");
  await openMenu(ben);
  await ben.press(text.panel.away, "checkbox");
  await ben.press(text.panel.close);
  await seatOf(host, "Ben").getByRole("img", { name: text.table.away }).waitFor();
  await ben.page.getByText(text.panel.youAreAway).waitFor();
  await ben.press(text.panel.back);
  await ben.page.getByText(text.panel.youAreAway).waitFor({ state: "hidden" });
  await seatOf(host, "Ben").getByRole("img", { name: text.table.online }).waitFor();
});

test("the lead mutes a player: the player's message is refused and kept until the mute ends", async () => {
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
  // Nothing announces the end of a mute, so the test tries until a message goes through.
  await expect
    .poll(async () => {
      if ((await field.inputValue()) !== "") await ben.press(text.panel.send);
      return field.inputValue();
    })
    .toBe("");
  expect((await chatOf(host)).join("\n")).toContain("Can you hear me?");
});

test("everybody sees a reaction over its sender, and it disappears", async () => {
  const { host, named } = await gather(donkey, { people: ["Ann", "Ben"] });
  const [sign = ""] = limits.reactions;
  await named("Ben").press(text.table.react);
  await named("Ben").device.press(named("Ben").page.getByRole("button", { name: sign, exact: true }));
  const shown = seatOf(host, "Ben").getByRole("status", { name: text.table.reacted("Ben", sign) });
  await shown.waitFor();
  await shown.waitFor({ state: "hidden" });
});

test("a seat moves to another device with its cards, and the old device has none", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann", "Ben"] });
  const cards = await handOf(host);
  expect(cards.length).toBeGreaterThan(20);
  const menu = await openMenu(host);
  await host.press(text.panel.moveSeat);
  const words = (await menu.getByRole("status").filter({ hasText: text.panel.seatCode }).innerText()).trim();
  const seatCode = words.split(/\s+/).at(-1) ?? "";
  const phone = await visitor("Phone", { device: "touch" });
  await phone.page.goto(`${phone.server}/t/${code}?watch`);
  await phone.atTable();
  expect(await handOf(phone)).toEqual([]);
  await openMenu(phone);
  const field = phone.page.getByRole("textbox", { name: text.panel.takeSeat });
  // A wrong code is refused with a reason, and the typed code stays.
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

test("everybody learns of a new version of the rules, and the lead restarts the table with it in the same seats", async () => {
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
  // The others can't restart, and read who can.
  await ben.page.getByText(text.newRules.byLead("Ann")).waitFor();
  expect(await ben.page.getByRole("button", { name: text.newRules.restart }).count()).toBe(0);
  await ben.press(text.newRules.later);
  await ben.page.getByText(text.newRules.there).waitFor({ state: "hidden" });
  await host.press(text.newRules.restart);
  // The dialog asks for confirmation; declining changes nothing.
  await host.page.getByRole("alertdialog", { name: text.newRules.sure }).waitFor();
  await host.press(text.panel.cancel);
  expect(await host.page.getByRole("heading", { level: 1 }).innerText()).toBe("Donkey");
  await host.press(text.newRules.later);
  // The menu has the button as well.
  await openMenu(host);
  await host.press(text.newRules.restart);
  await host.press(text.table.yes);
  for (const { page } of people) await page.getByRole("heading", { level: 1, name: "Mule" }).waitFor();
  await host.press(text.panel.close);
  for (const person of people) expect(await handOf(person)).toHaveLength(26);
  expect(await host.page.getByText(text.newRules.there).count()).toBe(0);
});

test("the lead gives the seat of a player who is gone to somebody who watches, to whom the game is then explained", async () => {
  const { host, named, code } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const dora = await visitor("Dora", { isNew: true });
  await dora.page.goto(`${dora.server}/t/${code}?watch`);
  await dora.atTable();
  const sheet = dora.page.getByRole("complementary", { name: text.howTo.title(donkey.name) });
  expect(await sheet.count()).toBe(0);
  const cards = await handOf(named("Ben"));
  await named("Ben").page.close();
  const menu = await openMenu(host);
  await host.press(text.panel.more("Ben"));
  const give = menu.getByRole("button", { name: /^Give Ben's seat to / });
  await give.waitFor();
  await host.device.press(give);
  await sheet.waitFor();
  await expect.poll(async () => (await handOf(dora)).length).toBeGreaterThan(0);
  expect(cards).toEqual(expect.arrayContaining(await handOf(dora)));
});

test("somebody who watches a running game sits down late, where the game takes newcomers", async () => {
  const { host, code } = await gather(against, { people: ["Ann", "Ben"], bots: 1 });
  const dora = await visitor("Dora", { isNew: true });
  await dora.page.goto(`${dora.server}/t/${code}?watch`);
  await dora.atTable();
  await dora.device.press(dora.page.getByRole("region", { name: text.invite.sit }).getByRole("button"));
  await dora.giveName();
  await dora.atTable();
  await seatOf(host, "Dora").waitFor();
  // Nobody has explained the game to somebody who was not in the lobby.
  const sheet = dora.page.getByRole("complementary", { name: text.howTo.title(against.name) });
  await sheet.waitFor();
  await dora.press(text.howTo.go);
  await sheet.waitFor({ state: "hidden" });
  expect(await dora.page.getByRole("region", { name: text.invite.sit }).count()).toBe(0);
});

test("with too few players the game pauses, says why, and goes on when somebody sits down", async () => {
  const { host, named, code } = await gather(against, { people: ["Ann", "Ben", "Cleo"] });
  const ben = named("Ben");
  await openMenu(named("Cleo"));
  await named("Cleo").press(text.panel.leave);
  await named("Cleo").press(text.table.yes);
  const veil = ({ page }: Person) => page.getByRole("alertdialog", { name: pausedText.title });
  for (const person of [host, ben]) await veil(person).getByText(pausedText["too-few"]()).waitFor();
  // The lead alone can't go on.
  expect(await veil(host).getByRole("button", { name: pausedText.resume }).count()).toBe(0);
  const dora = await visitor("Dora");
  await dora.openAndSit(code);
  for (const person of [host, ben]) await veil(person).waitFor({ state: "hidden" });
});

test("a game that all its people have left waits, and says so to whoever watches", async () => {
  const { host, named, code } = await gather(oldMaid, { people: ["Ann", "Ben"], bots: 1 });
  const dora = await visitor("Dora");
  await dora.page.goto(`${dora.server}/t/${code}?watch`);
  await dora.atTable();
  await named("Ben").page.close();
  await host.page.close();
  const veil = dora.page.getByRole("alertdialog", { name: pausedText.title });
  await veil.getByText(pausedText.deserted()).waitFor();
  await host.newWindow();
  await host.open(code);
  await host.atTable();
  await veil.waitFor({ state: "hidden" });
});
