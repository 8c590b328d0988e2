/** The form that makes a table: a name, the options, and the packs if the game uses them. */
import { useState } from "react";
import { OptionsForm } from "../lobby/OptionsForm";
import { Packs } from "../lobby/Packs";
import { http } from "../protocol/http";
import { myName, randomId, rememberName } from "../protocol/identity";
import { type Definition, limits, type TableSettings } from "../protocol/types";
import { go } from "../shell/router";
import { SidePanel } from "../shell/SidePanel";
import { RefusalNote } from "../shell/useAction";
import { text } from "../text/catalogue";

export function CreateTable({ game, onClose }: { game: Definition; onClose: () => void }) {
  const [name, setName] = useState(myName);
  const [settings, setSettings] = useState<TableSettings>({ options: {}, packIds: [] });
  const [making, setMaking] = useState(false);
  const [refused, setRefused] = useState("");
  // The id is created once, so that repeating the request after a lost response gives the same table.
  const [id] = useState(() => randomId(18));
  const fromPacks = Object.values(game.decks).some((deck) => deck.fromPacks);
  const make = async () => {
    setMaking(true);
    setRefused("");
    rememberName(name.trim());
    try {
      const { code } = await http.create({ id, game: game.id, name: name.trim(), settings });
      go(`/t/${code}`);
    } catch (error) {
      setRefused(error instanceof Error ? error.message : text.home.noGames);
      setMaking(false);
    }
  };
  return (
    <SidePanel title={game.name} onClose={onClose}>
      <p className="rules-about">{game.description}</p>
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
            required
            maxLength={limits.nameChars}
            placeholder={text.name.placeholder}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <RefusalNote refused={refused} />
        <button type="submit" className="button primary" disabled={making || name.trim() === ""}>
          {making ? text.home.creating : text.home.create}
        </button>
        {fromPacks && <Packs chosen={settings.packIds} onChange={(packIds) => setSettings({ ...settings, packIds })} />}
        {(game.options.length > 0 || game.presets.length > 0) && (
          <details className="create-options">
            <summary>{text.lobby.options}</summary>
            <OptionsForm game={game} settings={settings} onChange={setSettings} />
          </details>
        )}
      </form>
    </SidePanel>
  );
}
