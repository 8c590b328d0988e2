/** The first minute: from the first page to a card on the table alone, and from a link to a seat. */
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { expectAccessible } from "./support/axe";
import { gather, visitor } from "./support/group";
import { gameNamed, games, type Person } from "./support/person";
import { readDecision } from "./support/player";
import { handOf, openMenu } from "./support/table";

const donkey = await gameNamed("Donkey");
const highLow = await gameNamed("High/Low");
const yahtzee = await gameNamed("Yahtzee");
const oldMaid = await gameNamed("Old Maid");

const botsOf = (person: Person) => person.page.getByRole("img", { name: text.table.bot });
// The text that is in the page: the browser does not lay out tiles far below the window, and they have no inner text.
const tiles = (person: Person) => person.page.getByRole("article").locator("strong").allTextContents();
const choose = (person: Person, label: string, option: string) =>
  person.page.getByRole("combobox", { name: label }).selectOption({ label: option });

test("on a phone three taps lead from the first page to a card on the table, without typing", async () => {
  const ann = await visitor("Ann", { device: "touch", isNew: true });
  await ann.home();
  await ann.press(`${text.home.playNow}: ${donkey.name}`);
  await ann.atTable();
  expect(await botsOf(ann).count()).toBe(3);
  await expect.poll(() => readDecision(ann), { timeout: 30_000 }).not.toBeNull();
  const held = (await handOf(ann)).length;
  await ann.device.press(ann.page.locator("[data-target=card]").last());
  const picked = ann.page.locator("[data-target=card][aria-pressed=true]");
  await picked.waitFor();
  await ann.device.press(picked);
  await expect.poll(async () => (await handOf(ann)).length).not.toBe(held);
});

test("somebody who plays at once has a made-up name, which an invitation does not take for theirs", async () => {
  const { code } = await gather(donkey, { people: ["Cleo"], lobby: true });
  const ann = await visitor("Ann");
  await ann.home();
  await ann.press(`${text.home.playNow}: ${highLow.name}`);
  await ann.atTable();
  const menu = await openMenu(ann);
  const own = (await menu.getByRole("listitem").first().innerText()).trim();
  expect(own).toMatch(/^[A-Z]\w+ [A-Z]\w+$/m);
  await ann.open(code);
  expect(await ann.page.getByRole("textbox", { name: text.name.label }).inputValue()).toBe("");
  // A name given in the settings is used from then on.
  await ann.home();
  await ann.press(text.settings.title);
  await ann.device.write(ann.page.getByRole("textbox", { name: text.name.label }), "Ann");
  await ann.press(text.panel.close);
  await ann.press(`${text.home.playNow}: ${highLow.name}`);
  await ann.atTable();
  await (await openMenu(ann)).getByText("Ann", { exact: true }).waitFor();
});

test("the last bots, options and game are chosen again", async () => {
  const ann = await visitor("Ann");
  await ann.home();
  const first = await tiles(ann);
  await ann.press(`${text.home.withFriends}: ${donkey.name}`);
  const panel = ann.page.getByRole("dialog", { name: donkey.name });
  await ann.device.write(panel.getByLabel(text.home.botCount), "1");
  await ann.device.press(panel.getByText(text.lobby.options, { exact: true }));
  await ann.press(text.lobby.preset.quick ?? "", "radio");
  await ann.device.press(panel.getByRole("button", { name: text.home.playNow, exact: true }));
  await ann.atTable();
  expect(await botsOf(ann).count()).toBe(1);
  await ann.home();
  expect(first[0]).not.toBe(donkey.name);
  expect((await tiles(ann))[0]).toBe(donkey.name);
  await ann.press(`${text.home.playNow}: ${donkey.name}`);
  await ann.atTable();
  expect(await botsOf(ann).count()).toBe(1);
  await ann.press(text.panel.rules);
  await expect.poll(() => ann.page.getByRole("radio", { name: text.lobby.preset.quick ?? "" }).isChecked()).toBe(true);
});

