/** Tells why the table waits for an absent player, and what happens by itself if the player does not come back. */
import { useEffect, useState } from "react";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { useTable } from "./context";

const words = text.table.absent;

export function AbsenceNotes() {
  const { view, info, snapshot, you } = useTable();
  const { absences } = snapshot;
  const [now, setNow] = useState(() => Date.now());
  const hasClock = absences.length > 0;
  useEffect(() => {
    if (!hasClock) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [hasClock]);
  const waitsFor = new Set(view.waiting.map(({ seat }) => seat));
  const notes = info.players.flatMap(({ id, name, seat, presence, bot }) => {
    const isAbsent = presence === "disconnected" || presence === "away";
    const ends = absences.filter(({ playerId }) => playerId === id);
    const isWaitedFor = seat !== undefined && waitsFor.has(seat);
    if (!isAbsent || bot || id === you.id || (!isWaitedFor && ends.length === 0)) return [];
    const who = isolateName(name);
    const clock = (until: number) => text.table.clock(Math.max(0, Math.ceil((until - now) / 1000)));
    const sentences = ends.map(({ end, until }) => words[end](who, clock(until)));
    return [{ id, line: [words[presence](who), ...(sentences.length > 0 ? sentences : [words.waits])].join(" ") }];
  });
  return notes.map(({ id, line }) => (
    <p key={id} className="decision-need">
      {line}
    </p>
  ));
}
