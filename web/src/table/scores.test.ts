import { describe, expect, test } from "vitest";
import type { BadgeView, SeatView, View } from "../protocol/types";
import { buildScoreSheet } from "./scores";

const reader = { nameOf: (seat: number) => `Player ${seat + 1}`, faces: [] };
const badge = (kind: string, label: string, value?: string): BadgeView => ({
  kind,
  label: [{ text: label }],
  ...(value === undefined ? {} : { value: [{ text: value }] }),
});
const seat = (...badges: BadgeView[]): SeatView => ({
  playing: badges.length > 0,
  present: true,
  person: true,
  pending: false,
  turn: false,
  badges,
  status: [],
});
const view = (own: number | undefined, ...seats: SeatView[]) => ({
  ...(own === undefined ? {} : { seat: own }),
  seats,
});

describe("the score sheet", () => {
  const first = seat(badge("score", "", "12"), badge("row", "Low", "12"), badge("row", "High"));
  const second = seat(badge("score", "", "0"), badge("row", "Low"), badge("row", "High", "0"));
  const gone = seat();

  test("has a column for each player, the viewer first, and all rows, empty ones too", () => {
    const sheet = buildScoreSheet(view(1, first, second, gone) as View, reader);
    expect(sheet).toEqual({
      columns: [1, 0],
      rows: [
        { label: "Low", cells: ["", "12"] },
        { label: "High", cells: ["0", ""] },
      ],
      total: ["0", "12"],
    });
  });

  test("begins with the first seat for a spectator", () => {
    expect(buildScoreSheet(view(undefined, first, second) as View, reader)?.columns).toEqual([0, 1]);
  });

  test("is null if the rules show no rows", () => {
    expect(buildScoreSheet(view(0, seat(badge("score", "", "3"))) as View, reader)).toBeNull();
  });
});
