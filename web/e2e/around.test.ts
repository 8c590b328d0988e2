/** What surrounds a game: unfinished tables, replays, spectators, and the settings of a browser. */
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { replayText } from "../src/text/replayCatalogue";
import { gather, visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { drawPrompt, GameDriver, readDecision } from "./support/player";
import { endBanner, handOf, openChat, openMenu } from "./support/table";

const donkey = await gameNamed("Donkey");
const highLow = await gameNamed("High/Low");

test("the list of unfinished tables shows names, bots and local times, newest first; pressing one opens it", async () => {
  const ann = await visitor("Ann", { context: { timezoneId: "Asia/Kathmandu" } });
  const first = await ann.make(donkey);
  await ann.addBots(2);
  const second = await ann.make(highLow);
  await ann.home();
  const grid = ann.page.getByRole("region", { name: text.home.resumeTitle });
  const cards = grid.getByRole("button").filter({ hasText: "Ann" });
  await expect.poll(() => cards.count()).toBe(2);
  const words = (await cards.allInnerTexts()).map((card) => card.replace(/\s+/g, " "));
  expect(words[0]).toMatch(/^High\/Low Ann \d\d\/\d\d\/\d\d \d\d:\d\d$/);
  expect(words[1]).toMatch(/^Donkey Ann \+ 2 bots \d\d\/\d\d\/\d\d \d\d:\d\d$/);
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: "Asia/Kathmandu",
    month: "2-digit",
    day: "2-digit",
    year: "2-digit",
  });
  expect(words[0]).toContain(parts.format(new Date()));
  for (const card of words) for (const code of [first, second]) expect(card).not.toContain(code);
  await ann.device.press(cards.nth(1));
  await ann.seated();
  expect(ann.code()).toBe(first);
});

test("on a keyboard a digit picks, Escape clears, arrows move to the buttons, and Enter answers", async () => {
  const { host } = await gather(highLow, { people: ["Ann"] });
  const { page } = host;
  const pressed = async () => (await readDecision(host))?.targets.flatMap(({ pressed }, at) => (pressed ? [at] : []));
  await expect.poll(async () => (await readDecision(host))?.targets.length).toBe(9);
  const decision = (await readDecision(host))?.decision;
  await page.keyboard.press("3");
  await expect.poll(pressed).toEqual([2]);
  await page.keyboard.press("7");
  await expect.poll(pressed).toEqual([6]);
  await page.keyboard.press("Escape");
  await expect.poll(pressed).toEqual([]);
  await page.keyboard.press("9");
  await expect.poll(pressed).toEqual([8]);
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/higher/i);
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/lower/i);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await readDecision(host))?.decision ?? decision).not.toBe(decision);
});

test("a replay goes forward, back, to any step by the slider, to the end, and plays at a speed", async () => {
  const { host, people } = await gather(highLow, { people: ["Ann"], table: { preset: "quick" } });
  await new GameDriver(people).toTheEnd();
  const banner = (await endBanner(host).getByRole("heading").textContent()) ?? "";
  await host.press(text.end.replay);
  const bar = host.page.getByRole("navigation", { name: replayText.title });
  const slider = bar.getByRole("slider");
  await slider.waitFor();
  const steps = Number(await slider.getAttribute("max"));
  expect(steps).toBeGreaterThan(9);
  const at = async () => Number(await slider.inputValue());
  const left = async () => (await host.page.getByRole("img", { name: /^Deck/ }).getAttribute("aria-label")) ?? "";
  // Forward until a card leaves the deck, and back again.
  let before = await left();
  while ((await left()) === before) {
    before = await left();
    const now = await at();
    await host.press(replayText.forward);
    await expect.poll(at).toBe(now + 1);
  }
  await host.press(replayText.back);
  await expect.poll(left).toBe(before);
  await slider.press("End");
  await host.page.getByRole("heading", { name: banner }).waitFor();
  await slider.press("Home");
  await host.page.getByRole("heading", { name: banner }).waitFor({ state: "hidden" });
  await bar.getByRole("combobox", { name: replayText.speed }).selectOption({ index: 3 });
  await host.press(replayText.play);
  await host.page.getByRole("heading", { name: banner }).waitFor({ timeout: 20_000 });
  expect(await at()).toBe(steps);
});

test("a spectator sees the table but no player's cards, and may chat", async () => {
  const { host, code, people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const cleo = await visitor("Cleo");
  await cleo.page.goto(`${cleo.server}/t/${code}?watch`);
  await cleo.atTable();
  await cleo.page.getByText(text.table.spectator).first().waitFor();
  expect(await handOf(cleo)).toEqual([]);
  const told = await cleo.page.locator("body").ariaSnapshot();
  for (const person of people) for (const card of await handOf(person)) expect(told).not.toContain(card);
  await openChat(cleo);
  await cleo.device.write(cleo.page.getByRole("textbox", { name: text.panel.write }), "Good luck!");
  await cleo.press(text.panel.send);
  await (await openChat(host)).getByText("Good luck!").waitFor();
});

test("the title of the window says when it is the viewer's turn, and only then", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const titles = () => Promise.all(people.map(({ page }) => page.title()));
  await expect
    .poll(async () => (await titles()).sort())
    .toEqual([donkey.name, text.table.turnTitle(donkey.name)].sort());
});

