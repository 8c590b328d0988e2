import { expect, test } from "vitest";
import type { Cause, Event, ZoneLayout } from "../protocol/types";
import type { Segment } from "../state/segments";
import { narrate } from "./narration";

const reader = {
  nameOf: (seat: number) => ["Ada", "Bob", "Cleo"][seat] ?? "?",
  faces: [
    { deck: "d", template: "pips", label: "7♠" },
    { deck: "d", template: "pips", label: "8♠" },
  ],
};
const zone = (title: string, more: Partial<ZoneLayout> = {}): ZoneLayout => ({
  zone: title.toLowerCase(),
  title,
  ordered: true,
  shape: "auto",
  ...more,
});
const hand = (owner: number) => zone("Hand", { owner, index: [{ value: owner, label: `${owner}`, seat: true }] });
const [HAND, BOBS, MIDDLE, PILE] = [0, 1, 2, 3];
const zones = [
  hand(0),
  hand(1),
  zone("Middle"),
  zone("Pile", { owner: 1 }),
  zone("Places", { index: [{ value: 4, label: "4" }] }),
];
const move = (from: number | null, to: number | null, count: number, faces: number[] = [], by?: number): Event => ({
  moved: {
    from,
    to,
    count,
    gone: [],
    came: faces.map((face, at) => ({ at, card: { handle: face, face, ...(by === undefined ? {} : { by }) } })),
  },
});
const by = (seat: number): Cause => ({ move: { seat } });
const say = (cause: Cause, events: Event[], more: Partial<Segment> = {}) =>
  narrate({ seq: 1, cause, events, isContinuation: false, ...more }, reader, zones);

test("names the player for the player's own move, and nobody for what the rules do after it", () => {
  expect(say(by(0), [move(HAND, MIDDLE, 1, [0]), move(MIDDLE, PILE, 4)])).toEqual([
    "Ada: 7♠ → Middle",
    "4 cards: Middle → Bob's Pile",
  ]);
});

test("names nobody in a continued segment", () => {
  expect(say(by(1), [move(MIDDLE, PILE, 4)], { isContinuation: true })).toEqual(["4 cards: Middle → Bob's Pile"]);
  expect(say(by(1), [move(MIDDLE, PILE, 4)])).toEqual(["Bob takes 4 cards from Middle"]);
});

test("names nobody when the moved cards are not the player's", () => {
  expect(say(by(1), [move(4, HAND, 1, [0])])).toEqual(["7♠: Places 4 → Ada's Hand"]);
});

test("names the player for each of several cards on the same path", () => {
  expect(say(by(0), [move(HAND, MIDDLE, 1, [0]), move(HAND, MIDDLE, 1, [1])])).toEqual([
    "Ada: 7♠ → Middle",
    "Ada: 8♠ → Middle",
  ]);
});

test("tells from whom a card is taken, and names the player whose mark a card has", () => {
  expect(say(by(0), [move(BOBS, HAND, 1)])).toEqual(["Ada takes 1 card from Bob's Hand"]);
  expect(say(by(2), [move(null, MIDDLE, 1, [1], 2)])).toEqual(["Cleo: 8♠ → Middle"]);
});

test("counts cards that are laid face down", () => {
  expect(say(by(1), [move(BOBS, PILE, 1)])).toEqual(["Bob: 1 card → Pile"]);
  expect(say(by(1), [move(BOBS, null, 2)])).toEqual(["2 cards: gone from Bob's Hand"]);
});

test("tells of cards that come from or go to zones that the viewer can't see", () => {
  expect(say(by(0), [move(null, BOBS, 2), move(MIDDLE, null, 1), move(null, null, 1)])).toEqual([
    "2 cards → Bob's Hand",
    "1 card: gone from Middle",
  ]);
});

test("counts cards that were visible before, and names cards that become visible", () => {
  const known = { from: MIDDLE, to: PILE, count: 2, gone: [0, 1], came: [] };
  const came = [0, 1].map((face, at) => ({ at, card: { handle: face, face } }));
  expect(say(by(0), [{ moved: { ...known, came } }])).toEqual(["2 cards: Middle → Bob's Pile"]);
  expect(say(by(0), [{ moved: { ...known, gone: [7, 8], came } }])).toEqual(["7♠, 8♠: Middle → Bob's Pile"]);
});

test("leaves out deals and moves without a player", () => {
  expect(say(by(0), [move(MIDDLE, BOBS, 13)])).toEqual([]);
  expect(say("start", [move(MIDDLE, BOBS, 1)])).toEqual([]);
});
