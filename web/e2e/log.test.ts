/** The log: what happened in the game, in words, and apart from the chat. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { logText } from "../src/text/logCatalogue";
import { replayText } from "../src/text/replayCatalogue";
import { expectAccessible } from "./support/axe";
import { gather } from "./support/group";
import { gameNamed, type Person, PHONE } from "./support/person";
import { GameDriver, readDecision } from "./support/player";
import { cloth, endBanner, logOf, openChat } from "./support/table";

const donkey = await gameNamed("Donkey");
const oldMaid = await gameNamed("Old Maid");
const liarsDice = await gameNamed("Liar's Dice");

const DEAL = / gets? \d+ cards/;

/** The lines without their times, also those of rounds that are folded. */
const linesOf = (log: Locator): Promise<string[]> =>
  log
    .locator(".log-line > span")
    .evaluateAll((all) => all.map((line) => (line.textContent ?? "").replace(/[\u2066-\u2069]/g, "")));

const shownLines = async ({ page }: Person): Promise<string[]> => linesOf(page.locator(".log"));

test("the log stands beside the table from 1,280 pixels on, covers nothing of it, and is a tab of the chat elsewhere", async () => {
  const { host, people } = await gather(donkey, { people: ["Ann", "Ben"] });
  await logOf(host).getByText(DEAL).first().waitFor();
  const [ground, log] = [await cloth(host).boundingBox(), await logOf(host).boundingBox()];
  expect(log?.x ?? 0).toBeGreaterThanOrEqual((ground?.x ?? 0) + (ground?.width ?? 0));
  expect((log?.x ?? 0) + (log?.width ?? 0)).toBeLessThanOrEqual(1280);
  expect((log?.y ?? 0) + (log?.height ?? 0)).toBeLessThanOrEqual(800);
  await expectAccessible(host.page);
  // The first line of a round has the time, as hours and minutes; further lines of the same minute have none.
  const times = await logOf(host)
    .locator(".log-round")
    .evaluateAll((all) =>
      all.map((round) => [...round.querySelectorAll("time")].map((time) => time.textContent ?? "")),
    );
  expect(times.length).toBeGreaterThan(0);
  for (const ofRound of times) {
    expect(ofRound.length).toBeGreaterThan(0);
    for (const time of ofRound) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
    expect(new Set(ofRound).size).toBe(ofRound.length);
  }
  const beside = await shownLines(host);
  const play = new GameDriver(people);
  await play.until(() => play.moves.size > 0);
  await expect.poll(async () => (await shownLines(host)).length).toBeGreaterThan(beside.length);
  await host.page.setViewportSize({ width: 1279, height: 800 });
  await expect.poll(() => logOf(host).count()).toBe(0);
  const panel = await openChat(host);
  await host.device.press(panel.getByRole("tab", { name: logText.title }));
  await panel.getByText(DEAL).first().waitFor();
  await expectAccessible(host.page);
});

test("on a phone the log is behind the chat's button", async () => {
  const { host } = await gather(donkey, { people: ["Ann"], bots: 2, contexts: PHONE });
  expect(await logOf(host).count()).toBe(0);
  const panel = await openChat(host);
  await host.device.press(panel.getByRole("tab", { name: logText.title }));
  await panel.getByText(DEAL).first().waitFor();
});

test("what happened is grouped by round and folded, and is the same after a reload", async () => {
  const { host, people } = await gather(liarsDice, { people: ["Ann", "Ben"] });
  const play = new GameDriver(people);
  const rounds = () => logOf(host).locator("summary").allTextContents();
  await play.until(async () => (await rounds()).includes("Round 2"));
  const open = await logOf(host)
    .locator("details")
    .evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open));
  expect(open.at(-1)).toBe(true);
  expect(open[0]).toBe(false);
  // The test looks at the log while a person has to decide, so that nobody moves between two looks.
  await expect.poll(async () => (await Promise.all(people.map(readDecision))).some(Boolean)).toBe(true);
  const before = { rounds: await rounds(), lines: await shownLines(host) };
  expect(before.lines.length).toBeGreaterThan(5);
  await host.page.reload();
  await host.atTable();
  // The log tells of a reload as an absence, in further lines.
  await expect.poll(async () => (await rounds()).slice(0, before.rounds.length)).toEqual(before.rounds);
  expect((await shownLines(host)).slice(0, before.lines.length)).toEqual(before.lines);
});

test("a mark shows what happened since one's last turn, and a drawn card is named only to those concerned", async () => {
  const { people, host } = await gather(oldMaid, { people: ["Ann", "Ben", "Cleo"] });
  const play = new GameDriver(people);
  await play.until(() => people.every(({ name }) => play.moves.has(name)));
  // The player whose turn it is has moved before, and the others have moved since.
  await expect.poll(async () => (await Promise.all(people.map(readDecision))).some(Boolean)).toBe(true);
  const questions = await Promise.all(people.map(readDecision));
  const asked = people[questions.findIndex((question) => question !== null)] as Person;
  await logOf(asked).getByText(logText.sinceYourTurn).waitFor();
  const lines = await logOf(asked).locator(".log-round li").allTextContents();
  expect(lines.indexOf(logText.sinceYourTurn)).toBeLessThan(lines.length - 1);
  for (const person of people) {
    await expect.poll(async () => (await shownLines(person)).some((line) => /^You (draw|take) /.test(line))).toBe(true);
  }
  // The player who draws and the player who loses the card read its name; the third player does not.
  const drawn = /^(You|\S+) (?:draws?|takes?) (.+) from (you|\S+)/;
  for (const line of await shownLines(host)) {
    const [, who, what, whom] = drawn.exec(line) ?? [];
    if (!what) continue;
    if (who === "You" || whom === "you") expect(what).not.toBe("a card");
    else expect(what).toBe("a card");
  }
});

test("the chat is apart from the log", async () => {
  const { host, people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const play = new GameDriver(people);
  await play.until(() => play.moves.size > 0);
  const panel = await openChat(host);
  await host.device.write(panel.getByRole("textbox", { name: text.panel.write }), "Good luck!");
  await host.press(text.panel.send);
  await panel.getByRole("log").getByText("Good luck!").waitFor();
  expect((await panel.getByRole("log").allTextContents()).join()).not.toMatch(/plays?/);
  expect((await shownLines(host)).join()).not.toContain("Good luck!");
});

test("a replay has the log of its step, in the same words, without times", async () => {
  const { host, people } = await gather(oldMaid, { people: ["Ann"], bots: 1, table: { preset: "quick" } });
  await new GameDriver(people).toTheEnd();
  await endBanner(host).waitFor();
  await host.press(text.end.replay);
  const slider = host.page.getByRole("navigation", { name: replayText.title }).getByRole("slider");
  await slider.waitFor();
  expect(await shownLines(host)).toEqual([]);
  await slider.press("End");
  await expect.poll(async () => (await shownLines(host)).length).toBeGreaterThan(5);
  const whole = await shownLines(host);
  expect(whole.some((line) => DEAL.test(line))).toBe(true);
  expect(whole.some((line) => /^(Ann|\w+) takes .+ from \w+$/.test(line))).toBe(true);
  expect(await logOf(host).locator("time").count()).toBe(0);
  await slider.press("Home");
  await expect.poll(async () => (await shownLines(host)).length).toBeLessThan(whole.length);
});
