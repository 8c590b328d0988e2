import { expect, test } from "vitest";
import { definition } from "../gallery/build";
import { fits, kindOf, sortGames } from "./fitting";

const dice = { zones: [], faces: [], dice: [{ dice: "die", count: 2, low: 1, high: 6 }] };
const short = definition({ id: "short", name: "Short", minPlayers: 2, maxPlayers: 4, minutes: [5, 10] });
const long = definition({ id: "long", name: "Long", minPlayers: 3, maxPlayers: 8, minutes: [30, 60] });
const rolled = definition({ id: "rolled", name: "Rolled", preview: dice });
const any = { players: "", minutes: "", kind: "" };

test("a game fits if its seats, its length and its kind do; alone every number of seats fits, because bots sit there", () => {
  expect(fits(short, { ...any, players: "5" })).toBe(false);
  expect(fits(long, { ...any, players: "5" })).toBe(true);
  expect(fits(long, { ...any, players: "1" })).toBe(true);
  expect(fits(long, { ...any, minutes: "20" })).toBe(false);
  expect(fits(rolled, { ...any, minutes: "20" })).toBe(true);
  expect([short, rolled].map(kindOf)).toEqual(["cards", "dice"]);
  expect(fits(short, { ...any, kind: "dice" })).toBe(false);
});

test("games that fit come first, and among them the ones that were played last", () => {
  const ids = (wishes: typeof any, played: string[]) =>
    sortGames([short, long, rolled], wishes, played).map(({ id }) => id);
  expect(ids(any, [])).toEqual(["short", "long", "rolled"]);
  expect(ids(any, ["rolled", "long"])).toEqual(["rolled", "long", "short"]);
  expect(ids({ ...any, players: "3" }, ["rolled"])).toEqual(["rolled", "short", "long"]);
  expect(ids({ ...any, minutes: "10" }, ["long"])).toEqual(["short", "rolled", "long"]);
});
