/** The cloth: the other players round it, and in the middle what everyone plays with. */
import { useMemo, useRef } from "react";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { type Counter, splitStatus } from "./counters";
import { findFreeRect, type Position, placeOnFarSide, placeSeats, type Rect, type Size } from "./geometry";
import { Pile } from "./Pile";
import { PlayedCards } from "./PlayedCards";
import { countRows, orderSeats, type Placement, scaleOf, seatContentOf } from "./placement";
import { Seat } from "./Seat";
import {
  cornerHeight,
  cornerWidthShare,
  counterHeight,
  feltInsetPhonePx,
  feltInsetWide,
  maxCompactSeats,
  maxFullChips,
  maxSeatsRoundPhone,
  seatGapPhonePx,
  seatGapWide,
  seatSize,
  sidePileCard,
  sidePilesLeft,
  sidePilesLeftShare,
  sidePilesUnderSeat,
  surroundedFrom,
  uprightBelow,
} from "./sizes";
import { TableMiddle } from "./TableMiddle";
import { usePileVisibility } from "./usePileVisibility";
import { useSize } from "./useSize";
import "./felt.css";

export function Felt({ placed, textCards }: { placed: Placement; textCards: boolean }) {
  const { view, info, table, game, reader, rem, narrow } = useTable();
  const ref = useRef<HTMLDivElement>(null);
  const measured = useSize(ref);
  // The counters stand at the near edge of the cloth.
  const hasCounters = (table.counters?.length ?? 0) > 0;
  const area = { ...measured, height: Math.max(0, measured.height - (hasCounters ? counterHeight * rem : 0)) };
  const isTaken = (seat: number) => info.players.some((p) => p.seat === seat && p.presence !== "left");
  const others = orderSeats(view, isTaken, table);
  const asChips = narrow ? textCards || others.length > maxSeatsRoundPhone : others.length > maxCompactSeats;
  const content = seatContentOf(table, view);
  const rows = Math.max(0, ...[...placed.seats.values()].map(({ before }) => countRows(before)));
  const seat = seatSize({ content, rows, others: others.length, textCards, narrow, rem });
  const inset = narrow ? feltInsetPhonePx : feltInsetWide * rem;
  // Played cards need the middle; without them the seats of a phone can move together at the far side.
  const isUpright = area.width < area.height * uprightBelow;
  const onFarSide = placed.played.length === 0 && (narrow || isUpright);
  const places = useMemo(() => {
    const inner = { width: area.width - 2 * inset, height: area.height - 2 * inset };
    const size = { width: seat.width, height: seat.height };
    const round =
      narrow && !onFarSide && others.length >= surroundedFrom
        ? placeOnFarSide(others.length, inner, size, true)
        : placeSeats(others.length, inner, size, onFarSide);
    return round.map((p) => ({ ...p, x: p.x + inset, y: p.y + inset }));
  }, [others.length, area.width, area.height, inset, seat.width, seat.height, onFarSide, narrow]);
  const gap = narrow ? seatGapPhonePx : seatGapWide * rem;
  const space: Rect = asChips
    ? { left: gap, top: 0, width: area.width - 2 * gap, height: area.height }
    : findFreeRect(places, seat, area, gap);
  const zonesOf = (of: number) => placed.seats.get(of) ?? { held: [], inFront: [], before: [] };
  const isShown = usePileVisibility();
  // A counter lies beside its pile if the pile is drawn, else on the cloth by itself.
  const { counters } = splitStatus(table, view, reader);
  const piles = [...placed.piles, ...(narrow ? [] : placed.side)];
  const isBesidePile = ({ zone }: Counter) => zone !== undefined && !textCards && piles.includes(zone) && isShown(zone);
  const loose = counters.filter((counter) => !isBesidePile(counter));
  const notes = new Map(
    counters.filter(isBesidePile).map(({ zone, label, value }) => [zone ?? -1, `${label} ${value}`]),
  );
  const isMeasured = area.width > 0;
  /** The strip may be longer than the screen, so it takes the focus: then keys can scroll it. */
  const scrollable = { role: "group", "aria-label": text.table.strip, tabIndex: 0 };
  /** Without any zone there is room for larger dice and seats. */
  const airy = table.zones.length === 0;
  return (
    <section
      ref={ref}
      aria-label={text.table.cloth}
      className={`felt ${asChips ? "with-chips" : ""} ${airy ? "airy" : ""}`}
      style={{ "--seat-w": `${seat.width}px` } as React.CSSProperties}
    >
      <span className="felt-emblem" aria-hidden="true">
        {game.theme.emblem ?? ""}
      </span>
      {isMeasured && asChips && (
        <div className={`seat-strip ${narrow && others.length > maxFullChips ? "many" : ""}`} {...scrollable}>
          {others.map((of) => (
            <Seat key={of} seat={of} {...zonesOf(of)} size="chip" />
          ))}
        </div>
      )}
      {isMeasured &&
        !asChips &&
        others.map((of, i) => (
          <Seat key={of} seat={of} {...zonesOf(of)} size="ring" style={{ left: places[i]?.x, top: places[i]?.y }} />
        ))}
      {isMeasured && !asChips && (
        <PlayedCards zones={placed.played} area={area} seat={seat} others={others} places={places} />
      )}
      {isMeasured && !textCards && !narrow && placed.side.length > 0 && (
        <div className="side-piles" style={{ left: placeSidePiles(places, seat, area, rem) }}>
          {placed.side.filter(isShown).map((zone) => (
            <Pile
              key={zone}
              zone={zone}
              shown={view.zones[zone]}
              note={notes.get(zone)}
              width={sidePileCard * scaleOf(table.zones[zone]) * rem}
            />
          ))}
        </div>
      )}
      {isMeasured && (
        <TableMiddle placed={placed} space={space} scrolls={asChips} textCards={textCards} notes={notes} />
      )}
      {loose.length > 0 && (
        <ul className={`counters ${placed.played.length > 0 ? "in-corner" : ""}`} aria-label={text.table.counters}>
          {loose.map(({ label, value }) => (
            <li key={label} className="counter">
              <span>{label}</span> <b>{value}</b>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The side piles lie in the corner, or beside a seat that stands so low that it would cover them. */
function placeSidePiles(places: Position[], seat: Size, area: Size, rem: number): number {
  const onTheLeft = places.filter(({ x }) => x < area.width * cornerWidthShare);
  const lowest = onTheLeft.sort((a, b) => b.y - a.y)[0];
  const isCovered = lowest && lowest.y + seat.height / 2 > area.height - cornerHeight * rem;
  if (isCovered) return lowest.x + seat.width / 2 - sidePilesUnderSeat * rem;
  return Math.max(sidePilesLeft * rem, area.width * sidePilesLeftShare);
}
