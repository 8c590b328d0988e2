import { describe, expect, test } from "vitest";
import {
  fanOffsets,
  findFreeRect,
  fitDice,
  fitGrid,
  fitRows,
  handCardWidth,
  layOutHand,
  placeSeats,
  placeTowards,
  separateCards,
} from "./geometry";

const screens = [
  { name: "phone", width: 360, height: 740, rem: 16 },
  { name: "tablet", width: 820, height: 1180, rem: 16 },
  { name: "desktop", width: 1440, height: 900, rem: 16 },
  { name: "4K", width: 3840, height: 2160, rem: 38 },
];

describe.each(screens)("a hand on a $name", ({ width, height, rem }) => {
  const cardWidth = handCardWidth({ width, height }, rem, 1);
  const card = { width: cardWidth, height: cardWidth * 1.4 };
  const space = { width: width - 16, card, strip: 28, rowStrip: 44, lift: 12 };

  test.each(Array.from({ length: 52 }, (_, i) => i + 1))(
    "holds %i cards, none clipped, all wide enough to tap",
    (count) => {
      const { places, height: used, rows } = layOutHand({ ...space, count });
      expect(places).toHaveLength(count);
      for (const { x, y, angle } of places) {
        const lean = Math.abs((card.height / 2) * Math.sin((angle * Math.PI) / 180));
        expect(x - lean).toBeGreaterThanOrEqual(-1);
        expect(x + card.width + lean).toBeLessThanOrEqual(space.width + 1);
        const tilt = (Math.abs(angle) * Math.PI) / 180;
        const corner = y + card.height / 2 + (card.height * Math.cos(tilt) + card.width * Math.sin(tilt)) / 2;
        expect(corner).toBeLessThanOrEqual(used + 0.5);
      }
      for (let i = 1; i < count; i++) {
        const before = places[i - 1];
        const here = places[i];
        if (before && here && here.x > before.x)
          expect(here.x - before.x).toBeGreaterThanOrEqual(rows === 1 ? 24 : 27.9);
      }
      expect(used).toBeLessThanOrEqual(height * 0.45);
    },
  );
});

describe("dice", () => {
  test("lie in one row if the space is wide, in two if it is narrow, and never exceed the space or the largest size", () => {
    expect(fitDice(5, { width: 700, height: 300 }, 112, 0.16)).toEqual({ size: 112, columns: 5 });
    const narrow = fitDice(5, { width: 240, height: 260 }, 112, 0.16);
    expect(narrow.columns).toBe(3);
    expect(3 * narrow.size + 4 * 0.16 * narrow.size).toBeLessThanOrEqual(240);
    expect(fitDice(1, { width: 300, height: 60 }, 112, 0.16).size).toBeLessThanOrEqual(60);
  });
});

describe("placeSeats", () => {
  const area = { width: 344, height: 420 };
  const seat = { width: 92, height: 72 };

  test("puts one other player opposite", () => {
    const [only] = placeSeats(1, area, seat);
    expect(only?.x).toBeCloseTo(172, 0);
    expect(only?.y).toBeCloseTo(36, 0);
  });

  test("puts three others left, opposite and right, clockwise", () => {
    const [left, top, right] = placeSeats(3, area, seat);
    expect(left?.x).toBeLessThan(area.width / 3);
    expect(top?.y).toBeLessThan(60);
    expect(right?.x).toBeGreaterThan((area.width * 2) / 3);
    expect(left?.y).toBeCloseTo(right?.y ?? 0, -1);
  });

  test.each([2, 3, 4, 5, 6, 7])("keeps %i others apart and inside the area on a phone", (others) => {
    const places = placeSeats(others, area, seat);
    for (const [i, a] of places.entries()) {
      expect(a.x - seat.width / 2).toBeGreaterThanOrEqual(-0.5);
      expect(a.x + seat.width / 2).toBeLessThanOrEqual(area.width + 0.5);
      for (const b of places.slice(i + 1)) {
        const apart = Math.abs(a.x - b.x) >= seat.width || Math.abs(a.y - b.y) >= seat.height;
        expect(apart, JSON.stringify([a, b])).toBe(true);
      }
    }
  });

  test.each([2, 3, 4, 5, 6, 7])("keeps %i others apart at the far side", (others) => {
    const places = placeSeats(others, { width: 352, height: 520 }, seat, true);
    for (const [i, a] of places.entries()) {
      for (const b of places.slice(i + 1)) {
        expect(Math.abs(a.x - b.x) >= seat.width || Math.abs(a.y - b.y) >= seat.height, JSON.stringify([a, b])).toBe(
          true,
        );
      }
    }
  });

  test("a played card lies between the centre and its player", () => {
    for (const place of placeSeats(7, area, seat)) {
      const card = placeTowards(place, area, { width: 60, height: 90 });
      const dot = (card.x - 172) * (place.x - 172) + (card.y - 210) * (place.y - 210);
      expect(dot).toBeGreaterThan(0);
    }
  });
});

