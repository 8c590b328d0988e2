/** A panel with all players, the best score first: for tables that are too large to read the scores at the seats. */
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { isPresented, listBadges } from "./badges";
import { useTable } from "./context";
import { Avatar, Badges } from "./Seat";
import "./scoreboard.css";

export function Scoreboard({ onClose }: { onClose: () => void }) {
  const { view, table, game, info, reader, you } = useTable();
  const rows = view.seats.flatMap((shown, seat) => {
    const player = info.players.find((each) => each.seat === seat);
    if (!shown.playing && !shown.pending && !player) return [];
    const badges = listBadges(table, view, seat, isPresented(game));
    const score = Number(lineText(badges.find(({ kind }) => kind === "score")?.value, reader));
    return [{ seat, shown, player, badges, score: Number.isFinite(score) ? score : 0 }];
  });
  rows.sort((a, b) => b.score - a.score || a.seat - b.seat);
  return (
    <SidePanel title={text.table.scores} onClose={onClose} scrollable>
      <ol className="scoreboard">
        {rows.map(({ seat, shown, player, badges }) => (
          <li key={seat} className={seat === you.seat ? "is-mine" : undefined}>
            <Avatar name={reader.nameOf(seat)} player={player} person={shown.person} present={shown.present} />
            <span className="scoreboard-name">
              <bdi>{reader.nameOf(seat)}</bdi>
              {seat === you.seat && <small> ({text.table.you})</small>}
            </span>
            <span className="scoreboard-badges">
              <Badges badges={badges} />
              {shown.status.map(({ word, label }) => (
                <span key={word} className={`seat-status status-${word}`}>
                  {label ? lineText(label, reader) : word}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </SidePanel>
  );
}
