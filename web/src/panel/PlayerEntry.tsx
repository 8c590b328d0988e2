/** One player in the table's menu, with the actions that the viewer may take. */
import { useState } from "react";
import type { Action, PlayerInfo, TableInfo, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Avatar } from "../table/Seat";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { reportText } from "../text/reportCatalogue";
import { Report } from "./Report";

interface PlayerEntryProps {
  player: PlayerInfo;
  info: TableInfo;
  you: You;
  isLead: boolean;
  act: (action: Action) => void;
  send: (action: Action) => Promise<void>;
}

export function PlayerEntry({ player, info, you, isLead, act, send }: PlayerEntryProps) {
  const [open, setOpen] = useState(false);
  const [kicking, setKicking] = useState(false);
  const name = isolateName(player.name);
  const vote = info.votes.find((v) => v.playerId === player.id);
  const voted = vote?.by.includes(you.id) ?? false;
  const absent = player.presence === "disconnected" || player.presence === "away";
  const isSelf = player.id === you.id;
  const [reporting, setReporting] = useState(false);
  const more = isLead && !isSelf ? leadActions(player, info) : [];
  const canReport = !isSelf && !player.bot;
  const canDoMore = more.length > 0 || canReport;
  return (
    <li aria-label={name}>
      <Avatar name={player.name} player={player} person={!player.bot} present={player.presence === "active"} />
      <span className="person-name">
        <bdi>{player.name}</bdi>
        <small>
          {[
            isSelf && text.table.you,
            player.bot && `${text.table.bot}, ${text.lobby.levels[player.bot]}`,
            info.host === player.id && text.panel.host,
            info.lead === player.id && text.panel.lead,
            player.presence === "disconnected" && text.table.offline,
            player.presence === "away" && text.table.away,
            player.muted && text.panel.muted,
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </span>
      {canDoMore && (
        <button
          type="button"
          className="button small"
          aria-label={text.panel.more(name)}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          ⋯
        </button>
      )}
      {isLead && !isSelf && (
        <button
          type="button"
          className="button small danger"
          aria-label={text.panel.kick(name)}
          onClick={() => (player.bot ? act({ type: "removeBot", playerId: player.id }) : setKicking(true))}
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
          {text.panel.vote(name)} {vote ? `${vote.by.length}/${vote.needed}` : ""}
        </button>
      )}
      {kicking && (
        <ConfirmDialog
          question={text.panel.kickSure(name)}
          yes={text.panel.kickYes}
          onYes={() => {
            setKicking(false);
            act({ type: "kickPlayer", playerId: player.id });
          }}
          onNo={() => setKicking(false)}
        />
      )}
      {open && canDoMore && (
        <div className="person-more" role="group" aria-label={text.panel.more(name)}>
          {more.map(({ label, action }) => (
            <button key={label} type="button" className="button small" onClick={() => act(action)}>
              {label}
            </button>
          ))}
          {canReport && !reporting && (
            <button type="button" className="button small" onClick={() => setReporting(true)}>
              {reportText.name}
            </button>
          )}
          {canReport && reporting && (
            <Report
              about={{ kind: "name", playerId: player.id }}
              question={reportText.nameSure(name)}
              send={send}
              onDone={() => setReporting(false)}
            />
          )}
        </div>
      )}
    </li>
  );
}

/**
 * Further actions of the lead: pass the lead on, mute the player, give the seat of an absent player or bot to a
 * spectator.
 */
function leadActions(player: PlayerInfo, info: TableInfo): { label: string; action: Action }[] {
  const more: { label: string; action: Action }[] = [];
  const { id, name, presence, bot, muted } = player;
  if (!bot && presence === "active")
    more.push({ label: text.panel.passLead, action: { type: "passLead", playerId: id } });
  if (!bot) {
    more.push({
      label: muted ? text.panel.unmute : text.panel.mute,
      action: { type: "mute", playerId: id, muted: !muted },
    });
  }
  const running = info.status === "playing" || info.status === "paused";
  if (running && (bot || presence !== "active")) {
    for (const { id: to, name: whose } of info.spectators) {
      const label = text.panel.handSeat(isolateName(name), isolateName(whose) || text.panel.somebody);
      more.push({ label, action: { type: "handSeat", playerId: id, to } });
    }
  }
  return more;
}
