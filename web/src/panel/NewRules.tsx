/** The file of the game has changed: everyone is told, and the lead may begin again by the new rules. */
import { useState } from "react";
import type { Action, TableInfo, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Problems } from "../shell/Problems";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import "./panel.css";

interface NewRulesProps {
  info: TableInfo;
  you: You;
  send: (action: Action) => Promise<void>;
}

/** A line at the top of lobby or table, until it is dismissed. The menu keeps the lead's button. */
export function NewRulesNotice(props: NewRulesProps) {
  const { newRules, problems = [] } = props.info;
  // Whatever is new is shown again.
  const news = JSON.stringify([newRules, problems]);
  const [dismissed, setDismissed] = useState("");
  if ((!newRules && problems.length === 0) || dismissed === news) return null;
  return (
    <div className="new-rules-notice" role="status">
      <NewRules {...props} />
      {problems.length > 0 && (
        <div className="new-rules">
          <p>{problems.some(({ warning }) => !warning) ? text.workshop.atTable : text.workshop.warnings}</p>
          <Problems problems={problems} />
        </div>
      )}
      <button type="button" className="button small" onClick={() => setDismissed(news)}>
        {text.newRules.later}
      </button>
    </div>
  );
}

export function NewRules({ info, you, send }: NewRulesProps) {
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState("");
  if (!info.newRules) return null;
  const isLead = info.lead === you.id;
  const lead = isolateName(info.players.find(({ id }) => id === info.lead)?.name ?? text.panel.lead);
  const restart = () => {
    setAsking(false);
    setRefused("");
    send({ type: "restartGame" }).catch((error: { text?: string }) =>
      setRefused(error.text ?? text.errors.offline ?? ""),
    );
  };
  const counts = info.status === "playing" || info.status === "paused";
  return (
    <div className="new-rules">
      <p>
        {text.newRules.there} {!isLead && text.newRules.byLead(lead)}
      </p>
      {refused && (
        <p className="chat-refused" role="alert">
          {refused}
        </p>
      )}
      {asking ? (
        <ConfirmDialog question={text.newRules.sure} onYes={restart} onNo={() => setAsking(false)} />
      ) : (
        isLead && (
          <button type="button" className="button small primary" onClick={() => (counts ? setAsking(true) : restart())}>
            {text.newRules.restart}
          </button>
        )
      )}
    </div>
  );
}
