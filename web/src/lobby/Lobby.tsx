/** The lobby: who sits where, the link to share, bots, options, and the start. */
import { lazy, Suspense, useRef, useState } from "react";
import { needsExplanation, rememberExplained } from "../home/choices";
import type { Action, BotLevel, Definition, PlayerInfo, Refused, TableInfo, You } from "../protocol/types";
import { type Panel, TopBar } from "../shell/TopBar";
import { placeSeats } from "../table/geometry";
import { Avatar } from "../table/Seat";
import {
  isNarrow,
  lobbyExtraWidthPx,
  lobbyInsetPx,
  lobbyMarginPhonePx,
  lobbyOwnSeatBottom,
  lobbySeatHeight,
  lobbySeats,
  lobbySeatsAcrossPhone,
  lobbySeatWidth,
} from "../table/sizes";
import { useSize, useViewport } from "../table/useSize";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { lineText } from "../text/line";
import { AgainButton, AgainNote } from "./AgainNote";
import { InviteLink } from "./InviteLink";
import "./lobby.css";

export interface LobbyProps {
  info: TableInfo;
  game: Definition;
  you: You;
  send: (action: Action) => Promise<void>;
  onHome: () => void;
  onPanel: (panel: Panel) => void;
  unread?: number;
}

// People and seats come first; what is folded away on a phone is loaded after them.
const WatchedHowTo = lazy(() => import("../home/WatchedHowTo"));
const OptionsForm = lazy(async () => ({ default: (await import("./OptionsForm")).OptionsForm }));
const Packs = lazy(async () => ({ default: (await import("./Packs")).Packs }));
const LEVELS: BotLevel[] = ["easy", "medium", "difficult"];

export function Lobby({ info, game, you, send, onHome, onPanel, unread = 0 }: LobbyProps) {
  const [refused, setRefused] = useState("");
  // The game is explained before the first game, and can be folded away.
  const [explains] = useState(() => needsExplanation(game));
  const act = (action: Action) => {
    setRefused("");
    send(action).catch((error: Partial<Refused>) =>
      setRefused(lineText(error.line, { nameOf, faces: [] }) || (error.text ?? text.errors.offline ?? "")),
    );
  };
  const present = info.players.filter((player) => player.presence !== "left");
  // The rules name seats. Connected players get the seats in this order.
  const nameOf = (seat: number) =>
    isolateName(present.filter((player) => player.presence !== "disconnected")[seat]?.name ?? "");
  const isLead = info.lead === you.id;
  const lead = isolateName(info.players.find((player) => player.id === info.lead)?.name ?? text.panel.lead);
  const missing = Math.max(0, game.minPlayers - present.length);
  const full = present.length >= game.maxPlayers;
  const fromPacks = Object.values(game.decks).some((deck) => deck.fromPacks);
  return (
    <main className="lobby" data-cloth={game.theme.cloth ?? "green"}>
      <TopBar title={game.name} status={text.lobby.title} onHome={onHome} onPanel={onPanel} unread={unread} />
      <LobbyRing players={present} you={you} seats={game.maxPlayers} isLead={isLead} act={act}>
        <div className="invite">
          <p className="invite-about">{game.description}</p>
          <InviteLink code={info.code} />
        </div>
      </LobbyRing>
      <section className="lobby-side">
        {isLead && (
          <>
            <div className="lobby-bots" role="group" aria-label={text.lobby.addBot}>
              <span>{text.lobby.addBot}</span>
              {LEVELS.map((level) => (
                <button
                  key={level}
                  type="button"
                  className="button small"
                  disabled={full}
                  onClick={() => act({ type: "addBot", level })}
                >
                  {text.lobby.levels[level]}
                </button>
              ))}
            </div>
            <button
              type="button"
              className="button primary lobby-start"
              disabled={info.cannotStart !== undefined || missing > 0 || info.starting}
              onClick={() => act({ type: "startGame" })}
            >
              {text.lobby.start}
            </button>
          </>
        )}
        {isRematch(info) && <AgainButton info={info} you={you} act={act} />}
        <AgainNote info={info} />
        <p className="lobby-note" role="status">
          {refused || startNote(info, missing, isLead, lead)} {game.policies.startWhenFull && text.lobby.startsWhenFull}
        </p>
        {(game.howToPlay?.length ?? 0) > 0 && (
          <details
            className="lobby-options"
            open={explains}
            onToggle={({ currentTarget }) => !currentTarget.open && rememberExplained(game)}
          >
            <summary>{text.howTo.title(game.name)}</summary>
            <Suspense fallback={null}>
              <WatchedHowTo game={game} />
            </Suspense>
          </details>
        )}
        {(game.options.length > 0 || fromPacks) && (
          <details className="lobby-options" open={!isLead || innerWidth >= 900}>
            <summary>{text.lobby.options}</summary>
            {!isLead && <p className="secondary">{text.lobby.optionsLocked(lead)}</p>}
            <Suspense fallback={null}>
              <OptionsForm
                game={game}
                settings={info.settings}
                onChange={isLead ? (settings) => act({ type: "configure", settings }) : null}
              />
              {fromPacks && (
                <Packs
                  chosen={info.settings.packIds}
                  onChange={
                    isLead ? (packIds) => act({ type: "configure", settings: { ...info.settings, packIds } }) : null
                  }
                />
              )}
            </Suspense>
          </details>
        )}
      </section>
    </main>
  );
}

