/** The end of a game: the banner of the rules, the ranking, and what to do next. */
import { useEffect, useRef, useState } from "react";
import { AgainButton, AgainNote } from "../lobby/AgainNote";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { isPresented, listBadges } from "./badges";
import { useTable } from "./context";
import { Avatar, Badges } from "./Seat";
import "./end.css";

/** How the chat says that somebody ended the game before its end. The line begins with the name. */
const ENDED_BY_SOMEBODY = /(ended|abandoned) the game$/;

export function EndBanner({ onHome, onReplay }: { onHome: () => void; onReplay: (() => void) | null }) {
  const { game, view, table, reader, info, you, act, snapshot } = useTable();
  const [showsTable, setShowsTable] = useState(false);
  const dialog = useRef<HTMLElement>(null);
  const isOpen = view.outcome !== undefined && !showsTable;
  useEffect(() => {
    if (isOpen) dialog.current?.focus();
  }, [isOpen]);
  const { outcome } = view;
  if (!outcome) return null;
  if (showsTable) {
    return (
      <button type="button" className="button primary end-again" onClick={() => setShowsTable(false)}>
        {text.end.title}
      </button>
    );
  }
  const score = outcome.score && text.end.score(...outcome.score);
  const banner = lineText(outcome.banner, reader) || text.end.kinds[outcome.kind] || score || text.end.title;
  const isCutShort = ["void", "abandoned"].includes(outcome.kind) && outcome.fault === undefined;
  const who = isCutShort
    ? snapshot.chat.findLast((line) => line.kind === "session" && ENDED_BY_SOMEBODY.test(line.text ?? ""))?.text
    : undefined;
  const everyone = ["everyone-wins", "everyone-loses", "everyone-scores"].includes(outcome.kind);
  const ranked = view.seats
    .map((seat, at) => ({ seat, at, rank: outcome.ranks[at] ?? null }))
    .filter(({ seat, rank }) => seat.playing || rank !== null)
    .sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
  // Players who share a rank leave the next ranks free: 1, 1, 1, 4.
  const placeOf = (rank: number) => 1 + ranked.filter((other) => other.rank !== null && other.rank < rank).length;
  const viewer = view.seat;
  const hasAll = outcome.score !== undefined && outcome.score[0] === outcome.score[1];
  const hasWon =
    hasAll || outcome.kind === "everyone-wins" || (viewer !== undefined && outcome.winners.includes(viewer));
  const hasLost = outcome.kind === "everyone-loses" || (viewer !== undefined && outcome.losers.includes(viewer));
  const isLead = info.lead !== undefined && info.lead === you.id;
  return (
    <div className="end-veil">
      <section
        ref={dialog}
        className={`end end-${outcome.kind}`}
        role="dialog"
        aria-modal="true"
        aria-labelledby="end-title"
        tabIndex={-1}
      >
        {hasWon && <Streamers />}
        <Laurel lost={!hasWon && hasLost} />
        <h2 id="end-title">{banner}</h2>
        {score && score !== banner && <p className="end-score">{score}</p>}
        {who && <p className="end-score">{who}</p>}
        {outcome.fault !== undefined && <p className="end-fault">{text.end.fault}</p>}
        <ol className="ranking">
          {ranked.map(({ seat, at, rank }) => {
            const won = outcome.winners.includes(at);
            const lost = outcome.losers.includes(at);
            return (
              <li key={at} className={won ? "won" : lost ? "lost" : ""}>
                <span className="rank">{rank !== null && !everyone ? text.end.rank(placeOf(rank)) : ""}</span>
                <Avatar
                  name={reader.nameOf(at)}
                  player={info.players.find((p) => p.seat === at)}
                  person={seat.person}
                  present={seat.present}
                />
                <span className="rank-name">
                  <bdi>{reader.nameOf(at)}</bdi>
                </span>
                <span className="rank-badges">
                  <Badges badges={listBadges(table, view, at, isPresented(game))} />
                </span>
                {!everyone && (won || lost) && (
                  <span className="rank-mark">{won ? text.end.winner : text.end.loser}</span>
                )}
              </li>
            );
          })}
        </ol>
        <AgainNote info={info} />
        <div className="end-actions">
          {isLead && !info.abandoned && (
            <button type="button" className="button primary" onClick={() => act({ type: "rematch" })}>
              {text.end.rematch}
            </button>
          )}
          <AgainButton info={info} you={you} act={act} />
          {onReplay && (
            <button type="button" className="button" onClick={onReplay}>
              {text.end.replay}
            </button>
          )}
          <button type="button" className="button" onClick={() => setShowsTable(true)}>
            {text.end.look}
          </button>
          <button type="button" className="button secondary" onClick={onHome}>
            {text.end.home}
          </button>
        </div>
      </section>
    </div>
  );
}

/** A wreath with a star; it is grey for somebody who has lost. */
function Laurel({ lost }: { lost: boolean }) {
  const leaves = [0, 1, 2, 3, 4, 5];
  return (
    <svg className={`laurel ${lost ? "is-lost" : ""}`} viewBox="-60 -40 120 80" aria-hidden="true">
      {[1, -1].map((side) => (
        <g key={side} transform={`scale(${side} 1)`}>
          <path d="M0 30C28 28 44 6 40-24" className="laurel-stem" />
          {leaves.map((i) => (
            <path
              key={i}
              d="M0 0C5-9 14-11 20-8 16 0 9 4 0 0Z"
              transform={`translate(${[8, 20, 30, 37, 40.5, 40][i]} ${[29.5, 25, 17, 6, -6, -18][i]}) rotate(${[-34, -52, -72, -92, -108, -122][i]})`}
              className="laurel-leaf"
            />
          ))}
        </g>
      ))}
      <path d="M0-22L6-8 21-7 9 2 13 17 0 8-13 17-9 2-21-7-6-8Z" className="laurel-star" />
    </svg>
  );
}

/** Paper streamers that fall for a moment. CSS hides them when motion is reduced. */
function Streamers() {
  return (
    <span className="streamers" aria-hidden="true">
      {Array.from({ length: 28 }, (_, i) => (
        <i key={String(i)} style={{ "--i": i, "--x": (i * 37) % 100, "--t": (i * 53) % 100 } as React.CSSProperties} />
      ))}
    </span>
  );
}
