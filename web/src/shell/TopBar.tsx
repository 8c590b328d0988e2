/** The bar over lobby and table: the title, the status, and buttons for all panels. */
import { text } from "../text/catalogue";
import { Icon } from "./Icon";

export type Panel = "chat" | "rules" | "settings" | "menu";

interface TopBarProps {
  title: string;
  /** The status, below or beside the title. */
  status: React.ReactNode;
  onHome: () => void;
  onPanel: ((panel: Panel) => void) | undefined;
  unread: number;
  /** On a phone only the buttons that are needed while playing; the others are in the menu. */
  brief?: boolean;
}

export function TopBar({ title, status, onHome, onPanel, unread, brief = false }: TopBarProps) {
  const aside = `icon-button ${brief ? "wide-only" : ""}`;
  return (
    <header className="top-bar">
      <button type="button" className="icon-button" aria-label={text.end.home} onClick={onHome}>
        <Icon name="home" />
      </button>
      <div className="top-words">
        <h1>{title}</h1>
        {status && <p className="top-status">{status}</p>}
      </div>
      {onPanel && (
        <nav className="top-actions">
          <button type="button" className={aside} aria-label={text.panel.rules} onClick={() => onPanel("rules")}>
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
          <button type="button" className={aside} aria-label={text.settings.title} onClick={() => onPanel("settings")}>
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
