/** What this browser chose last: games, options and bots of each game, and how the list of games is filtered. */
import { readStoredObject, writeStored } from "../protocol/storage";
import type { BotLevel, Definition, TableSettings } from "../protocol/types";

const KEY = "baize.play";
/** Upper bound on games whose choices are kept. The browser drops older ones. */
const MAX_GAMES = 40;
/** With how many players a game against bots is played if nobody has chosen a number. */
const USUAL_PLAYERS = 4;

export interface GameChoice {
  bots: number;
  level: BotLevel;
  settings: TableSettings;
}

/** What the visitor looks for. If it is empty, every game fits. */
export interface Wishes {
  players: string;
  minutes: string;
  kind: string;
}

interface Kept {
  /** The choices by the game's id. The game that was played last comes last. */
  games: Record<string, GameChoice>;
  wishes: Wishes;
  /** Ids of games that were explained to this browser. */
  explained: string[];
}

const NOTHING: Kept = { games: {}, explained: [], wishes: { players: "", minutes: "", kind: "" } };
const read = (): Kept => readStoredObject(KEY, NOTHING);

export function rememberGame(game: string, choice: GameChoice): void {
  const kept = read();
  const others = Object.entries(kept.games).filter(([id]) => id !== game);
  const games = Object.fromEntries([...others.slice(1 - MAX_GAMES), [game, choice]]);
  writeStored(KEY, JSON.stringify({ ...kept, games }));
}

/** The ids of games that were played in this browser, the last one first. */
export const playedGames = (): string[] => Object.keys(read().games).reverse();

export const rememberedWishes = (): Wishes => ({ ...NOTHING.wishes, ...read().wishes });
export const rememberWishes = (wishes: Wishes): void => writeStored(KEY, JSON.stringify({ ...read(), wishes }));

/** The last choice for a game, as far as the game still allows it, or the usual one. */
export function choiceFor(game: Definition): GameChoice {
  const kept = read().games[game.id];
  const usual = Math.min(game.maxPlayers, Math.max(game.minPlayers, USUAL_PLAYERS)) - 1;
  return {
    bots: boundBots(game, kept?.bots ?? usual),
    level: kept?.level ?? "medium",
    settings: knownSettings(game, kept?.settings),
  };
}

/** At least as many bots as the game needs beside one person, at most as many as there is room for. */
export const boundBots = (game: Definition, bots: number): number =>
  Math.max(game.minPlayers - 1, Math.min(game.maxPlayers - 1, Math.round(bots) || 0));

/** Drops options and presets that the game does not have any more: the server would refuse the table. */
function knownSettings(game: Definition, kept: TableSettings | undefined): TableSettings {
  const options = Object.entries(kept?.options ?? {}).filter(([id]) => game.options.some((option) => option.id === id));
  const preset = game.presets.some(({ id }) => id === kept?.preset) ? kept?.preset : undefined;
  return { options: Object.fromEntries(options), packIds: [], ...(preset ? { preset } : {}) };
}

/** Whether a game has an explanation that this browser has not shown before its first game. */
export const needsExplanation = (game: Definition): boolean =>
  (game.howToPlay?.length ?? 0) > 0 && !read().explained.includes(game.id);

export function rememberExplained(game: Definition): void {
  const kept = read();
  const explained = [...kept.explained.filter((id) => id !== game.id), game.id].slice(-MAX_GAMES);
  writeStored(KEY, JSON.stringify({ ...kept, explained }));
}
