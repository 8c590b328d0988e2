/** Why nothing goes on, and what would make it go on. */
import { text } from "../text/catalogue";
import { useTable } from "./context";

export function PausedModal({ onHome }: { onHome: () => void }) {
  const { info, you, act } = useTable();
  if (info.status !== "paused") return null;
  const nameOf = (id: string | undefined) => info.players.find((player) => player.id === id)?.name ?? text.panel.lead;
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
        className="end"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="paused-title"
        aria-describedby="paused-why"
      >
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
