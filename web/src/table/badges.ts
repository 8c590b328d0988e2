/**
 * Lists the badges of a seat: those that the rules show, and a title for each role of the player. If a rules file has
 * no presentation at all (`presented` is false) and shows no badges, numbers of the public state are shown as scores.
 */
import type { BadgeView, Definition, TableDefinition, View } from "../protocol/types";
import { isRow } from "./scores";

/** More numbers than this would clutter a seat. */
const MAX_NUMBERS = 2;

export function listBadges(table: TableDefinition, view: View, seat: number, presented: boolean): BadgeView[] {
  // Badges of the kind `row` belong to the score sheet.
  const shown = (view.seats[seat]?.badges ?? []).filter((badge) => !isRow(badge));
  const isShown = (title: string) =>
    shown.some(({ label }) => label?.some((piece) => "text" in piece && piece.text === title));
  const roles = table.values.flatMap(({ role }, at): BadgeView[] => {
    if (role === undefined || role === null || view.values[at]?.values[0] !== seat || isShown(role)) return [];
    return [{ kind: "title", label: [{ text: role }] }];
  });
  if (presented || view.seats.some(({ badges }) => badges.length > 0)) return [...shown, ...roles];
  const numbers = table.values.flatMap(({ kind, sealed, elements, title }, at): BadgeView[] => {
    if (kind !== "number" || sealed) return [];
    const own = elements.findIndex((index) => index.length === 1 && index[0]?.seat === true && index[0].value === seat);
    const value = own < 0 ? null : (view.values[at]?.values[own] ?? null);
    return value === null ? [] : [{ kind: "score", label: [{ text: title }], value: [{ text: String(value) }] }];
  });
  return [...roles, ...numbers.slice(0, MAX_NUMBERS)];
}

/** A rules file with a theme decides by itself what is shown. */
export const isPresented = (game: Definition): boolean => Object.keys(game.theme).length > 0;
