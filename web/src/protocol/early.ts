/**
 * Asked for before anything else runs: the games, where the page is home. On a slow phone the rest of the client takes
 * a while to start, and the answer travels meanwhile. It imports nothing, so that it comes first.
 */
let asked: Promise<Response> | null = null;
if (typeof location !== "undefined" && location.pathname === "/") {
  asked = fetch("/api/games");
  // Who takes it deals with a failure; nobody may take it.
  asked.catch(() => undefined);
}

/** The answer, for the first who wants it; later ones ask anew. */
export function takeEarlyGames(): Promise<Response> | null {
  const taken = asked;
  asked = null;
  return taken;
}
