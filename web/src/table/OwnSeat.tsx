/** The viewer's own seat between table and hand: name, badges, and the zones in front of the viewer. */
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { isPresented, listBadges } from "./badges";
import { useTable } from "./context";
import { MiniPile } from "./MiniPile";
import type { Placement } from "./placement";
import { ReactionPicker, SeatReaction } from "./Reactions";
import { ScoreSheetButton } from "./ScoreSheet";
import { Avatar, Badges } from "./Seat";

export function OwnSeat({ placed, hasScoreSheetButton }: { placed: Placement; hasScoreSheetButton: boolean }) {
  const { game, view, table, you, info, reader, narrow } = useTable();
  const seat = you.seat;
  const shown = seat === undefined ? undefined : view.seats[seat];
  return (
    <div className={`mine-rail ${shown?.turn ? "has-turn" : ""}`}>
      <div className="mine-left">
        {placed.own.map((zone) => (
          <MiniPile key={zone} zone={zone} shown={view.zones[zone]} isOwn />
        ))}
      </div>
      {shown && seat !== undefined && (
        <div className="mine-plate" role="group" aria-label={text.table.you}>
          <SeatReaction seat={seat} />
          <Avatar
            name={reader.nameOf(seat)}
            player={info.players.find((p) => p.seat === seat)}
            person={shown.person}
            present={shown.present}
          />
          <span className="seat-name">{text.table.you}</span>
          <Badges badges={listBadges(table, view, seat, isPresented(game))} />
          {shown.status.map(({ word, label }) => (
            <span key={word} className={`seat-status status-${word}`}>
              {label ? lineText(label, reader) : word}
            </span>
          ))}
          {info.status !== "ended" && <ReactionPicker />}
        </div>
      )}
      <div className="mine-right">
        {hasScoreSheetButton && <ScoreSheetButton />}
        {narrow && placed.side.map((zone) => <MiniPile key={zone} zone={zone} shown={view.zones[zone]} isOwn />)}
      </div>
    </div>
  );
}
