import type { Definition } from "../protocol/types";
import { text } from "../text/catalogue";

/** How many can play, and how long it takes. */
export function factsOf(game: Pick<Definition, "minPlayers" | "maxPlayers" | "minutes">): string {
  const players = text.home.players(game.minPlayers, game.maxPlayers);
  return game.minutes ? `${players} · ${text.home.minutes(game.minutes[0], game.minutes[1])}` : players;
}
