/**
 * The list of games. `main.tsx` asks for it before the first page is drawn, so that it arrives together with the
 * script.
 */
import { http } from "../protocol/http";
import type { Definition } from "../protocol/types";

let known: Definition[] | null = null;
let prefetch: Promise<Definition[]> | null = null;

/** The list, if it has arrived. */
export const knownGames = (): Definition[] | null => known;

/** Returns the prefetched list the first time, and a new one after that. */
export function loadGames(): Promise<Definition[]> {
  const asked = prefetch ?? fetchGames();
  prefetch = null;
  return asked;
}

/** Starts to fetch the list. The promise resolves when the list has arrived or has failed. */
export function prefetchGames(): Promise<unknown> {
  prefetch = fetchGames();
  return prefetch.catch(() => undefined);
}

async function fetchGames(): Promise<Definition[]> {
  known = await http.games();
  return known;
}
