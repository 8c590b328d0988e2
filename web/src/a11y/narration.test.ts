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

test("what somebody does is narrate of them, and what the rules do after it of nobody", () => {
  expect(say(by(0), [move(HAND, MIDDLE, 1, [0]), move(MIDDLE, PILE, 4)])).toEqual([
    "Ada: 7♠ → Middle",
    "4 cards: Middle → Bob's Pile",
  ]);
});

test("nor of whoever moved, once the table has rested", () => {
  expect(say(by(1), [move(MIDDLE, PILE, 4)], { isContinuation: true })).toEqual(["4 cards: Middle → Bob's Pile"]);
  expect(say(by(1), [move(MIDDLE, PILE, 4)])).toEqual(["Bob takes 4 cards from Middle"]);
});

test("nor of whoever only said something, when things of others move", () => {
  expect(say(by(1), [move(4, HAND, 1, [0])])).toEqual(["7♠: Places 4 → Ada's Hand"]);
});

test("cards of one kind of move that come one by one are all of whoever moved", () => {
  expect(say(by(0), [move(HAND, MIDDLE, 1, [0]), move(HAND, MIDDLE, 1, [1])])).toEqual([
    "Ada: 7♠ → Middle",
    "Ada: 8♠ → Middle",
  ]);
});

test("a card from somebody's hand is taken from them; one that lies there as mine was mine", () => {
  expect(say(by(0), [move(BOBS, HAND, 1)])).toEqual(["Ada takes 1 card from Bob's Hand"]);
  expect(say(by(2), [move(null, MIDDLE, 1, [1], 2)])).toEqual(["Cleo: 8♠ → Middle"]);
});

test("cards that are laid face down are counted", () => {
  expect(say(by(1), [move(BOBS, PILE, 1)])).toEqual(["Bob: 1 card → Pile"]);
  expect(say(by(1), [move(BOBS, null, 2)])).toEqual(["2 cards: gone from Bob's Hand"]);
});

test("what comes from, or goes to, where nothing is seen", () => {
  expect(say(by(0), [move(null, BOBS, 2), move(MIDDLE, null, 1), move(null, null, 1)])).toEqual([
    "2 cards → Bob's Hand",
    "1 card: gone from Middle",
  ]);
});

test("cards that lay open are counted, and those that come into sight are named", () => {
  const known = { from: MIDDLE, to: PILE, count: 2, gone: [0, 1], came: [] };
  const came = [0, 1].map((face, at) => ({ at, card: { handle: face, face } }));
  expect(say(by(0), [{ moved: { ...known, came } }])).toEqual(["2 cards: Middle → Bob's Pile"]);
  expect(say(by(0), [{ moved: { ...known, gone: [7, 8], came } }])).toEqual(["7♠, 8♠: Middle → Bob's Pile"]);
});

test("a deal is not narrate, and neither is what nobody's move brought about", () => {
  expect(say(by(0), [move(MIDDLE, BOBS, 13)])).toEqual([]);
  expect(say("start", [move(MIDDLE, BOBS, 1)])).toEqual([]);
});
