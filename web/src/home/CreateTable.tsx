/** The form for a table: a name, bots, the options, and the packs if the game uses them. */
import { useState } from "react";
import { OptionsForm } from "../lobby/OptionsForm";
import { Packs } from "../lobby/Packs";
import { http } from "../protocol/http";
import { guestName, myName, randomId, rememberName } from "../protocol/identity";
import { type BotLevel, type Definition, limits } from "../protocol/types";
import { go } from "../shell/router";
import { SidePanel } from "../shell/SidePanel";
import { RefusalNote } from "../shell/useAction";
import { text } from "../text/catalogue";
import { boundBots, choiceFor, rememberGame } from "./choices";
import { factsOf } from "./facts";
import HowToPlay from "./HowToPlay";
import { playNow } from "./playNow";

const LEVELS: BotLevel[] = ["easy", "medium", "difficult"];

export default function CreateTable({ game, onClose }: { game: Definition; onClose: () => void }) {
  const [name, setName] = useState(myName);
  const [choice, setChoice] = useState(() => choiceFor(game));
  const [making, setMaking] = useState(false);
  const [refused, setRefused] = useState("");
  // The form creates the id once, so that repeating the request after a lost response gives the same table.
  const [id] = useState(() => randomId(18));
  const { settings } = choice;
  const fromPacks = Object.values(game.decks).some((deck) => deck.fromPacks);
  const run = async (make: () => Promise<void>) => {
    setMaking(true);
    setRefused("");
    rememberName(name.trim());
    rememberGame(game.id, choice);
    try {
      await make();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : text.home.noGames);
      setMaking(false);
    }
  };
  const make = () =>
    run(async () => {
      const { code } = await http.create({ id, game: game.id, name: name.trim() || guestName(), settings });
      go(`/t/${code}`);
    });
  return (
    <SidePanel title={game.name} onClose={onClose}>
      <p className="rules-about">{game.description}</p>
      <p className="game-facts">{factsOf(game)}</p>
      {(game.howToPlay?.length ?? 0) > 0 && (
        <details className="create-options">
          <summary>{text.howTo.title(game.name)}</summary>
          <HowToPlay game={game} />
        </details>
      )}
      <form
        className="create-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label className="option">
          <span>{text.name.label}</span>
          <input
            className="field"
            value={name}
            // biome-ignore lint/a11y/noAutofocus: the panel was opened to fill in this field.
            autoFocus
            maxLength={limits.nameChars}
            placeholder={guestName()}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <RefusalNote refused={refused} />
        <button type="submit" className="button primary" disabled={making}>
          {making ? text.home.creating : text.home.create}
        </button>
        <fieldset className="create-bots">
          <legend>{text.home.orBots}</legend>
          <label className="option number">
            <span>{text.home.botCount}</span>
            <input
              className="field"
              type="number"
              min={game.minPlayers - 1}
              max={game.maxPlayers - 1}
              defaultValue={choice.bots}
              onBlur={(event) => {
                const bots = boundBots(game, Number(event.target.value));
                event.target.value = String(bots);
                setChoice({ ...choice, bots });
              }}
            />
          </label>
          <label className="option number">
            <span>{text.home.botLevel}</span>
            <select
              className="field"
              value={choice.level}
              onChange={(event) => setChoice({ ...choice, level: event.target.value as BotLevel })}
            >
              {LEVELS.map((level) => (
                <option key={level} value={level}>
                  {text.lobby.levels[level]}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="button"
            disabled={making}
            onClick={() => void run(() => playNow(game, choice))}
          >
            {text.home.playNow}
          </button>
        </fieldset>
        {fromPacks && (
          <Packs
            chosen={settings.packIds}
            onChange={(packIds) => setChoice({ ...choice, settings: { ...settings, packIds } })}
          />
        )}
        {(game.options.length > 0 || game.presets.length > 0) && (
          <details className="create-options">
            <summary>{text.lobby.options}</summary>
            <OptionsForm game={game} settings={settings} onChange={(settings) => setChoice({ ...choice, settings })} />
          </details>
        )}
      </form>
    </SidePanel>
  );
}
