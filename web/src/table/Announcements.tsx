/**
 * Shows what the rules announce. Toasts and banners disappear by themselves, notices wait until they are dismissed.
 * They stand at the edge, where they cover nothing that a player has to decide on; a shout covers the middle only for
 * a moment.
 */
import { useEffect } from "react";
import type { Announcement } from "../state/store";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { useTable } from "./context";
import "./announcements.css";

/** Milliseconds that an announcement stays, by kind. A notice stays until it is dismissed. */
const DURATION_MS: Record<string, number> = { toast: 4000, session: 4000, shout: 2800, banner: 5200 };
/** When there are more toasts, the oldest ones are hidden. */
const MAX_TOASTS = 2;

export function Announcements({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot, reader } = useTable();
  // The end banner tells the outcome, and the chat has the announcements that led to it.
  const isOver = snapshot.view?.outcome !== undefined;
  const all = snapshot.announcements.filter(({ kind }) => !isOver || kind === "session");
  const shouts = all.filter(({ kind }) => kind === "shout");
  const shout = shouts.at(-1);
  return (
    <>
      <div className="announcements">
        {shouts.map((a) => (
          <Timer key={a.id} announcement={a} onDone={onDismiss} />
        ))}
        {shout && <Shout key={shout.id} announcement={shout} />}
      </div>
      <Toasts announcements={all} shout={shout?.id} reader={reader} onDismiss={onDismiss} />
    </>
  );
}

interface ToastsProps {
  announcements: Announcement[];
  /** Id of the shout that is shown. It ends up where the toasts stand, so later toasts wait until it is gone. */
  shout?: number | undefined;
  reader: Reader;
  onDismiss: (id: number) => void;
}

/** Toasts and banners, over the top bar, where they cover no seat. A tap dismisses a banner. */
export function Toasts({ announcements, shout, reader, onDismiss }: ToastsProps) {
  const noShout = shout === undefined;
  const temporary = announcements.filter(({ kind }) => kind === "toast" || kind === "session" || kind === "banner");
  const shown = noShout ? temporary.filter(({ kind }) => kind !== "banner") : [];
  const banner = noShout ? temporary.findLast(({ kind }) => kind === "banner") : undefined;
  return (
    <div className="toasts">
      {temporary
        .filter(({ id }) => noShout || id < shout)
        .map((a) => (
          <Timer key={a.id} announcement={a} onDone={onDismiss} />
        ))}
      {shown.slice(-MAX_TOASTS).map((a) => (
        // The live region reads out what the rules announce; nothing else reads out who came or went.
        <div key={a.id} className={`toast toast-${a.kind}`} {...(a.kind === "session" ? { role: "status" } : {})}>
          {lineText(a.line, reader)}
        </div>
      ))}
      {banner && (
        <button
          type="button"
          key={banner.id}
          className="toast toast-banner"
          data-announced="banner"
          onClick={() => onDismiss(banner.id)}
        >
          {lineText(banner.line, reader)}
        </button>
      )}
    </div>
  );
}

/** Announcements that a player has to confirm, above the decision. */
export function Notices({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot, reader } = useTable();
  const notices = snapshot.announcements.filter(({ kind }) => kind === "notice");
  if (notices.length === 0) return null;
  return (
    <div className="notices">
      {notices.map((a) => (
        <div key={a.id} className="notice" role="status" data-keep>
          <span>{lineText(a.line, reader)}</span>
          <button type="button" className="button small primary" onClick={() => onDismiss(a.id)}>
            {text.table.dismiss}
          </button>
        </div>
      ))}
    </div>
  );
}

/** A shout. A short first sentence is shown large, and the rest explains it. */
function Shout({ announcement }: { announcement: Announcement }) {
  const { reader } = useTable();
  const whole = lineText(announcement.line, reader);
  const split = /^(.{1,24}?[!?.:])\s+(.+)$/s.exec(whole);
  const head = split?.[1] ?? whole;
  return (
    <div className={`shout ${head.length > 14 ? "is-long" : ""}`} data-announced="shout">
      <strong>{head}</strong>
      {split?.[2] && <span>{split[2]}</span>}
    </div>
  );
}

function Timer({ announcement, onDone }: { announcement: Announcement; onDone: (id: number) => void }) {
  const stays = DURATION_MS[announcement.kind] ?? 4000;
  useEffect(() => {
    const timer = setTimeout(() => onDone(announcement.id), stays);
    return () => clearTimeout(timer);
  }, [announcement.id, stays, onDone]);
  return null;
}
