/** What happened in the game, grouped by round, with a mark where the viewer's last turn was. */
import { useEffect, useMemo, useRef, useState } from "react";
import { http } from "../protocol/http";
import type { ClientState, TableStore } from "../state/store";
import { lineText, type Reader } from "../text/line";
import { logText } from "../text/logCatalogue";
import { addTold, groupByRound, type LogLine, type LogRound } from "./logRounds";
import "./log.css";

interface GameLogProps {
  store: TableStore;
  snapshot: ClientState;
  reader: Reader;
}

export function GameLog({ store, snapshot, reader }: GameLogProps) {
  const { log, view } = snapshot;
  const { failed, load } = useHistory(store, snapshot);
  const seat = view?.seat;
  const rounds = useMemo(() => groupByRound(log.steps, seat), [log.steps, seat]);
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls for each new line, unless the person reads earlier ones.
  useEffect(() => {
    if (atEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [rounds]);
  return (
    // The live region reads out new lines, so this list must not. Keys scroll it from the headings of rounds.
    <div
      ref={list}
      className="log"
      role="group"
      aria-label={logText.title}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {failed && (
        <p className="log-note" role="status">
          {logText.failed}{" "}
          <button type="button" className="button small" onClick={() => void load(false)}>
            {logText.again}
          </button>
        </p>
      )}
      {log.earlier && (
        <button type="button" className="button small log-earlier" onClick={() => void load(true)}>
          {logText.earlier}
        </button>
      )}
      {rounds.length === 0 && !failed && <p className="log-note">{logText.empty}</p>}
      {rounds.map((round, i) => (
        <Round key={round.id} round={round} isLast={i === rounds.length - 1} reader={reader} />
      ))}
    </div>
  );
}

/** Loads what happened before this client followed the game. */
function useHistory(store: TableStore, { info, log, connection }: ClientState) {
  const [failed, setFailed] = useState(false);
  const [code, game] = [info?.code ?? "", info?.game ?? ""];
  const load = async (earlier: boolean) => {
    try {
      const told = await http.log(code, earlier ? store.get().log.steps[0]?.seq : undefined);
      const now = store.get();
      if (now.info?.game === told.game) store.set({ log: addTold(now.log, told, now.view?.seq ?? 0, Date.now()) });
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  const isWanted = log.stale && code !== "" && game !== "" && connection === "open";
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when another game begins.
  useEffect(() => {
    if (isWanted) void load(false);
  }, [isWanted, game]);
  return { failed, load };
}

/** The lines of a round. Earlier rounds are folded. */
function Round({ round, isLast, reader }: { round: LogRound; isLast: boolean; reader: Reader }) {
  const { title, lines, newFrom } = round;
  const name = title ? lineText(title.text, reader) : logText.start;
  return (
    <details className="log-round" open={isLast || newFrom !== null}>
      <summary>{name}</summary>
      <ol>
        {lines.map((line, i) => (
          <Line key={line.id} line={line} before={lines[i - 1]} isFirstNew={i === newFrom} reader={reader} />
        ))}
      </ol>
    </details>
  );
}

interface LineProps {
  line: LogLine;
  before: LogLine | undefined;
  isFirstNew: boolean;
  reader: Reader;
}

function Line({ line: { at, narration, count }, before, isFirstNew, reader }: LineProps) {
  const time = clockTime(at);
  return (
    <>
      {isFirstNew && (
        <li className="log-since">
          <span>{logText.sinceYourTurn}</span>
        </li>
      )}
      <li className={`log-line log-${narration.kind}`}>
        <span>
          {lineText(narration.text, reader)}
          {count > 1 && <b> {logText.times(count)}</b>}
        </span>
        {time !== "" && time !== (before && clockTime(before.at)) && <time>{time}</time>}
      </li>
    </>
  );
}

/** Hours and minutes. Replays have no times. */
function clockTime(at: number): string {
  if (at === 0) return "";
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, "0")).join(":");
}
