/**
 * What the rules announce: toasts pass, shouts burst, banners stay a while, notices wait to be dismissed. All of them at the edge,
 * where they cover nothing that somebody has to decide on; a shout is in the middle for a moment only.
 */
import { useEffect } from "react";
import type { Announcement } from "../state/store";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { useTable } from "./context";
import "./announcements.css";

/** Milliseconds an announcement stays, by kind; a notice stays until it is dismissed. */
const DURATION_MS: Record<string, number> = { toast: 4000, session: 4000, shout: 2800, banner: 5200 };
/** More toasts than this at once push the oldest out. */
const MAX_TOASTS = 2;

export function Announcements({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot, reader } = useTable();
  // How it ended has a banner of its own, and what led to it is in the chat.
  const over = snapshot.view?.outcome !== undefined;
  const all = snapshot.announcements.filter(({ kind }) => !over || kind === "session");
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
  /** It comes to rest where these stand: what came after it waits until it is over. */
  shout?: number | undefined;
  reader: Reader;
  onDismiss: (id: number) => void;
}

/** Lines that pass: what the rules say, and who came or went. Over the top bar, clear of the seats; a tap sends a banner away. */
export function Toasts({ announcements, shout, reader, onDismiss }: ToastsProps) {
  const free = shout === undefined;
  const passing = announcements.filter(({ kind }) => kind === "toast" || kind === "session" || kind === "banner");
  const shown = free ? passing.filter(({ kind }) => kind !== "banner") : [];
  const banner = free ? passing.findLast(({ kind }) => kind === "banner") : undefined;
  return (
    <div className="toasts">
      {passing
        .filter(({ id }) => free || id < shout)
        .map((a) => (
          <Timer key={a.id} announcement={a} onDone={onDismiss} />
        ))}
      {shown.slice(-MAX_TOASTS).map((a) => (
        // What the rules announce is read out with the rest of the move; who came or went has only this.
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

/** What somebody must have seen before it goes, above what is asked. */
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

/** The first word is the shout; the rest explains it. */
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
