/** Tells that the rules file of this game has changed. The lead can restart the game with the new rules. */
import { useState } from "react";
import type { TableInfo, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Problems } from "../shell/Problems";
import { RefusalNote, type Send, useAction } from "../shell/useAction";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import "./panel.css";

interface NewRulesProps {
  info: TableInfo;
  you: You;
  send: Send;
}

/** A notice over lobby or table, until it is dismissed. The menu keeps the lead's button. */
export function NewRulesNotice(props: NewRulesProps) {
  const { newRules, problems = [] } = props.info;
  // A dismissed notice comes back when something changes.
  const current = JSON.stringify([newRules, problems]);
  const [dismissed, setDismissed] = useState("");
  if ((!newRules && problems.length === 0) || dismissed === current) return null;
  return (
    <div className="new-rules-notice" role="status">
      <NewRules {...props} />
      {problems.length > 0 && (
        <div className="new-rules">
          <p>{problems.some(({ warning }) => !warning) ? text.newRules.mistakes : text.newRules.warnings}</p>
          <Problems problems={problems} />
        </div>
      )}
      <button type="button" className="button small" onClick={() => setDismissed(current)}>
        {text.newRules.later}
      </button>
    </div>
  );
}

export function NewRules({ info, you, send }: NewRulesProps) {
  const [confirming, setConfirming] = useState(false);
  const [act, refused] = useAction(send);
  if (!info.newRules) return null;
  const isLead = info.lead === you.id;
  const lead = isolateName(info.players.find(({ id }) => id === info.lead)?.name ?? text.panel.lead);
  const restart = () => {
    setConfirming(false);
    act({ type: "restartGame" });
  };
  const needsConfirmation = info.status === "playing" || info.status === "paused";
  return (
    <div className="new-rules">
      <p>
        {text.newRules.there} {!isLead && text.newRules.byLead(lead)}
      </p>
      <RefusalNote refused={refused} />
      {confirming ? (
        <ConfirmDialog question={text.newRules.sure} onYes={restart} onNo={() => setConfirming(false)} />
      ) : (
        isLead && (
          <button
            type="button"
            className="button small primary"
            onClick={() => (needsConfirmation ? setConfirming(true) : restart())}
          >
            {text.newRules.restart}
          </button>
        )
      )}
    </div>
  );
}
