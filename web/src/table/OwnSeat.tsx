/** The viewer's own seat between table and hand: name, badges, and the zones in front of the viewer. */
import { useRef } from "react";
import { changeSettings, useSettings } from "../settings/settings";
import { visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { isPresented, listBadges } from "./badges";
import { useTable } from "./context";
import { cardSize } from "./geometry";
import { isSortable, nextOrder } from "./handOrder";
import { MiniPile } from "./MiniPile";
import type { Placement } from "./placement";
import { ReactionPicker, SeatReaction } from "./Reactions";
import { ScoreSheetButton } from "./ScoreSheetButton";
import { Avatar, Badges } from "./Seat";
import { miniPileOpenCard, scoreboardFrom } from "./sizes";
import { useKeptHeight } from "./useKeptHeight";

interface OwnSeatProps {
  placed: Placement;
  sideways: boolean;
  hasScoreSheetButton: boolean;
}

export function OwnSeat({ placed, sideways, hasScoreSheetButton }: OwnSeatProps) {
  const { game, view, table, you, info, reader, rem, narrow, openOverlay } = useTable();
  const rail = useRef<HTMLDivElement>(null);
  useKeptHeight(rail, !sideways);
  const seat = you.seat;
  const shown = seat === undefined ? undefined : view.seats[seat];
  const hasScoreboard =
    view.seats.filter(({ playing }) => playing).length > scoreboardFrom &&
    view.seats.some(({ badges }) => badges.some(({ kind }) => kind === "score"));
  // Room for a pile that is still empty, so that the table does not jump when the first card comes to it.
  const piles = [...placed.own, ...(narrow ? placed.side : [])];
  const railHeight = piles.length > 0 ? cardSize(miniPileOpenCard(narrow) * rem).height : 0;
  return (
    <div
      ref={rail}
      className={`mine-rail ${shown?.turn ? "has-turn" : ""}`}
      style={{ "--rail": `${railHeight}px` } as React.CSSProperties}
    >
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
        <SortButton zones={placed.hand} />
        {hasScoreboard && (
          <button type="button" className="score-sheet-open" onClick={() => openOverlay("scores")}>
            {text.table.scores}
          </button>
        )}
        {narrow && placed.side.map((zone) => <MiniPile key={zone} zone={zone} shown={view.zones[zone]} isOwn />)}
      </div>
    </div>
  );
}

/** Goes from one order of the viewer's cards to the next. Cards can also be dragged. */
function SortButton({ zones }: { zones: number[] }) {
  const { view, table, face } = useTable();
  const { handOrder } = useSettings();
  const isUseful = zones.some((zone) =>
    isSortable(
      table.zones[zone],
      visibleCards(view.zones[zone]?.content).map((card) => face(card.face)),
    ),
  );
  if (!isUseful) return null;
  const label = text.table.handOrders[handOrder];
  return (
    <button
      type="button"
      className="score-sheet-open hand-sort"
      aria-label={text.table.sortHand(label)}
      onClick={() => changeSettings({ handOrder: nextOrder(handOrder) })}
    >
      <span aria-hidden="true">⇅</span> <span className="wide-only">{label}</span>
    </button>
  );
}
