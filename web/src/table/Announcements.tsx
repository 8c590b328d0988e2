/**
 * Shows what the rules announce. Toasts and banners disappear by themselves, notices wait until they are dismissed or
 * no longer true. They stand at the edge, where they cover nothing that a player has to decide on; a shout covers the
 * middle only for a moment.
 */
import { useEffect, useState } from "react";
import type { RichText } from "../protocol/types";
import type { Announcement, ClientState } from "../state/store";
import { text } from "../text/catalogue";
import { lineText, type Reader } from "../text/line";
import { isBig, MAX_END_HOLD_MS, queueOf } from "./announcementQueue";
import { useTable } from "./context";
import { splitShout } from "./shoutWords";
import "./announcements.css";

interface AnnouncementsProps {
  /** The last shouts and banners of the game are shown before the end banner. */
  endWaits: boolean;
  onDismiss: (id: number) => void;
}

export function Announcements({ endWaits, onDismiss }: AnnouncementsProps) {
  const { snapshot, reader } = useTable();
  const isOver = snapshot.view?.outcome !== undefined;
  // The end banner tells the outcome, and the log has the announcements that led to it.
  const isShown = (a: Announcement) => a.kind === "session" || (endWaits && isBig(a));
  const all = snapshot.announcements.filter((announcement) => !isOver || isShown(announcement));
  return <Queue announcements={all} endWaits={endWaits} reader={reader} onDismiss={onDismiss} />;
}

/**
 * Whether the end banner waits for the shouts and banners that the game ended with: the last letter, the last showdown.
 * Somebody who opens a finished game waits for nothing.
 */
export function useEndHold({ view, announcements }: ClientState): boolean {
  const isOver = view?.outcome !== undefined;
  const isPending = announcements.some(isBig);
  const [isHeld, setIsHeld] = useState(false);
  const [wasOver, setWasOver] = useState(isOver);
  // The state changes while the end is drawn for the first time, so that the end banner never flashes.
  if (wasOver !== isOver) {
    setWasOver(isOver);
    setIsHeld(isOver && isPending);
  }
  useEffect(() => {
    if (!isHeld) return;
    const timer = setTimeout(() => setIsHeld(false), MAX_END_HOLD_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return isHeld && isPending;
}

interface QueueProps {
  announcements: Announcement[];
  endWaits?: boolean;
  reader: Reader;
  onDismiss: (id: number) => void;
}

/** The announcement that is shown now, with the only clock that runs. A tap dismisses a banner. */
export function Queue({ announcements, endWaits = false, reader, onDismiss }: QueueProps) {
  const { head, stays, dropped } = queueOf(announcements, endWaits);
  const surplus = dropped[0];
  useEffect(() => {
    if (surplus !== undefined) onDismiss(surplus);
  }, [surplus, onDismiss]);
  if (!head) return <div className="toasts" />;
  return (
    <>
      <Timer key={head.id} id={head.id} stays={stays} onDone={onDismiss} />
      {head.kind === "shout" && (
        <div className="announcements">
          <Shout key={head.id} line={head.line} reader={reader} />
        </div>
      )}
      <div className="toasts">
        {(head.kind === "toast" || head.kind === "session") && (
          // The live region reads out what the rules announce; nothing else reads out who came or went.
          <div
            key={head.id}
            className={`toast toast-${head.kind}`}
            {...(head.kind === "session" ? { role: "status" } : {})}
          >
            {lineText(head.line, reader)}
          </div>
        )}
        {head.kind === "banner" && (
          <button
            type="button"
            key={head.id}
            className="toast toast-banner"
            data-announced="banner"
            onClick={() => onDismiss(head.id)}
          >
            {lineText(head.line, reader)}
          </button>
        )}
      </div>
    </>
  );
}

/** Announcements that a player has to confirm, above the decision, and the way back for somebody who is away. */
export function Notices({ onDismiss }: { onDismiss: (id: number) => void }) {
  const { snapshot, reader, info, you, act } = useTable();
  const notices = snapshot.announcements.filter(({ kind }) => kind === "notice");
  const isAway = info.players.some(({ id, presence }) => id === you.id && presence === "away");
  if (notices.length === 0 && !isAway) return null;
  return (
    <div className="notices">
      {isAway && (
        <div className="notice" role="status" data-keep>
          <span>{text.panel.youAreAway}</span>
          <button type="button" className="button small primary" onClick={() => act({ type: "away", away: false })}>
            {text.panel.back}
          </button>
        </div>
      )}
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
function Shout({ line, reader }: { line: RichText; reader: Reader }) {
  const { head, rest } = splitShout(line, reader);
  return (
    <div className={`shout ${head.length > 14 ? "is-long" : ""}`} data-announced="shout">
      <strong>{head}</strong>
      {rest && <span>{rest}</span>}
    </div>
  );
}

/** Only the announcement on the screen has a clock. A clock that gets a shorter time counts from the beginning. */
function Timer({ id, stays, onDone }: { id: number; stays: number; onDone: (id: number) => void }) {
  const [since] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => onDone(id), Math.max(0, since + stays - Date.now()));
    return () => clearTimeout(timer);
  }, [id, since, stays, onDone]);
  return null;
}
