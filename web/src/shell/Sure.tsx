/** Asks once more before something that can't be taken back. */
import { text } from "../text/catalogue";

export function Sure({ question, onYes, onNo }: { question: string; onYes: () => void; onNo: () => void }) {
  return (
    <div className="sure" role="alertdialog" aria-label={question}>
      <p>{question}</p>
      <button type="button" className="button danger" onClick={onYes}>
        {text.table.yes}
      </button>
      <button type="button" className="button" onClick={onNo}>
        {text.panel.cancel}
      </button>
    </div>
  );
}
