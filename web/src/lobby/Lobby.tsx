/** The lobby: who sits where, the link to share, bots, options, and the start. */
import { lazy, Suspense, useRef, useState } from "react";
import type { Action, BotLevel, Definition, PlayerInfo, Refused, TableInfo, You } from "../protocol/types";
import { Icon } from "../shell/Icon";
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
import { OptionsForm } from "./OptionsForm";
import { Packs } from "./Packs";
import "./lobby.css";

const QrCode = lazy(() => import("./QrCode"));

export interface LobbyProps {
  info: TableInfo;
  game: Definition;
  you: You;
  send: (action: Action) => Promise<void>;
  onHome: () => void;
  onPanel: (panel: Panel) => void;
  unread?: number;
}

const LEVELS: BotLevel[] = ["easy", "medium", "difficult"];

export function Lobby({ info, game, you, send, onHome, onPanel, unread = 0 }: LobbyProps) {
  const [refused, setRefused] = useState("");
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
        <Invite code={info.code} about={game.description} />
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
        <p className="lobby-note" role="status">
          {refused || startNote(info, missing, isLead, lead)} {game.policies.startWhenFull && text.lobby.startsWhenFull}
        </p>
        {(game.options.length > 0 || fromPacks) && (
          <details className="lobby-options" open={!isLead || innerWidth >= 900}>
            <summary>{text.lobby.options}</summary>
            {!isLead && <p className="secondary">{text.lobby.optionsLocked(lead)}</p>}
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
          </details>
        )}
      </section>
    </main>
  );
}

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

function Invite({ code, about }: { code: string; about: string }) {
  const [copied, setCopied] = useState(false);
  const [showsLink, setShowsLink] = useState(false);
  const [qr, setQr] = useState(false);
  const link = `${location.origin}/t/${code}`;
  const copy = async () => {
    // Without https there is no clipboard; then the link is shown, so that people can copy it by hand.
    const done = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    if (!done) return setShowsLink(true);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="invite">
      <p className="invite-about">{about}</p>
      <span className="invite-label">{text.lobby.code}</span>
      <strong className="invite-code">{code}</strong>
      {showsLink && (
        <input
          className="field"
          readOnly
          value={link}
          aria-label={text.lobby.link}
          onFocus={(event) => event.target.select()}
        />
      )}
      {qr && (
        <Suspense fallback={null}>
          <QrCode value={link} label={text.lobby.qrAlt} />
        </Suspense>
      )}
      <div className="invite-actions">
        <button type="button" className="button small" onClick={() => void copy()}>
          <Icon name="copy" /> {copied ? text.lobby.copied : text.lobby.copy}
        </button>
        {"share" in navigator && (
          <button
            type="button"
            className="button small"
            onClick={() => void navigator.share({ url: link, title: text.brand }).catch(() => undefined)}
          >
            <Icon name="share" /> {text.lobby.share}
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-label={qr ? text.lobby.qrHide : text.lobby.qr}
          aria-expanded={qr}
          onClick={() => setQr(!qr)}
        >
          <Icon name="qr" />
        </button>
      </div>
    </div>
  );
}
