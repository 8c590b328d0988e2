/** Asks once more before something that can't be taken back. */
import { useEffect, useRef } from "react";
import { text } from "../text/catalogue";

interface ConfirmDialogProps {
  question: string;
  /** What the button says that does it. */
  yes?: string;
  onYes: () => void;
  onNo: () => void;
}

export function ConfirmDialog({ question, yes = text.table.yes, onYes, onNo }: ConfirmDialogProps) {
  const ref = useRef<HTMLDivElement>(null);
  // It may open below what can be seen.
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
