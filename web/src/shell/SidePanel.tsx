/** A panel at the side, or over the whole of a phone. Escape closes it; the focus goes in and comes back. */
import { type ReactNode, useEffect, useRef } from "react";
import { text } from "../text/catalogue";
import { Icon } from "./Icon";
import "./side-panel.css";

interface SidePanelProps {
  title: string;
  onClose: () => void;
  /** There is nothing in it to use, only to read: it takes the focus itself, so that keys can scroll it. */
  reading?: boolean;
  children: ReactNode;
}

export function SidePanel({ title, onClose, reading = false, children }: SidePanelProps) {
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
      <div className="side-panel-body" {...(reading ? { role: "group", "aria-label": title, tabIndex: 0 } : {})}>
        {children}
      </div>
    </aside>
  );
}

/** One of a few values, as buttons. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  options: [T, string][];
  onChange: (value: T) => void;
  disabled?: boolean;
}) {
  const { label, value, options, onChange, disabled } = props;
  return (
    <fieldset className="segmented" disabled={disabled}>
      <legend>{label}</legend>
      <div>
        {options.map(([id, title]) => (
          <label key={id} className={id === value ? "is-on" : ""}>
            <input type="radio" name={label} checked={id === value} onChange={() => onChange(id)} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch({
  label,
  value,
  onChange,
  disabled,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label className="switch">
      <input type="checkbox" checked={value} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span className="switch-track" aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}
