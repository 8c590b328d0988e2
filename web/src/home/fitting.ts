/** Which games fit what the visitor looks for, and in which order they are listed. */
import type { Definition } from "../protocol/types";
import type { Wishes } from "./choices";

export type GameKind = "cards" | "dice" | "words";

/** What a game is played with. */
export function kindOf(game: Definition): GameKind {
  if (Object.values(game.decks).some((deck) => deck.fromPacks)) return "words";
  return (game.preview?.dice.length ?? 0) > 0 ? "dice" : "cards";
}

/** Whether a game fits. A game that does not tell its length fits any. */
export function fits(game: Definition, wishes: Wishes): boolean {
  const players = Number(wishes.players);
  const minutes = Number(wishes.minutes);
  // One person can play any game, because bots take the other seats.
  if (players > 1 && (players < game.minPlayers || players > game.maxPlayers)) return false;
  if (minutes > 0 && game.minutes && game.minutes[0] > minutes) return false;
  return wishes.kind === "" || kindOf(game) === wishes.kind;
}

/** Games that fit come first; among them the ones played last, then the others in the server's order. */
export function sortGames(games: Definition[], wishes: Wishes, played: string[]): Definition[] {
  const place = (game: Definition) => {
    const at = played.indexOf(game.id);
    return at < 0 ? played.length : at;
  };
  return [...games].sort((a, b) => Number(fits(b, wishes)) - Number(fits(a, wishes)) || place(a) - place(b));
}
