/** The notes of the game, and the options of this table. */

import { OptionsForm } from "../lobby/OptionsForm";
import type { Definition, TableSettings } from "../protocol/types";
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";

export function RulesPanel({
  game,
  settings,
  onClose,
}: {
  game: Definition;
  settings: TableSettings;
  onClose: () => void;
}) {
  return (
    <SidePanel title={text.panel.rulesOf(game.name)} onClose={onClose} scrollable>
      <p className="rules-about">{game.description}</p>
      {game.notes.length === 0 ? (
        <p>{text.panel.noNotes}</p>
      ) : (
        <ul className="rules-notes">
          {game.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {game.options.length > 0 && (
        <>
          <h3>{text.panel.settingsOfTable}</h3>
          <OptionsForm game={game} settings={settings} onChange={null} />
        </>
      )}
    </SidePanel>
  );
}
