/**
 * Builds the score sheet: badges of the kind `row` are the rows, players the columns, and the score is the last row.
 * Pure.
 */
import type { BadgeView, View } from "../protocol/types";
import { lineText, type Reader } from "../text/line";

export interface ScoreSheet {
  /** Seats in playing order, beginning with the viewer's. */
  columns: number[];
  rows: { label: string; cells: string[] }[];
  total: string[] | null;
}

export const isRow = ({ kind }: BadgeView): boolean => kind === "row";

/** Returns null if the rules show no rows. */
export function buildScoreSheet(view: View, reader: Reader): ScoreSheet | null {
  const count = view.seats.length;
  const order = Array.from({ length: count }, (_, i) => ((view.seat ?? 0) + i) % count);
  const columns = order.filter((seat) => view.seats[seat]?.badges.some(isRow));
  if (columns.length === 0) return null;
  const labels = new Set(
    columns.flatMap((seat) => view.seats[seat]?.badges.filter(isRow).map(({ label }) => lineText(label, reader)) ?? []),
  );
  const cell = (seat: number, fits: (badge: BadgeView) => boolean) =>
    lineText(view.seats[seat]?.badges.find(fits)?.value, reader);
  const rows = [...labels].map((label) => ({
    label,
    cells: columns.map((seat) => cell(seat, (badge) => isRow(badge) && lineText(badge.label, reader) === label)),
  }));
  const total = columns.map((seat) => cell(seat, ({ kind }) => kind === "score"));
  return { columns, rows, total: total.some((value) => value !== "") ? total : null };
}
