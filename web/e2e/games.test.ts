/**
 * Every game of the server, from the first page to the banner in its `quick` preset, with mouse, finger and keyboard
 * at one table.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { replayText } from "../src/text/replayCatalogue";
import { expectAccessible } from "./support/axe";
import type { DeviceName } from "./support/device";
import { games, Person } from "./support/person";
import { GameDriver } from "./support/player";

const DEVICES: DeviceName[] = ["mouse", "touch", "keyboard"];
const NAMES = ["Ann", "Ben", "Cleo"];
/** The games in which each device has made moves. */
const used = new Map<DeviceName, Set<string>>(DEVICES.map((device) => [device, new Set()]));

for (const [at, game] of (await games()).entries()) {
  describe.sequential(game.name, () => {
    // A different device is the host each time, so that every device makes tables.
    const seats = Math.min(NAMES.length, game.maxPlayers);
    const devices = NAMES.slice(0, seats).map((_, i) => DEVICES[(at + i) % DEVICES.length] as DeviceName);
    let people: Person[] = [];
    let play: GameDriver;

    beforeAll(async () => {
      people = await Promise.all(devices.map((device, i) => Person.named(NAMES[i] ?? "", { device })));
      play = new GameDriver(people);
    });
    afterAll(async () => {
      await Promise.all(people.map((person) => person.leave()));
    });

    test(`${game.name}: a person makes a table on the first page, others join by code, and it starts`, async () => {
      const [host, ...guests] = people as [Person, ...Person[]];
      const code = await host.make(game, { preset: "quick" });
      for (const guest of guests) await guest.join(code);
      const bots = Math.max(game.minPlayers - people.length, people.length < game.maxPlayers ? 1 : 0);
      await host.addBots(bots);
      await host.start();
      for (const guest of guests) await guest.atTable();
    });

    test(`${game.name}: axe finds nothing serious on the table`, async () => {
      await play.until(() => play.moves.size > 0);
      for (const person of people) await expectAccessible(person.page);
    });

    test(`${game.name}: it is played to its banner by ${devices.join(", ")}`, async () => {
      await play.toTheEnd();
      // A short game may end before every player has had a turn.
      for (const { device, name } of people) if (play.moves.has(name)) used.get(device.name)?.add(game.id);
      for (const person of people) expect(person.faults()).toEqual([]);
      // All players see the same.
      const banners = await Promise.all(
        people.map(({ page }) => page.getByRole("dialog").getByRole("heading").innerText()),
      );
      expect(banners[0]).not.toBe("");
      expect(new Set(banners).size).toBe(1);
      // Players who share a rank leave the next ranks free.
      const end = (people[0] as Person).page.getByRole("dialog");
      const places = (await end.locator(".rank").allInnerTexts()).filter(Boolean).map(Number.parseFloat);
      places.forEach((place, i) => {
        expect([places[i - 1], i + 1], `place ${place} in ${places}`).toContain(place);
      });
    });

    test(`${game.name}: axe finds nothing serious on the banner`, async () => {
      for (const person of people) await expectAccessible(person.page);
    });

    test(`${game.name}: its replay runs from the deal to the banner`, async () => {
      const [host] = people as [Person];
      const banner = await host.page.getByRole("dialog").getByRole("heading").innerText();
      await host.press(text.end.replay);
      const bar = host.page.getByRole("navigation", { name: replayText.title });
      await bar.getByRole("slider", { name: /^Step 0 of [1-9]/ }).waitFor();
      await host.device.press(bar.getByRole("button", { name: replayText.last }));
      await host.page.getByRole("heading", { name: banner }).waitFor();
    });
  });
}

test("mouse, finger and keyboard have each made moves in three games or more", () => {
  for (const device of DEVICES) expect(used.get(device)?.size, device).toBeGreaterThanOrEqual(3);
});