test("an invitation tells the game, the host, who sits there, free seats and the time; a name and one tap lead to the seat", async () => {
  const { code } = await gather(donkey, { people: ["Ann"], bots: 2, lobby: true });
  const ben = await visitor("Ben", { device: "touch" });
  await ben.open(code);
  await ben.page.getByRole("heading", { name: text.invite.heading("Ann", donkey.name) }).waitFor();
  await ben.page.getByText(text.invite.seats(3, donkey.maxPlayers)).waitFor();
  await ben.page.getByText(`+ ${text.invite.bots(2)}`).waitFor();
  const [low = 0, high = 0] = donkey.minutes ?? [];
  await ben.page.getByText(text.home.minutes(low, high)).waitFor();
  expect(await ben.page.locator(".game-picture").count()).toBe(1);
  expect(await ben.page.title()).toContain(text.invite.heading("Ann", donkey.name));
  await expectAccessible(ben.page);
  // The field has the focus, so typing needs no tap.
  expect(await ben.page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  await ben.page.keyboard.type("Ben");
  await ben.press(text.name.go);
  await ben.seated();
});

test("a full table says so before it asks for a name, and offers to watch", async () => {
  const { code } = await gather(oldMaid, { people: ["Ann"], bots: oldMaid.maxPlayers - 1, lobby: true });
  const ben = await visitor("Ben");
  await ben.open(code);
  await ben.page
    .getByRole("alert")
    .getByText(text.home.refusals["table/full"] ?? "")
    .waitFor();
  expect(await ben.page.getByRole("textbox", { name: text.name.label }).count()).toBe(0);
  await ben.press(text.home.watch);
  await ben.seated();
});

test("somebody who watches from the invitation sits down when they like, and is not offered a seat that is taken", async () => {
  const { host, code } = await gather(oldMaid, { people: ["Ann"], bots: oldMaid.maxPlayers - 2, lobby: true });
  const ben = await visitor("Ben");
  await ben.open(code);
  await ben.press(text.invite.justWatch);
  await ben.seated();
  const sit = ben.page.getByRole("region", { name: text.invite.sit }).getByRole("button");
  await sit.waitFor();
  await host.addBots(1);
  await sit.waitFor({ state: "hidden" });
  await host.device.press(host.page.getByRole("button", { name: /^Remove / }).first());
  await ben.device.press(sit);
  await ben.giveName();
  await expect.poll(() => host.page.getByText("Ben", { exact: true }).count()).toBeGreaterThan(0);
});

test("the link and its QR code are in the menu during play and on the screen of a pause", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann"], bots: 1 });
  const menu = await openMenu(host);
  await menu.getByText(code, { exact: true }).waitFor();
  await host.device.press(menu.getByRole("button", { name: text.lobby.qr }));
  await menu.getByRole("img", { name: text.lobby.qrAlt }).waitFor();
  await host.press(text.panel.pause);
  await host.press(text.panel.close);
  const paused = host.page.getByRole("alertdialog");
  await paused.getByText(code, { exact: true }).waitFor();
  await paused.getByRole("button", { name: text.lobby.copy }).waitFor();
});

test("games that fit come first, and what was looked for is kept", async () => {
  const ann = await visitor("Ann");
  await ann.home();
  const all = await tiles(ann);
  await choose(ann, text.home.wishes.labels.kind, text.home.wishes.kinds.dice ?? "");
  const dice = await tiles(ann);
  expect(dice).not.toEqual(all);
  expect(dice.slice(0, 3)).toContain(yahtzee.name);
  expect([...dice].sort()).toEqual([...all].sort());
  await choose(ann, text.home.wishes.labels.players, text.home.wishes.players(20));
  await ann.page.getByText(text.home.nothingFits).waitFor();
  await ann.page.reload();
  await ann.page.getByText(text.home.nothingFits).waitFor();
  await choose(ann, text.home.wishes.labels.kind, text.home.wishes.any);
  const large = await gameNamed("Cards Against Humanity");
  await expect.poll(async () => (await tiles(ann))[0]).toBe(large.name);
  await expectAccessible(ann.page);
});

