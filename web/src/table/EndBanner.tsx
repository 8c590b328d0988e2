/** How it ended: the game's own words, the ranking, and what to do next. */
import { useState } from "react";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { useTable } from "./context";
import { badgesOf, isPresented } from "./inferred";
import { Badges, Token } from "./Seat";
import "./end.css";

export function EndBanner({ onHome, onReplay }: { onHome: () => void; onReplay: (() => void) | null }) {
  const { game, view, table, reader, info, you, act } = useTable();
  const [looking, setLooking] = useState(false);
  const { outcome } = view;
  if (!outcome) return null;
  if (looking) {
    return (
      <button type="button" className="button primary end-again" onClick={() => setLooking(false)}>
        {text.end.title}
      </button>
    );
  }
  const banner = lineText(outcome.banner, reader) || text.end.kinds[outcome.kind] || text.end.title;
  const everyone = outcome.kind === "everyone-wins" || outcome.kind === "everyone-loses";
  const ranked = view.seats
    .map((seat, at) => ({ seat, at, rank: outcome.ranks[at] ?? null }))
    .filter(({ seat, rank }) => seat.playing || rank !== null)
    .sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
  const isLead = info.lead !== undefined && info.lead === you.id;
  return (
    <div className="end-veil">
      <section className={`end end-${outcome.kind}`} role="dialog" aria-modal="true" aria-labelledby="end-title">
        <h2 id="end-title">{banner}</h2>
        {outcome.fault !== undefined && <p className="end-fault">{text.end.fault}</p>}
        <ol className="ranking">
          {ranked.map(({ seat, at, rank }) => {
            const won = outcome.winners.includes(at);
            const lost = outcome.losers.includes(at);
            return (
              <li key={at} className={won ? "won" : lost ? "lost" : ""}>
                <span className="rank">{rank !== null && !everyone ? text.end.rank(rank) : ""}</span>
                <Token
                  name={reader.nameOf(at)}
                  player={info.players.find((p) => p.seat === at)}
                  person={seat.person}
                  present={seat.present}
                />
                <span className="rank-name">{reader.nameOf(at)}</span>
                <span className="rank-badges">
                  <Badges badges={badgesOf(table, view, at, isPresented(game))} />
                </span>
                {!everyone && (won || lost) && (
                  <span className="rank-mark">{won ? text.end.winner : text.end.loser}</span>
                )}
              </li>
            );
          })}
        </ol>
        <div className="end-actions">
          {isLead && !info.abandoned && (
            <button type="button" className="button primary" onClick={() => act({ type: "rematch" })}>
              {text.end.rematch}
            </button>
          )}
          {onReplay && (
            <button type="button" className="button" onClick={onReplay}>
              {text.end.replay}
            </button>
          )}
          <button type="button" className="button" onClick={() => setLooking(true)}>
            {text.end.look}
          </button>
          <button type="button" className="button quiet" onClick={onHome}>
            {text.end.home}
          </button>
        </div>
      </section>
    </div>
  );
}