test("this browser keeps its settings: theme, four-colour suits, card size, no motion", async () => {
  const { host } = await gather(donkey, { people: ["Ann", "Ben"] });
  const suits = () => host.page.evaluate(() => ({ ...document.documentElement.dataset }));
  await host.press(text.settings.title);
  await host.press(text.settings.themes.light ?? "", "radio");
  await host.press(text.settings.suitColours.four ?? "", "radio");
  await host.press(text.settings.cardSizes.large ?? "", "radio");
  await host.press(text.settings.motions.reduced ?? "", "radio");
  const set = await suits();
  expect(set).toMatchObject({ theme: "light", suits: "four", motion: "reduced" });
  await host.page.reload();
  await host.atTable();
  expect(await suits()).toMatchObject(set);
});

test("the live region tells which cards are played and when it is the viewer's turn", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const play = new GameDriver(people);
  await play.until(() => play.moves.size === 1);
  const [mover = ""] = play.moves.keys();
  const other = people.find(({ name }) => name !== mover) ?? people[0];
  const live = other?.page.getByRole("main").getByRole("log");
  await expect
    .poll(() => live?.textContent())
    .toMatch(new RegExp(`${mover} plays ace of spades.*${text.table.yourTurn}`));
});

test("the fairness check passes for a replay, and fails if the seed was changed", async () => {
  const { host, people } = await gather(highLow, { people: ["Ann"], table: { preset: "quick" } });
  await new GameDriver(people).toTheEnd();
  await host.press(text.end.replay);
  const fairness = replayText.fairness;
  const check = async () => {
    await host.press(fairness.open);
    const sheet = host.page.getByRole("dialog", { name: fairness.title });
    await sheet.getByRole("status").filter({ hasNotText: fairness.working }).waitFor();
    return { sheet, verdict: await sheet.getByRole("status").innerText() };
  };
  const { sheet, verdict } = await check();
  expect(verdict).toBe(fairness.fair);
  for (const point of [fairness.seedFits, fairness.promiseKept, fairness.shareUsed])
    await sheet.getByText(point).waitFor();
  await sheet.getByText(/^\d+ shuffles? recomputed/).waitFor();
  // The test changes the seed on its way to the page, as a dishonest server would.
  await host.page.route("**/api/replays/*", async (route) => {
    const answer = await route.fetch();
    const replay = (await answer.json()) as { seed: string };
    const [first = ""] = replay.seed;
    await route.fulfill({
      response: answer,
      json: { ...replay, seed: (first === "0" ? "1" : "0") + replay.seed.slice(1) },
    });
  });
  await host.page.reload();
  const again = await check();
  expect(again.verdict).toBe(fairness.unfair);
  await again.sheet.getByText(fairness.seedWrong).waitFor();
});

test("a replay shows all hands of a finished game", async () => {
  const { host, people } = await gather(donkey, { people: ["Ann", "Ben"], table: { preset: "quick" } });
  await new GameDriver(people).toTheEnd();
  await host.press(text.end.replay);
  const bar = host.page.getByRole("navigation", { name: replayText.title });
  // After the deal and before the first play: the first steps are nonces and the start.
  const dealt = host.page.getByRole("img", { name: /^Ann: 26 cards/ });
  for (let step = 1; (await dealt.count()) === 0; step++) {
    expect(step).toBeLessThan(10);
    await host.press(replayText.forward);
    await bar.getByRole("slider", { name: new RegExp(`^Step ${step} of`) }).waitFor();
  }
  await host.press(replayText.hands);
  const sheet = host.page.getByRole("dialog", { name: text.table.hands });
  for (const { name } of people) await sheet.getByText(new RegExp(name)).first().waitFor();
  expect(await sheet.getByRole("img").count()).toBe(52);
});

test("a replay shows what people wrote on blank cards, as they wrote it", async () => {
  const { host, people } = await gather(await gameNamed("Cards Against Humanity"), {
    people: ["Ann", "Ben", "Cleo"],
    table: { fields: { "Blank cards for each player, to write on": "1" } },
  });
  const words = "a kettle with opinions";
  const judge = await drawPrompt(people);
  const writer = people.find((person) => person !== judge) as Person;
  await expect.poll(async () => (await readDecision(writer))?.prompt ?? "").toMatch(/^Answer/);
  const field = writer.page.getByRole("textbox", { name: "Write a card" });
  if (!(await field.count())) await writer.press(/^Write a card/);
  await writer.device.write(field, words);
  await writer.press("Write a card");
  const card = writer.page.getByRole("button", { name: new RegExp(`${words}$`) });
  await card.waitFor();
  // The others answer at random; the writer plays the written card first.
  const play = new GameDriver(people, (now, person) => {
    const target = now.targets.find(({ label, pressed }) => label.includes(words) && !pressed);
    return person === writer && target ? { target } : null;
  });
  await play.until(
    async () => (await readDecision(judge)) !== null && /best answer/.test((await readDecision(judge))?.prompt ?? ""),
  );
  await openMenu(host);
  await host.press(text.panel.end);
  await host.press(text.table.yes);
  await host.press(text.panel.close);
  await host.press(text.end.replay);
  const slider = host.page.getByRole("navigation", { name: replayText.title }).getByRole("slider");
  await slider.press("End");
  await host.press(text.end.look);
  await host.page.locator("[data-face=up]").getByText(words).first().waitFor();
});
