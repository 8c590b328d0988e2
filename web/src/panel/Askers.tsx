/** People who ask the lead to be let in: in the table's menu, and at the top of the table as long as somebody waits. */
import { useState } from "react";
import type { Action, AskerInfo } from "../protocol/types";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import "./panel.css";

interface AskersProps {
  askers: AskerInfo[];
  send: (action: Action) => Promise<void>;
}

export function Askers({ askers, send }: AskersProps) {
  const [refused, setRefused] = useState("");
  const answer = (askerId: string, admit: boolean) => {
    setRefused("");
    send({ type: "answerAsker", askerId, admit }).catch((error: { text?: string }) =>
      setRefused(error.text ?? text.errors.offline ?? ""),
    );
  };
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
      {refused && (
        <p className="chat-refused" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}

/** Requests shown at once at the top; the others are in the menu. */
const SHOWN = 2;

export function AskersNotice({ askers, send, onMenu }: AskersProps & { onMenu: () => void }) {
  const [put, setPut] = useState<string[]>([]);
  // Whoever asks after the notice was put away brings it back.
  if (askers.every(({ id }) => put.includes(id))) return null;
  const more = askers.length - SHOWN;
  return (
    <section className="askers-notice" aria-label={text.door.askers}>
      {/* Read out when somebody asks, and not again for the buttons. */}
      <p className="visually-hidden" role="status">
        {text.door.asking(askers.map(({ name }) => isolateName(name)).join(", "))}
      </p>
      <Askers askers={askers.slice(0, SHOWN)} send={send} />
      <div className="askers-actions">
        {more > 0 && (
          <button type="button" className="button small" onClick={onMenu}>
            {text.door.more(more)}
          </button>
        )}
        <button type="button" className="button small" onClick={() => setPut(askers.map(({ id }) => id))}>
          {text.door.later}
        </button>
      </div>
    </section>
  );
}
