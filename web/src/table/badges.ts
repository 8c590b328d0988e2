/**
 * Lists the badges of a seat: those that the rules show, a title for each role of the player, and at the viewer's own
 * seat the values that only the viewer knows. If a rules file has no presentation at all (`presented` is false) and
 * shows no badges, numbers of the public state are shown as scores.
 */
import type { BadgeView, Definition, RichText, TableDefinition, ValueLayout, View } from "../protocol/types";
import { isRow } from "./scores";

/** More numbers than this would clutter a seat. */
const MAX_NUMBERS = 2;
/** A grid of secrets has no room at a seat. */
const MAX_SECRETS = 6;

export function listBadges(table: TableDefinition, view: View, seat: number, presented: boolean): BadgeView[] {
  // Badges of the kind `row` belong to the score sheet.
  const shown = (view.seats[seat]?.badges ?? []).filter((badge) => !isRow(badge));
  const isShown = (title: string) =>
    shown.some(({ label }) => label?.some((piece) => "text" in piece && piece.text === title));
  const roles = table.values.flatMap(({ role }, at): BadgeView[] => {
    if (role === undefined || role === null || view.values[at]?.values[0] !== seat || isShown(role)) return [];
    return [{ kind: "title", label: [{ text: role }] }];
  });
  const secrets = seat === view.seat ? listSecrets(table, view, seat) : [];
  if (presented || view.seats.some(({ badges }) => badges.length > 0)) return [...shown, ...roles, ...secrets];
  const numbers = table.values.flatMap(({ kind, sealed, elements, title }, at): BadgeView[] => {
    if (kind !== "number" || sealed) return [];
    const own = elements.findIndex((index) => index.length === 1 && index[0]?.seat === true && index[0].value === seat);
    const value = own < 0 ? null : (view.values[at]?.values[own] ?? null);
    return value === null ? [] : [{ kind: "score", label: [{ text: title }], value: [{ text: String(value) }] }];
  });
  return [...roles, ...numbers.slice(0, MAX_NUMBERS), ...secrets];
}

/** The values of a seat that only its player sees, such as a secret bid. The others' are null in the view. */
function listSecrets(table: TableDefinition, view: View, seat: number): BadgeView[] {
  return table.values.flatMap((layout, at): BadgeView[] => {
    if (!layout.sealed) return [];
    const own = layout.elements.flatMap(([index], element): RichText[] => {
      const value = view.values[at]?.values[element] ?? null;
      return index?.seat === true && index.value === seat && value !== null ? [valueText(layout, value)] : [];
    });
    const known = own.filter((text) => text.length > 0);
    if (known.length === 0 || own.length > MAX_SECRETS) return [];
    const value = own.flatMap((text, nth) => [
      ...(nth > 0 ? [{ text: ", " }] : []),
      ...(text.length > 0 ? text : NONE),
    ]);
    return [{ kind: "count", label: [{ text: layout.title }], value }];
  });
}

const NONE: RichText = [{ text: "–" }];

/** A value in words; empty for nobody and none. */
function valueText({ kind, names }: ValueLayout, value: number): RichText {
  switch (kind) {
    case "player":
      return value < 0 ? [] : [{ seat: value }];
    case "card":
      return value < 0 ? [] : [{ face: value }];
    case "yesno":
      return [{ text: value === 0 ? "no" : "yes" }];
    case "value":
      return names?.[value] === undefined ? [] : [{ text: names[value] }];
    default:
      return value === NO_VALUE ? [] : [{ text: String(value) }];
  }
}

/** What the engine keeps for `none` of an attribute that is a number. */
const NO_VALUE = -(2 ** 31);

/** A rules file with a theme decides by itself what is shown. */
export const isPresented = (game: Definition): boolean => Object.keys(game.theme).length > 0;
