/** Asks for confirmation before something that can't be undone. */
import { useEffect, useRef } from "react";
import { text } from "../text/catalogue";

interface ConfirmDialogProps {
  question: string;
  /** Label of the button that does it. */
  yes?: string;
  onYes: () => void;
  onNo: () => void;
}

export function ConfirmDialog({ question, yes = text.table.yes, onYes, onNo }: ConfirmDialogProps) {
  const ref = useRef<HTMLDivElement>(null);
  // The dialog may open below the visible part of the page.
  useEffect(() => {
    ref.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={ref} className="sure" role="alertdialog" aria-label={question}>
      <p>{question}</p>
      <button type="button" className="button danger" onClick={onYes}>
        {yes}
      </button>
      <button type="button" className="button" onClick={onNo}>
        {text.panel.cancel}
      </button>
    </div>
  );
}