test("cards that are played together are centred on their place", () => {
  const cards = fanOffsets(4, { width: 50, height: 70 }, 0.4);
  expect(cards.reduce((sum, card) => sum + card.x, 0)).toBeCloseTo(0);
});

describe("the free rectangle inside the ring", () => {
  const area = { width: 360, height: 420 };
  const seat = { width: 96, height: 80 };

  test.each([1, 2, 3, 5, 7])("overlaps none of %i seats", (others) => {
    const places = placeSeats(others, area, seat);
    const space = findFreeRect(places, seat, area, 6);
    expect(space.width).toBeGreaterThan(120);
    for (const { x, y } of places) {
      const apart =
        x + seat.width / 2 <= space.left ||
        x - seat.width / 2 >= space.left + space.width ||
        y + seat.height / 2 <= space.top ||
        y - seat.height / 2 >= space.top + space.height;
      expect(apart).toBe(true);
    }
  });

  test("has room for a grid with its piles", () => {
    const { width, beside } = fitGrid(3, 3, 1, { width: 900, height: 420 }, 200);
    expect(beside).toBe(true);
    expect(width * 1.4 * 3.32).toBeLessThanOrEqual(420);
    expect(fitGrid(3, 3, 1, { width: 200, height: 400 }, 200).beside).toBe(false);
  });
});

describe("rows of sets on the table", () => {
  const sets = Array.from({ length: 8 }, () => 130);

  test("keep their size while they fit, and shrink to half at most", () => {
    expect(fitRows(sets, 100, { width: 600, height: 220 }, 10)).toBe(1);
    const shrunk = fitRows(sets, 100, { width: 600, height: 180 }, 10);
    expect(shrunk).toBeLessThan(1);
    const perRow = Math.floor(600 / (140 * shrunk));
    expect(Math.ceil(8 / perRow) * 110 * shrunk).toBeLessThanOrEqual(180);
    expect(fitRows(sets, 100, { width: 100, height: 10 }, 10)).toBe(0.5);
  });
});

describe("played cards in a narrow middle", () => {
  const card = { width: 60, height: 84 };
  const at = (x: number, y: number) => ({ x, y, angle: 0 });

  test("are separated by moving the lower one down", () => {
    expect(separateCards([at(220, 245), at(180, 174), at(140, 245)], card, 400)).toEqual([
      at(220, 258),
      at(180, 174),
      at(140, 258),
    ]);
  });

  test("stay where they are if they do not overlap, or if there is no room below", () => {
    expect(separateCards([at(100, 100), at(200, 110)], card, 400)).toEqual([at(100, 100), at(200, 110)]);
    expect(separateCards([at(100, 100), at(110, 150)], card, 200)).toEqual([at(100, 100), at(110, 150)]);
  });
});
