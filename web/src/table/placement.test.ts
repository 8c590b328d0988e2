import { expect, test } from "vitest";
import type { Content, TableDefinition, View, ZoneLayout } from "../protocol/types";
import { countRows, orderSeats, placeZones, scaleOf } from "./placement";

const zone = (name: string, shape: string, more: Partial<ZoneLayout> = {}): ZoneLayout => ({
  zone: name,
  title: name,
  shape,
  ordered: true,
  ...more,
});
const cards: Content = { cards: [] };
const counted: Content = { count: 2 };

function table(zones: [ZoneLayout, Content][], seat?: number): [TableDefinition, View] {
  const seats = Array.from({ length: 4 }, () => ({
    playing: true,
    present: true,
    person: true,
    pending: false,
    turn: false,
    badges: [],
    status: [],
  }));
  return [
    { seats: 4, settings: {}, zones: zones.map(([layout]) => layout), values: [], dice: [], faces: [], texts: [] },
    {
      seat,
      seq: 0,
      paused: false,
      seats,
      zones: zones.map(([, content]) => ({ content, turned: false })),
      values: [],
      dice: [],
      highlights: [],
      status: [],
      waiting: [],
    },
  ];
}

test("places zones by shape and owner", () => {
  const index = (value: number) => [{ value, label: String(value) }];
  const placed = placeZones(
    ...table(
      [
        [zone("hand", "fan", { owner: 0 }), cards],
        [zone("hand", "fan", { owner: 1 }), counted],
        [zone("laid", "pile", { owner: 0 }), cards],
        [zone("laid", "pile", { owner: 1 }), cards],
        [zone("trick", "towards"), cards],
        [zone("waste", "pile"), cards],
        [zone("secret", "pile"), "nothing"],
        [zone("piles", "grid", { index: index(1), columns: 3, rows: 3 }), cards],
        [zone("piles", "grid", { index: index(2), columns: 3, rows: 3 }), cards],
      ],
      0,
    ),
  );
  expect(placed).toMatchObject({ hand: [0], own: [2], played: [4], piles: [], side: [5] });
  expect(placed.seats.get(1)).toEqual({ held: [1], inFront: [3], before: [] });
  expect(placed.grids).toEqual([{ id: "piles", title: "piles", zones: [7, 8], columns: 3 }]);
});

test("without presentation, cards that others can't see are a hand, and visible cards are a row", () => {
  const placed = placeZones(
    ...table(
      [
        [zone("cards", "auto", { owner: 2 }), cards],
        [zone("cards", "auto", { owner: 3 }), counted],
        [zone("open", "auto", { owner: 2 }), cards],
        [zone("table", "auto"), cards],
        [zone("deck", "auto"), counted],
      ],
      2,
    ),
  );
  expect(placed).toMatchObject({ hand: [0], own: [2], piles: [4] });
  expect(placed.rows.map((row) => row.zones)).toEqual([[3]]);
});

test("a pile whose count only its owner knows lies in front of the owner", () => {
  const placed = placeZones(
    ...table(
      [
        [zone("spare", "auto", { owner: 0 }), counted],
        [zone("spare", "auto", { owner: 1 }), "nothing"],
      ],
      0,
    ),
  );
  expect(placed).toMatchObject({ hand: [], own: [0] });
});

test("rows and grids of a player lie before that player, in the rows and columns of their indices", () => {
  const cell = (owner: number, row: number, column: number): [ZoneLayout, Content] => {
    const index = [
      { value: owner, label: String(owner), seat: true },
      { value: row, label: String(row) },
      { value: column, label: String(column) },
    ];
    return [zone("cell", "auto", { owner, index }), cards];
  };
  const cells = [0, 1].flatMap((owner) => [1, 2].flatMap((row) => [1, 2, 3].map((column) => cell(owner, row, column))));
  const placed = placeZones(...table([...cells, [zone("line", "row", { owner: 0 }), counted]], 0));
  expect(placed.before.map(({ id, zones, columns }) => [id, zones, columns])).toEqual([
    ["cell", [0, 1, 2, 3, 4, 5], 3],
    ["line", [12], 1],
  ]);
  expect(countRows(placed.before)).toBe(3);
  expect(placed.seats.get(1)?.before.map(({ zones, columns }) => [zones, columns])).toEqual([
    [[6, 7, 8, 9, 10, 11], 3],
  ]);
});

test("the others sit clockwise after the viewer; a spectator sees all players", () => {
  expect(orderSeats(table([], 2)[1], () => false)).toEqual([3, 0, 1]);
  expect(orderSeats(table([])[1], () => false)).toEqual([0, 1, 2, 3]);
});

test("seats move with the places that the rules number, if no two players share one", () => {
  const [definition, view] = table([], 2);
  const elements = [0, 1, 2, 3].map((value) => [{ value, label: String(value), seat: true }]);
  const numbered = {
    ...definition,
    values: [{ id: "place", title: "Place", kind: "number", elements, sealed: false }],
  };
  const seatedBy = (...values: (number | null)[]) =>
    orderSeats({ ...view, values: [{ values }] }, () => false, numbered);
  expect(seatedBy(4, 3, 2, 1)).toEqual([1, 0, 3]);
  expect(seatedBy(1, 2, 3, 4)).toEqual([3, 0, 1]);
  expect(seatedBy(0, 0, 0, 0)).toEqual([3, 0, 1]);
  expect(seatedBy(4, 3, null, 1)).toEqual([3, 0, 1]);
});

test("hints decide where a pile lies and how large a zone is", () => {
  const placed = placeZones(
    ...table([
      [zone("trick", "towards", { hints: ["large"] }), cards],
      [zone("stock", "pile", { hints: ["centre"] }), counted],
      [zone("waste", "pile"), cards],
    ]),
  );
  expect(placed).toMatchObject({ played: [0], piles: [1], side: [2] });
  const alone = placeZones(
    ...table([
      [zone("stock", "pile"), counted],
      [zone("open", "row", { hints: ["side", "small"] }), cards],
    ]),
  );
  expect(alone).toMatchObject({ piles: [0], side: [1], rows: [] });
  expect([["large"], ["small"], []].map((hints) => scaleOf(zone("x", "pile", { hints })))).toEqual([1.4, 0.72, 1]);
});
