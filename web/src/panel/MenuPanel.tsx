/** The people at the table and what may be done about them: away, pause, kick, vote, leave, abandon. */
import { useState } from "react";
import type { Action, AskerInfo, TableInfo, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { SidePanel, Switch } from "../shell/SidePanel";
import type { Snapshot } from "../state/store";
import { text } from "../text/catalogue";
import { Askers } from "./Askers";
import { Door } from "./Door";
import { NewRules } from "./NewRules";
import { PlayerEntry } from "./PlayerEntry";
import { SeatTransfer } from "./SeatTransfer";
import { Spectators } from "./Spectators";

interface MenuPanelProps {
  info: TableInfo;
  you: You;
  /** Who asks to be let in; empty for all but the lead. */
  askers: AskerInfo[];
  seatCode: Snapshot["seatCode"];
  send: (action: Action) => Promise<void>;
  onPanel: (panel: "rules" | "settings") => void;
  onClose: () => void;
}

export function MenuPanel({ info, you, askers, seatCode, send, onPanel, onClose }: MenuPanelProps) {
  const [sure, setSure] = useState<{ question: string; action: Action } | null>(null);
  const [refused, setRefused] = useState("");
  const act = (action: Action) => {
    setRefused("");
    send(action).catch((error: { text?: string }) => setRefused(error.text ?? text.errors.offline ?? ""));
  };
  const me = info.players.find((player) => player.id === you.id);
  const isLead = info.lead === you.id;
  const isHost = info.host === you.id;
  const running = info.status === "playing" || info.status === "paused";
  return (
    <SidePanel title={text.panel.people} onClose={onClose}>
      {askers.length > 0 && <Askers askers={askers} send={send} />}
      <ul className="people">
        {info.players
          .filter((player) => player.presence !== "left")
          .map((player) => (
            <PlayerEntry key={player.id} player={player} info={info} you={you} isLead={isLead} act={act} send={send} />
          ))}
      </ul>
      <Spectators info={info} you={you} isLead={isLead} act={act} />
      {refused && (
        <p className="chat-refused" role="alert">
          {refused}
        </p>
      )}
      <NewRules info={info} you={you} send={send} />
      {me && (
        <Switch
          label={text.panel.away}
          value={me.presence === "away"}
          onChange={(away) => act({ type: "away", away })}
        />
      )}
      <Door info={info} isLead={isLead} act={act} />
      {running && <SeatTransfer you={you} seated={me !== undefined} seatCode={seatCode} act={act} />}
      <div className="menu-actions">
        <button type="button" className="button" onClick={() => onPanel("rules")}>
          {text.panel.rules}
        </button>
        <button type="button" className="button" onClick={() => onPanel("settings")}>
          {text.settings.title}
        </button>
        {isLead && info.status === "playing" && (
          <button type="button" className="button" onClick={() => act({ type: "pauseGame" })}>
            {text.panel.pause}
          </button>
        )}
        {isLead && info.status === "paused" && (
          <button type="button" className="button" onClick={() => act({ type: "resumeGame" })}>
            {text.panel.resume}
          </button>
        )}
        {isLead && running && (
          <button
            type="button"
            className="button danger"
            onClick={() => setSure({ question: text.panel.endSure, action: { type: "endGame" } })}
          >
            {text.panel.end}
          </button>
        )}
        {me && (
          <button
            type="button"
            className="button danger"
            onClick={() => setSure({ question: text.panel.leaveSure, action: { type: "leave" } })}
          >
            {text.panel.leave}
          </button>
        )}
        {isHost && info.status !== "ended" && (
          <button
            type="button"
            className="button danger"
            onClick={() => setSure({ question: text.panel.abandonSure, action: { type: "abandonGame" } })}
          >
            {text.panel.abandon}
          </button>
        )}
      </div>
      {sure && (
        <ConfirmDialog
          question={sure.question}
          onYes={() => {
            act(sure.action);
            setSure(null);
          }}
          onNo={() => setSure(null)}
        />
      )}
    </SidePanel>
  );
}