/** Whether people at this table have played a game already: the first game of a table has the number 1. */
const isRematch = ({ game }: TableInfo): boolean => !game.endsWith("-1");

/** Tells what is missing before the game can start. */
function startNote(info: TableInfo, missing: number, isLead: boolean, lead: string): string {
  if (missing > 0) return text.lobby.need(missing);
  if (info.cannotStart) return text.errors[info.cannotStart] ?? text.lobby.notYet;
  return isLead ? "" : text.lobby.waitLead(lead);
}

interface RingProps {
  players: PlayerInfo[];
  you: You;
  seats: number;
  isLead: boolean;
  act: (action: Action) => void;
  children: React.ReactNode;
}

function LobbyRing({ players, you, seats, isLead, act, children }: RingProps) {
  const ref = useRef<HTMLDivElement>(null);
  const area = useSize(ref);
  const viewport = useViewport();
  const { rem } = viewport;
  const me = players.findIndex((player) => player.id === you.id);
  const order = me < 0 ? players : [...players.slice(me), ...players.slice(0, me)];
  const narrow = isNarrow(viewport);
  const shownSeats = Math.min(
    seats,
    Math.max(players.length + 1, lobbySeats.min),
    narrow ? lobbySeats.maxPhone : lobbySeats.maxWide,
  );
  const widest = narrow ? (area.width - lobbyMarginPhonePx) / lobbySeatsAcrossPhone : Number.POSITIVE_INFINITY;
  const seat = { width: Math.min(lobbySeatWidth(narrow) * rem, widest), height: lobbySeatHeight * rem };
  const others = Math.max(shownSeats, players.length) - 1;
  // On a phone the invitation needs the middle, so the others sit together at the far side.
  const places = placeSeats(
    others,
    { width: area.width - 2 * lobbyInsetPx, height: area.height - 2 * lobbyInsetPx },
    seat,
    narrow,
  );
  const strip = players.length > lobbySeats.maxPhone && narrow;
  const at = (i: number) =>
    i === 0
      ? { left: area.width / 2, top: area.height - lobbyOwnSeatBottom * rem }
      : { left: (places[i - 1]?.x ?? 0) + lobbyInsetPx, top: (places[i - 1]?.y ?? 0) + lobbyInsetPx };
  return (
    <div
      ref={ref}
      className={`lobby-ring ${strip ? "as-strip" : ""}`}
      style={{ "--seat-w": `${seat.width + lobbyExtraWidthPx(narrow)}px` } as React.CSSProperties}
    >
      <div className="lobby-middle">{children}</div>
      {area.width > 0 &&
        Array.from({ length: Math.max(shownSeats, players.length) }, (_, i) => {
          const player = order[i];
          const style = strip ? undefined : at(i);
          if (!player) {
            return strip ? null : (
              <span key={`free${String(i)}`} className="lobby-seat is-free" style={style}>
                {text.lobby.seatFree}
              </span>
            );
          }
          return (
            <span key={player.id} className="lobby-seat" style={style}>
              <Avatar name={player.name} player={player} person={!player.bot} present={player.presence === "active"} />
              <span className="person-name">
                <span>
                  <bdi>{player.name}</bdi>
                  {player.id === you.id && ` (${text.table.you})`}
                </span>
                {player.bot && <small>{text.lobby.levels[player.bot]}</small>}
              </span>
              {isLead && player.bot && (
                <button
                  type="button"
                  className="lobby-remove"
                  aria-label={text.lobby.remove(isolateName(player.name))}
                  onClick={() => act({ type: "removeBot", playerId: player.id })}
                >
                  ×
                </button>
              )}
            </span>
          );
        })}
    </div>
  );
}
