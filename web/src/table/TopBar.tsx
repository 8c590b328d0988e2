/** One slim line: where you are, what the rules say about the table, and the way to everything else. */

import { Icon } from "../shell/Icon";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { useTable } from "./context";

interface TopBarProps {
  onPanel: ((panel: "chat" | "rules" | "settings" | "menu") => void) | undefined;
  onHome: () => void;
  unread: number;
}

export function TopBar({ onPanel, onHome, unread }: TopBarProps) {
  const { game, view, reader } = useTable();
  return (
    <header className="top-bar">
      <button type="button" className="icon-button" aria-label={text.end.home} onClick={onHome}>
        <Icon name="home" />
      </button>
      <div className="top-words">
        <h1>{game.name}</h1>
        {view.status.length > 0 && (
          <p className="top-status">
            {view.status.map((line, i) => (
              <span key={String(i)}>{lineText(line, reader)}</span>
            ))}
          </p>
        )}
      </div>
      {onPanel && (
        <nav className="top-actions">
          <button
            type="button"
            className="icon-button wide-only"
            aria-label={text.panel.rules}
            onClick={() => onPanel("rules")}
          >
            <Icon name="book" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={unread ? `${text.panel.open}, ${text.panel.unread(unread)}` : text.panel.open}
            onClick={() => onPanel("chat")}
          >
            <Icon name="chat" />
            {unread > 0 && <span className="unread">{unread > 9 ? "9+" : unread}</span>}
          </button>
          <button
            type="button"
            className="icon-button wide-only"
            aria-label={text.settings.title}
            onClick={() => onPanel("settings")}
          >
            <Icon name="sliders" />
          </button>
          <button type="button" className="icon-button" aria-label={text.panel.menu} onClick={() => onPanel("menu")}>
            <Icon name="people" />
          </button>
        </nav>
      )}
    </header>
  );
}
