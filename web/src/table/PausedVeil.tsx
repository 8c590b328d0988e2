/**
 * Tells why the game is paused, what ends the pause, and what everybody can do meanwhile. It covers only the table: chat,
 * menu and the way home stay in reach.
 */
import { useEffect, useRef } from "react";
import { InviteLink } from "../lobby/InviteLink";
import type { Panel } from "../shell/TopBar";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { pausedText } from "../text/pausedCatalogue";
import { useTable } from "./context";

interface PausedVeilProps {
  onHome: () => void;
  onPanel: ((panel: Panel) => void) | undefined;
}

export function PausedVeil({ onHome, onPanel }: PausedVeilProps) {
  const { info, you, act } = useTable();
  const dialog = useRef<HTMLElement>(null);
  const paused = info.status === "paused";
  useEffect(() => {
    // Somebody who writes in the chat goes on writing.
    if (paused && !document.activeElement?.closest("[role=dialog]")) dialog.current?.focus();
  }, [paused]);
  if (!paused) return null;
  const nameOf = (id: string | undefined) =>
    isolateName(info.players.find((player) => player.id === id)?.name ?? text.panel.lead);
  const isLead = info.lead === you.id;
  const isAway = info.players.some(({ id, presence }) => id === you.id && presence === "away");
  const why = {
    hostAbsent: () => pausedText["host-away"](nameOf(info.host)),
    lead: () => pausedText.lead(nameOf(info.lead)),
    tooFew: pausedText["too-few"],
    deserted: pausedText.deserted,
  }[info.paused ?? "lead"]();
  return (
    <div className="paused-veil">
      <section
        ref={dialog}
        tabIndex={-1}
        className="end"
        role="alertdialog"
        aria-labelledby="paused-title"
        aria-describedby="paused-why"
        data-paused
      >
        <Hourglass />
        <h2 id="paused-title">{pausedText.title}</h2>
        <p id="paused-why" className="paused-why">
          {why}
        </p>
        <div className="end-actions">
          {isLead && info.paused === "lead" && (
            <button type="button" className="button primary" onClick={() => act({ type: "resumeGame" })}>
              {pausedText.resume}
            </button>
          )}
          {isAway && (
            <button type="button" className="button primary" onClick={() => act({ type: "away", away: false })}>
              {text.panel.back}
            </button>
          )}
          {onPanel && (
            <>
              <button type="button" className="button" onClick={() => onPanel("chat")}>
                {text.panel.open}
              </button>
              <button type="button" className="button" onClick={() => onPanel("menu")}>
                {pausedText.menu}
              </button>
            </>
          )}
          <button type="button" className="button" onClick={onHome}>
            {pausedText.home}
          </button>
        </div>
        <p className="paused-why">{isLead ? pausedText.youLead : pausedText.meanwhile}</p>
        <InviteLink code={info.code} />
      </section>
    </div>
  );
}

function Hourglass() {
  return (
    <svg className="hourglass" viewBox="0 0 48 60" aria-hidden="true">
      <path d="M10 6h28M10 54h28" />
      <path d="M13 6c0 14 11 15 11 24S13 40 13 54M35 6c0 14-11 15-11 24s11 10 11 24" />
      <path d="M17 50c2-6 5-8 7-8s5 2 7 8z" className="sand" />
      <path d="M18 18h12c-2 4-5 6-6 8-1-2-4-4-6-8z" className="sand" />
    </svg>
  );
}
