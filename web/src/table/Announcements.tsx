/** What the rules announce: toasts pass, shouts burst, banners stay a while, notices wait to be dismissed. */
import { useEffect } from "react";
import type { Announcement } from "../state/store";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { useTable } from "./context";
import "./announcements.css";

/** Milliseconds an announcement stays, by kind; a notice stays until it is dismissed. */
const STAYS: Record<string, number> = { toast: 4000, session: 4000, shout: 1900, banner: 5200 };
/** More toasts than this at once push the oldest out. */
const MOST_TOASTS = 2;

export function Announcements({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot, reader } = useTable();
  const all = snapshot.announcements;
  const of = (kind: string) => all.filter((a) => a.kind === kind);
  const shout = of("shout").at(-1);
  const banner = of("banner").at(-1);
  return (
    <>
      <div className="announcements">
        {[...of("shout"), ...of("banner")].map((a) => (
          <Timer key={a.id} announcement={a} onDone={onDismiss} />
        ))}
        {shout && <Shout key={shout.id} announcement={shout} />}
        {banner && (
          <button type="button" key={banner.id} className="announce-banner" onClick={() => onDismiss(banner.id)}>
            {lineText(banner.line, reader)}
          </button>
        )}
      </div>
      <Toasts announcements={all} reader={reader} onDismiss={onDismiss} />
    </>
  );
}

/** Short lines that pass: what the rules say, and who came or went. Over the top bar of a phone, clear of the seats. */
export function Toasts(props: { announcements: Announcement[]; reader: Reader; onDismiss: (id: number) => void }) {
  const { announcements, reader, onDismiss } = props;
  const shown = announcements.filter(({ kind }) => kind === "toast" || kind === "session");
  return (
    <div className="toasts">
      {shown.map((a) => (
        <Timer key={a.id} announcement={a} onDone={onDismiss} />
      ))}
      {shown.slice(-MOST_TOASTS).map((a) => (
        // What the rules announce is read out with the rest of the move; who came or went has only this.
        <div key={a.id} className={`toast toast-${a.kind}`} {...(a.kind === "session" ? { role: "status" } : {})}>
          {lineText(a.line, reader)}
        </div>
      ))}
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
  const stays = STAYS[announcement.kind] ?? 4000;
  useEffect(() => {
    const timer = setTimeout(() => onDone(announcement.id), stays);
    return () => clearTimeout(timer);
  }, [announcement.id, stays, onDone]);
  return null;
}