test("games that take longer than there is time come after those that fit", async () => {
  const ann = await visitor("Ann");
  await ann.home();
  const all = await games();
  const longest = Math.max(...all.map(({ minutes }) => minutes?.[0] ?? 0));
  const labels = await ann.page
    .getByRole("combobox", { name: text.home.wishes.labels.minutes })
    .locator("option")
    .allTextContents();
  const [shortest = 0] = labels.flatMap((label) => Number(/\d+/.exec(label)?.[0] ?? 0) || []).sort((a, b) => a - b);
  expect(shortest).toBeGreaterThan(0);
  expect(longest).toBeGreaterThan(shortest);
  await choose(ann, text.home.wishes.labels.minutes, text.home.wishes.minutes(shortest));
  const fits = (name: string) => (all.find((game) => game.name === name)?.minutes?.[0] ?? 0) <= shortest;
  await expect
    .poll(async () => (await tiles(ann)).map(fits))
    .toEqual([...all.map(({ name }) => fits(name))].sort().reverse());
  const listed = await tiles(ann);
  expect(listed).toHaveLength(all.length);
});

test("each tile shows the game's own table", async () => {
  const ann = await visitor("Ann");
  await ann.home();
  const picture = async (name: string) => {
    const tile = ann.page.getByRole("article").filter({ hasText: name }).first();
    await tile.scrollIntoViewIfNeeded();
    return tile.locator(".game-picture").innerHTML();
  };
  const pictures = await Promise.all([donkey, highLow, yahtzee, oldMaid].map(({ name }) => picture(name)));
  expect(new Set(pictures).size).toBe(pictures.length);
  expect(pictures[2]?.match(/<svg/g)?.length).toBe(5);
});

test("an unfinished table can be dismissed, stays away after a reload, and can be shown again", async () => {
  const ann = await visitor("Ann");
  await ann.make(donkey);
  await ann.seated();
  await ann.home();
  const list = ann.page.getByRole("region", { name: text.home.resumeTitle });
  const entry = list.getByRole("button").filter({ hasText: donkey.name });
  await entry.waitFor();
  await ann.press(text.home.dismiss);
  await entry.waitFor({ state: "hidden" });
  await ann.page.reload();
  await ann.press(text.home.showDismissed(1));
  await entry.waitFor();
});

test("the tags of a link tell chats about the table, escape what people wrote, and tell nothing of a locked one", async () => {
  const name = `<b>"Ann"`;
  const { host, code } = await gather(donkey, { people: [name], lobby: true });
  const page = async (path: string) => (await fetch(`${host.server}${path}`)).text();
  const open = await page(`/t/${code}`);
  expect(open).toContain(`<title>&lt;b&gt;&quot;Ann&quot; invites you to ${donkey.name} · Baize</title>`);
  expect(open).toContain(`1 of ${donkey.maxPlayers} seated`);
  expect(open).not.toContain(name);
  const picture = await fetch(`${host.server}/api/tables/${code}/picture.png`);
  expect(picture.headers.get("content-type")).toBe("image/png");
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  const menu = await openMenu(host);
  await host.device.press(menu.getByRole("radio", { name: text.door.choices.locked }));
  await expect.poll(() => page(`/t/${code}`)).not.toContain("Ann");
  expect(await page(`/t/${code}`)).not.toContain("seated");
  const card = await (await fetch(`${host.server}/api/tables/${code}`)).json();
  expect([card.players, card.host, card.door]).toEqual([[], undefined, "locked"]);
  expect(await page("/t/nosuch")).toContain("<title>Baize</title>");
});

test("before the first game the game is explained; touching the table puts the explanation away; the rules have it too", async () => {
  const ann = await visitor("Ann", { device: "touch", isNew: true });
  await ann.home();
  await ann.press(`${text.home.playNow}: ${donkey.name}`);
  await ann.atTable();
  const sheet = ann.page.getByRole("complementary", { name: text.howTo.title(donkey.name) });
  const lines = donkey.howToPlay ?? [];
  expect(lines.length).toBeGreaterThan(3);
  await expect.poll(() => sheet.getByRole("listitem").allInnerTexts()).toHaveLength(lines.length);
  await sheet.getByText(lines[0]?.text ?? "").waitFor();
  await expectAccessible(ann.page);
  await ann.device.press(ann.page.locator("[data-target=card]").last());
  await sheet.waitFor({ state: "hidden" });
  // The second game of the same kind begins without it.
  await ann.home();
  await ann.press(`${text.home.playNow}: ${donkey.name}`);
  await ann.atTable();
  await expect.poll(() => readDecision(ann), { timeout: 30_000 }).not.toBeNull();
  expect(await sheet.count()).toBe(0);
  await openMenu(ann);
  await ann.press(text.panel.rules);
  const rules = ann.page.getByRole("dialog", { name: text.panel.rulesOf(donkey.name) });
  await rules.getByText(lines[0]?.text ?? "").waitFor();
  const note = rules.getByText(donkey.notes[0] ?? "");
  expect(await note.isVisible()).toBe(false);
  await ann.device.press(rules.getByText(text.howTo.rulings));
  await note.waitFor();
});

