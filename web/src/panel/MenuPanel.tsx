/** The table's menu: the people at the table, and the actions about them and about the game. */
import { useId, useState } from "react";
import { InviteLink } from "../lobby/InviteLink";
import type { Action, AskerInfo, CardFace, TableInfo, View, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Switch } from "../shell/Fields";
import { SidePanel } from "../shell/SidePanel";
import { RefusalNote, type Send, useAction } from "../shell/useAction";
import type { ClientState } from "../state/store";
import { text } from "../text/catalogue";
import { Askers } from "./Askers";
import { Door } from "./Door";
import { NewRules } from "./NewRules";
import { PlayerEntry } from "./PlayerEntry";
import { Removed } from "./Removed";
import { SeatTransfer } from "./SeatTransfer";
import { Spectators } from "./Spectators";
import { UploadedPacks } from "./UploadedPacks";
import { WrittenWords } from "./WrittenWords";

interface MenuPanelProps {
  info: TableInfo;
  you: You;
  /** People who ask to be let in; empty for everybody but the lead. */
  askers: AskerInfo[];
  seatCode: ClientState["seatCode"];
  removed: ClientState["removed"];
  /** Null in the lobby. */
  view: View | null;
  faces: readonly CardFace[];
  send: Send;
  onPanel: (panel: "rules" | "settings") => void;
  onClose: () => void;
}

export function MenuPanel(props: MenuPanelProps) {
  const { info, you, askers, seatCode, removed, view, faces, send, onPanel, onClose } = props;
  const [confirming, setConfirming] = useState<{ question: string; action: Action } | null>(null);
  const [act, refused] = useAction(send);
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
      {isLead && removed.length > 0 && <Removed removed={removed} send={send} />}
      {/* Right below the people, so that a pause is in reach however many they are. */}
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
      </div>
      <Spectators info={info} you={you} isLead={isLead} act={act} />
      {info.status !== "lobby" && info.status !== "ended" && <InviteLink code={info.code} />}
      {info.uploadedPacks && <UploadedPacks ids={info.settings.packIds} send={send} />}
      {view && <WrittenWords view={view} info={info} faces={faces} send={send} />}
      <RefusalNote refused={refused} />
      <NewRules info={info} you={you} send={send} />
      {me && (
        <Switch
          label={text.panel.away}
          value={me.presence === "away"}
          onChange={(away) => act({ type: "away", away })}
        />
      )}
      <Door info={info} isLead={isLead} act={act} />
      {running && <SeatTransfer seated={me !== undefined} seatCode={seatCode} act={act} />}
      <div className="menu-actions">
        {isLead && running && (
          <EndingAction
            label={text.panel.end}
            how={text.panel.endHow}
            onPress={() => setConfirming({ question: text.panel.endSure, action: { type: "endGame" } })}
          />
        )}
        {me && (
          <EndingAction
            label={text.panel.leave}
            how={text.panel.leaveHow}
            onPress={() => setConfirming({ question: text.panel.leaveSure, action: { type: "leave" } })}
          />
        )}
        {isHost && info.status !== "ended" && (
          <EndingAction
            label={text.panel.abandon}
            how={text.panel.abandonHow}
            onPress={() => setConfirming({ question: text.panel.abandonSure, action: { type: "abandonGame" } })}
          />
        )}
      </div>
      {confirming && (
        <ConfirmDialog
          question={confirming.question}
          onYes={() => {
            act(confirming.action);
            setConfirming(null);
          }}
          onNo={() => setConfirming(null)}
        />
      )}
    </SidePanel>
  );
}

/** A button that ends something, with what it ends. */
function EndingAction({ label, how, onPress }: { label: string; how: string; onPress: () => void }) {
  const id = useId();
  return (
    <div className="ending-action">
      <button type="button" className="button danger" aria-describedby={id} onClick={onPress}>
        {label}
      </button>
      <small id={id}>{how}</small>
    </div>
  );
}
