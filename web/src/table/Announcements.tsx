/** What the rules announce: toasts pass, shouts burst, banners stay a while, notices wait to be dismissed. */
import { useEffect } from "react";
import type { Announcement } from "../state/store";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { useTable } from "./context";
import "./announcements.css";

/** Milliseconds an announcement stays, by kind; a notice stays until it is dismissed. */
const STAYS: Record<string, number> = { toast: 4000, shout: 1900, banner: 5200 };
/** More toasts than this at once push the oldest out. */
const MOST_TOASTS = 2;

export function Announcements({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot } = useTable();
  const all = snapshot.announcements;
  const of = (kind: string) => all.filter((a) => a.kind === kind);
  const shout = of("shout").at(-1);
  const banner = of("banner").at(-1);
  return (
    <div className="announcements">
      {all
        .filter(({ kind }) => kind !== "notice")
        .map((a) => (
          <Timer key={a.id} announcement={a} onDone={onDismiss} />
        ))}
      {shout && <Shout key={shout.id} announcement={shout} />}
      {banner && (
        <button type="button" key={banner.id} className="announce-banner" onClick={() => onDismiss(banner.id)}>
          <Words announcement={banner} />
        </button>
      )}
      <div className="toasts">
        {of("toast")
          .slice(-MOST_TOASTS)
          .map((a) => (
            <div key={a.id} className="toast">
              <Words announcement={a} />
            </div>
          ))}
      </div>
      {of("notice").map((a) => (
        <div key={a.id} className="notice" role="status" data-keep>
          <span>
            <Words announcement={a} />
          </span>
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
  return (
    <div className="shout">
      <strong>{split?.[1] ?? whole}</strong>
      {split?.[2] && <span>{split[2]}</span>}
    </div>
  );
}

function Words({ announcement }: { announcement: Announcement }) {
  return lineText(announcement.line, useTable().reader);
}

function Timer({ announcement, onDone }: { announcement: Announcement; onDone: (id: number) => void }) {
  const stays = STAYS[announcement.kind] ?? 4000;
  useEffect(() => {
    const timer = setTimeout(() => onDone(announcement.id), stays);
    return () => clearTimeout(timer);
  }, [announcement.id, stays, onDone]);
  return null;
}
