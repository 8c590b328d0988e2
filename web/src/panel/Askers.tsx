/** People who ask the lead to be let in: in the table's menu, and in a notice over the table. */
import { useState } from "react";
import type { AskerInfo } from "../protocol/types";
import { RefusalNote, type Send, useAction } from "../shell/useAction";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import "./panel.css";

interface AskersProps {
  askers: AskerInfo[];
  send: Send;
}

export function Askers({ askers, send }: AskersProps) {
  const [act, refused] = useAction(send);
  const answer = (askerId: string, admit: boolean) => act({ type: "answerAsker", askerId, admit });
  return (
    <>
      <ul className="askers" aria-label={text.door.askers}>
        {askers.map(({ id, name, watch }) => (
          <li key={id}>
            <span className="asker-words">
              <bdi>{name}</bdi> {watch ? text.door.wantsToWatch : text.door.wantsToJoin}
            </span>
            <button
              type="button"
              className="button small primary"
              aria-label={text.door.letInWhom(isolateName(name))}
              onClick={() => answer(id, true)}
            >
              {text.door.letIn}
            </button>
            <button
              type="button"
              className="button small"
              aria-label={text.door.declineWhom(isolateName(name))}
              onClick={() => answer(id, false)}
            >
              {text.door.decline}
            </button>
          </li>
        ))}
      </ul>
      <RefusalNote refused={refused} />
    </>
  );
}

/** How many the notice shows; the others are in the menu. */
const MAX_SHOWN = 2;

export function AskersNotice({ askers, send, onMenu }: AskersProps & { onMenu: () => void }) {
  const [dismissed, setDismissed] = useState<string[]>([]);
  // Somebody who asks later brings a dismissed notice back.
  if (askers.every(({ id }) => dismissed.includes(id))) return null;
  const hiddenCount = askers.length - MAX_SHOWN;
  return (
    <section className="askers-notice" aria-label={text.door.askers}>
      {/* A screen reader reads this once when somebody asks, without the buttons. */}
      <p className="visually-hidden" role="status">
        {text.door.asking(askers.map(({ name }) => isolateName(name)).join(", "))}
      </p>
      <Askers askers={askers.slice(0, MAX_SHOWN)} send={send} />
      <div className="askers-actions">
        {hiddenCount > 0 && (
          <button type="button" className="button small" onClick={onMenu}>
            {text.door.more(hiddenCount)}
          </button>
        )}
        <button type="button" className="button small" onClick={() => setDismissed(askers.map(({ id }) => id))}>
          {text.door.later}
        </button>
      </div>
    </section>
  );
}
