/** Tells why the game is paused and what ends the pause. */
import { useEffect, useRef } from "react";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { useTable } from "./context";

export function PausedModal({ onHome }: { onHome: () => void }) {
  const { info, you, act } = useTable();
  const dialog = useRef<HTMLElement>(null);
  const paused = info.status === "paused";
  useEffect(() => {
    if (paused) dialog.current?.focus();
  }, [paused]);
  if (info.status !== "paused") return null;
  const nameOf = (id: string | undefined) =>
    isolateName(info.players.find((player) => player.id === id)?.name ?? text.panel.lead);
  const isLead = info.lead === you.id;
  const why =
    info.paused === "hostAbsent"
      ? text.paused["host-away"](nameOf(info.host))
      : info.paused === "lead"
        ? text.paused.lead(nameOf(info.lead))
        : text.paused["too-few"]();
  return (
    <div className="end-veil">
      <section
        ref={dialog}
        tabIndex={-1}
        className="end"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="paused-title"
        aria-describedby="paused-why"
      >
        <Hourglass />
        <h2 id="paused-title">{text.paused.title}</h2>
        <p id="paused-why" className="paused-why">
          {why}
        </p>
        <div className="end-actions">
          {isLead && info.paused === "lead" && (
            <button type="button" className="button primary" onClick={() => act({ type: "resumeGame" })}>
              {text.paused.resume}
            </button>
          )}
          <button type="button" className="button" onClick={onHome}>
            {text.paused.home}
          </button>
        </div>
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
