import { expect, test } from "vitest";
import type { BadgeView, TableDefinition, View } from "../protocol/types";
import { listBadges } from "./badges";

const seatIndex = [0, 1].map((value) => [{ value, label: String(value + 1), seat: true }]);
const table: TableDefinition = {
  seats: 2,
  settings: {},
  zones: [],
  dice: [],
  faces: [],
  texts: [],
  values: [
    { id: "judge", title: "Judge", kind: "player", elements: [[]], role: "Judge", sealed: false },
    { id: "score", title: "Score", kind: "number", elements: seatIndex, sealed: false },
    { id: "bid", title: "Bid", kind: "number", elements: seatIndex, sealed: true },
    { id: "round", title: "Round", kind: "number", elements: [[]], sealed: false },
  ],
};
const view = (badges: BadgeView[]): View => ({
  seq: 0,
  paused: false,
  seats: [badges, []].map((own) => ({
    playing: true,
    present: true,
    person: true,
    pending: false,
    turn: false,
    badges: own,
    status: [],
  })),
  zones: [],
  values: [{ values: [0] }, { values: [4, 7] }, { values: [1, null] }, { values: [3] }],
  dice: [],
  highlights: [],
  status: [],
  waiting: [],
});

test("without presentation, a seat shows its roles and public numbers, but no sealed values of others", () => {
  expect(listBadges(table, view([]), 0, false)).toEqual([
    { kind: "title", label: [{ text: "Judge" }] },
    { kind: "score", label: [{ text: "Score" }], value: [{ text: "4" }] },
  ]);
  expect(listBadges(table, view([]), 1, false)).toEqual([
    { kind: "score", label: [{ text: "Score" }], value: [{ text: "7" }] },
  ]);
});

test("a file with presentation shows no numbers by itself", () => {
  expect(listBadges(table, view([]), 1, true)).toEqual([]);
});

test("badges of the rules replace numbers, and no role is shown twice", () => {
  const badge: BadgeView = { kind: "title", label: [{ text: "Judge" }] };
  expect(listBadges(table, view([badge]), 0, false)).toEqual([badge]);
  expect(listBadges(table, view([{ kind: "score", value: [{ text: "4" }] }]), 1, false)).toEqual([]);
});

test("a seat shows only the first two of many numbers", () => {
  const numbers = ["Score", "Tricks", "Bid", "Chips"].map((title) => ({
    id: title,
    title,
    kind: "number" as const,
    elements: seatIndex,
    sealed: false,
  }));
  const values = numbers.map(() => ({ values: [4, 7] }));
  const titles = listBadges({ ...table, values: numbers }, { ...view([]), values }, 0, false).map(({ label }) => label);
  expect(titles).toEqual([[{ text: "Score" }], [{ text: "Tricks" }]]);
});

test("only the viewer's own seat shows sealed values, also in a file with presentation", () => {
  const mine = { ...view([]), seat: 0 };
  expect(listBadges(table, mine, 0, true)).toEqual([
    { kind: "title", label: [{ text: "Judge" }] },
    { kind: "count", label: [{ text: "Bid" }], value: [{ text: "1" }] },
  ]);
  expect(listBadges(table, mine, 1, true)).toEqual([]);
});

test("sealed values are written as words, and nobody is no value", () => {
  const layouts = [
    { id: "prey", title: "Prey", kind: "player", elements: seatIndex, sealed: true },
    { id: "vow", title: "Vow", kind: "value", names: ["red", "blue"], elements: seatIndex, sealed: true },
    { id: "liar", title: "Liar", kind: "yesno", elements: seatIndex, sealed: true },
  ];
  const shown = (prey: number) => {
    const values = [{ values: [prey, null] }, { values: [1, null] }, { values: [0, null] }];
    return listBadges({ ...table, values: layouts }, { ...view([]), seat: 0, values }, 0, true).map(
      ({ value }) => value,
    );
  };
  expect(shown(1)).toEqual([[{ seat: 1 }], [{ text: "blue" }], [{ text: "no" }]]);
  expect(shown(-1)).toEqual([[{ text: "blue" }], [{ text: "no" }]]);
});