test("a lobby explains the game to somebody who has not played it", async () => {
  const host = await visitor("Ann", { isNew: true });
  await host.make(oldMaid);
  await host.page.getByText(oldMaid.howToPlay?.[0]?.text ?? "").waitFor();
  await host.page.reload();
  await host.seated();
  await host.page.getByText(text.howTo.title(oldMaid.name)).waitFor();
  expect(await host.page.getByText(oldMaid.howToPlay?.[0]?.text ?? "").isVisible()).toBe(false);
});

test("after a game everybody sees who wants another one, and it starts when all do", async () => {
  const { host: ann, named } = await gather(donkey, { people: ["Ann", "Ben"], bots: 1 });
  const ben = named("Ben");
  await openMenu(ann);
  await ann.press(text.panel.end);
  await ann.press(text.table.yes);
  await ben.press(text.end.again);
  await ann.page.getByText(text.end.againWho("Ben")).waitFor();
  await ben.page.getByText(text.end.againWaits("Ann")).waitFor();
  const before = ann.messages().filter(({ type }) => type === "state").length;
  await ann.press(text.end.again);
  for (const person of [ann, ben]) {
    await person.page.getByRole("dialog").getByRole("button", { name: text.end.look }).waitFor({ state: "hidden" });
    await person.atTable();
  }
  expect(ann.messages().filter(({ type }) => type === "state").length).toBeGreaterThan(before);
  // The bot is at the new table, too.
  await ann.page.getByRole("region", { name: text.table.cloth }).getByRole("img", { name: text.table.bot }).waitFor();
});

test("the first page is styled from its first frame on, and nothing jumps while it loads, also with unfinished tables", async () => {
  const ann = await visitor("Ann", { device: "touch" });
  await ann.context.addInitScript(() => {
    const seen = { shift: 0, backgrounds: [] as string[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
    const look = () => {
      const button = document.querySelector(".home-settings");
      if (button) seen.backgrounds.push(getComputedStyle(button).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const seen = () =>
    ann.page.evaluate(() => (globalThis as unknown as { seen: { shift: number; backgrounds: string[] } }).seen);
  await ann.home();
  await ann.make(donkey);
  await ann.seated();
  for (const _ of ["the browser learns that there is a table", "it keeps room for it"]) {
    await ann.home();
    await ann.page.getByRole("region", { name: text.home.resumeTitle }).getByText("Ann").waitFor();
    await ann.page.getByRole("button", { name: `${text.home.playNow}: ${donkey.name}` }).waitFor();
  }
  const { shift, backgrounds } = await seen();
  expect(new Set(backgrounds)).toEqual(new Set(["rgba(0, 0, 0, 0)"]));
  expect(shift).toBeLessThan(0.02);
});

test("an explanation that a lobby has not shown yet is shown at the table", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann"], lobby: true });
  // The lobby of a low window has the explanation below its edge.
  const ben = await visitor("Ben", {
    device: "touch",
    isNew: true,
    context: { viewport: { width: 360, height: 400 } },
  });
  await ben.openAndSit(code);
  const line = ben.page.getByText(donkey.howToPlay?.[0]?.text ?? "");
  await line.waitFor();
  expect(await line.evaluate((element) => element.getBoundingClientRect().top > innerHeight)).toBe(true);
  await host.start();
  await ben.atTable();
  await ben.page.getByRole("complementary", { name: text.howTo.title(donkey.name) }).waitFor();
});
