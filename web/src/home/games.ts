/** The list of games, asked for before there is a page to show it: it travels together with the script. */
import { http } from "../protocol/http";
import type { Definition } from "../protocol/types";

let known: Definition[] | null = null;
let coming: Promise<Definition[]> | null = null;

/** What is known of it already. */
export const gamesSoFar = (): Definition[] | null => known;

/** The list that is on its way; once that has been taken, a fresh one. */
export function games(): Promise<Definition[]> {
  const asked = coming ?? ask();
  coming = null;
  return asked;
}

/** Settles, in whatever way, as soon as the first page can be drawn as a whole. */
export function gamesAhead(): Promise<unknown> {
  coming = ask();
  return coming.catch(() => undefined);
}

async function ask(): Promise<Definition[]> {
  known = await http.games();
  return known;
}
