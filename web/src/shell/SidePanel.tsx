/** A panel at the side, or over the whole screen of a phone. Escape closes it. It takes the focus and gives it back. */
import { type ReactNode, useEffect, useRef } from "react";
import { text } from "../text/catalogue";
import { Icon } from "./Icon";
import "./side-panel.css";

interface SidePanelProps {
  title: string;
  onClose: () => void;
  /** The panel has text and no controls, so its body takes the focus: then keys can scroll it. */
  scrollable?: boolean;
  children: ReactNode;
}

export function SidePanel({ title, onClose, scrollable = false, children }: SidePanelProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <aside
      ref={ref}
      className="side-panel"
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="side-panel-head">
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label={text.panel.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="side-panel-body" {...(scrollable ? { role: "group", "aria-label": title, tabIndex: 0 } : {})}>
        {children}
      </div>
    </aside>
  );
}
