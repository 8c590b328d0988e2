/** Makes a table against bots and starts it, without a question. */
import { http, RefusalError } from "../protocol/http";
import { guestName, myName, randomId } from "../protocol/identity";
import type { Action, Definition } from "../protocol/types";
import { go } from "../shell/router";
import { choiceFor, type GameChoice, rememberGame } from "./choices";

/** Tables that this page has made to be dealt at once, by code. A reload forgets them, and the lobby is shown. */
const toDeal = new Map<string, GameChoice & { startsByItself: boolean }>();

/** Makes the table and goes there. Throws what the server says if it refuses. */
export async function playNow(game: Definition, chosen: GameChoice = choiceFor(game)): Promise<void> {
  const create = (choice: GameChoice, id: string) =>
    http.create({ id, game: game.id, name: myName() || guestName(), settings: choice.settings });
  let choice = chosen;
  const made = await create(choice, randomId(18)).catch((error: unknown) => {
    if (!(error instanceof RefusalError) || error.code === "offline") throw error;
    // The remembered options may be older than the game's rules.
    choice = { ...chosen, settings: { options: {}, packIds: [] } };
    return create(choice, randomId(18));
  });
  rememberGame(game.id, choice);
  const startsByItself = game.policies.startWhenFull && choice.bots + 1 >= game.maxPlayers;
  toDeal.set(made.code, { ...choice, startsByItself });
  go(`/t/${made.code}`);
}

/** Whether this page has made the table to be dealt at once, and has not dealt it yet. */
export const isToBeDealt = (code: string): boolean => toDeal.has(code);

/** Adds the bots and starts. Each table is dealt once. */
export async function dealNow(code: string, send: (action: Action) => Promise<void>): Promise<void> {
  const choice = toDeal.get(code);
  if (!choice) return;
  toDeal.delete(code);
  const sent = Array.from({ length: choice.bots }, () => send({ type: "addBot", level: choice.level }));
  if (!choice.startsByItself) sent.push(send({ type: "startGame" }));
  // The table shows a refusal, and the lobby is still there.
  await Promise.allSettled(sent);
}
