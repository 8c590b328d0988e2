/** The people at the table and what may be done about them: away, pause, kick, vote, leave, abandon. */
import { useState } from "react";
import type { Action, PlayerInfo, TableInfo, You } from "../protocol/types";
import { Sheet, Switch } from "../shell/Sheet";
import { Token } from "../table/Seat";
import { text } from "../text/catalogue";

interface MenuPanelProps {
  info: TableInfo;
  you: You;
  send: (action: Action) => Promise<void>;
  onPanel: (panel: "rules" | "settings") => void;
  onClose: () => void;
}

export function MenuPanel({ info, you, send, onPanel, onClose }: MenuPanelProps) {
  const [sure, setSure] = useState<{ question: string; action: Action } | null>(null);
  const act = (action: Action) => void send(action).catch(() => undefined);
  const me = info.players.find((player) => player.id === you.id);
  const isLead = info.lead === you.id;
  const isHost = info.host === you.id;
  const running = info.status === "playing" || info.status === "paused";
  return (
    <Sheet title={text.panel.people} onClose={onClose}>
      <ul className="people">
        {info.players
          .filter((player) => player.presence !== "left")
          .map((player) => (
            <Person key={player.id} player={player} info={info} you={you} isLead={isLead} act={act} />
          ))}
      </ul>
      {info.spectators.length > 0 && <p className="watchers">{text.panel.watchers(info.spectators.length)}</p>}
      {me && (
        <Switch
          label={text.panel.away}
          value={me.presence === "away"}
          onChange={(away) => act({ type: "away", away })}
        />
      )}
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
        <div className="sure" role="alertdialog" aria-label={sure.question}>
          <p>{sure.question}</p>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              act(sure.action);
              setSure(null);
            }}
          >
            {text.table.yes}
          </button>
          <button type="button" className="button" onClick={() => setSure(null)}>
            {text.panel.cancel}
          </button>
        </div>
      )}
    </Sheet>
  );
}

function Person(props: {
  player: PlayerInfo;
  info: TableInfo;
  you: You;
  isLead: boolean;
  act: (action: Action) => void;
}) {
  const { player, info, you, isLead, act } = props;
  const vote = info.votes.find((v) => v.playerId === player.id);
  const voted = vote?.by.includes(you.id) ?? false;
  const absent = player.presence === "disconnected" || player.presence === "away";
  return (
    <li>
      <Token name={player.name} player={player} person={!player.bot} present={player.presence === "active"} />
      <span className="person-name">
        {player.name}
        <small>
          {[
            player.bot && `${text.table.bot}, ${text.lobby.levels[player.bot]}`,
            info.host === player.id && text.panel.host,
            info.lead === player.id && text.panel.lead,
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </span>
      {isLead && player.id !== you.id && (
        <button
          type="button"
          className="button small danger"
          aria-label={text.panel.kick(player.name)}
          onClick={() =>
            act(player.bot ? { type: "removeBot", playerId: player.id } : { type: "kickPlayer", playerId: player.id })
          }
        >
          ×
        </button>
      )}
      {!isLead && !player.bot && absent && you.seat !== undefined && (
        <button
          type="button"
          className="button small"
          aria-pressed={voted}
          onClick={() => act({ type: "voteRemove", playerId: player.id, remove: !voted })}
        >
          {text.panel.vote(player.name)} {vote ? `${vote.by.length}/${vote.needed}` : ""}
        </button>
      )}
    </li>
  );
}
