/** How the game is played, its notes, and the options of this table. */

import HowToPlay from "../home/HowToPlay";
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
  const isExplained = (game.howToPlay?.length ?? 0) > 0;
  return (
    <SidePanel title={text.panel.rulesOf(game.name)} onClose={onClose} scrollable>
      <p className="rules-about">{game.description}</p>
      {isExplained && <HowToPlay game={game} />}
      {game.notes.length === 0 ? (
        !isExplained && <p>{text.panel.noNotes}</p>
      ) : isExplained ? (
        <details className="rules-notes-behind">
          <summary>{text.howTo.rulings}</summary>
          <Notes notes={game.notes} />
        </details>
      ) : (
        <Notes notes={game.notes} />
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

function Notes({ notes }: { notes: string[] }) {
  return (
    <ul className="rules-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
