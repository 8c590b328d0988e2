/** Keyboard control of the table: arrows move the focus, digits pick a target, Escape clears the selection. */
import { useEffect } from "react";

interface Keys {
  root: React.RefObject<HTMLElement | null>;
  onClear: () => void;
}

export function useTableKeys({ root, onClear }: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const within = root.current;
      if (!within || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, textarea, select, [role=dialog]")) return;
      const targets = [...within.querySelectorAll<HTMLElement>("[data-target]")];
      const buttons = [...within.querySelectorAll<HTMLElement>(".decision-controls button:not(:disabled)")];
      if (event.key === "Escape") return onClear();
      if (/^[0-9]$/.test(event.key)) {
        const nth = (Number(event.key) + 9) % 10;
        const picked = (targets.length > 0 ? targets : buttons)[nth];
        if (!picked) return;
        event.preventDefault();
        picked.focus();
        // A digit acts like a finger: it selects the target, and the same digit again plays it.
        if (targets.length > 0) picked.dispatchEvent(new CustomEvent("baize-pick", { bubbles: true }));
        else picked.click();
        return;
      }
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const all = [...targets, ...buttons];
      if (step && all.length > 0) {
        event.preventDefault();
        const at = all.indexOf(document.activeElement as HTMLElement);
        const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length;
        all[next]?.focus();
      } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const toButtons = event.key === "ArrowUp" ? targets.includes(document.activeElement as HTMLElement) : false;
        const goal = toButtons ? buttons[0] : (targets[0] ?? buttons[0]);
        if (goal) {
          event.preventDefault();
          goal.focus();
        }
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [root, onClear]);
}
