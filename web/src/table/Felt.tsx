/** The cloth: the other players round it, and in the middle what everyone plays with. */
import { useMemo, useRef } from "react";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { inside, type Rect, ring } from "./geometry";
import { Pile } from "./Pile";
import { PlayedCards } from "./PlayedCards";
import { type Placement, scaleOf, seatsAround } from "./placement";
import { Seat } from "./Seat";
import { TableMiddle } from "./TableMiddle";
import { useSize } from "./useSize";
import "./felt.css";

/** More others than this do not fit round a phone; they become chips in a strip. */
const MOST_ROUND_A_PHONE = 7;

export function Felt({ placed, reading }: { placed: Placement; reading: boolean }) {
  const { view, info, table, game, rem, narrow } = useTable();
  const ref = useRef<HTMLDivElement>(null);
  const area = useSize(ref);
  const taken = (seat: number) => info.players.some((p) => p.seat === seat && p.presence !== "left");
  const others = seatsAround(view, taken);
  const isBefore = ({ owner, shape }: { owner?: number; shape: string }) =>
    owner !== undefined && shape !== "fan" && shape !== "auto";
  /** Nothing but dice and seats: they may be larger. */
  const airy = table.zones.length === 0;
  /** Something is shown below the others' names. */
  const below = table.zones.some(isBefore) || view.seats.some(({ badges }) => badges.length > 1);
  /** Cards above the name as well as below it. */
  const tall =
    table.zones.some(isBefore) && table.zones.some(({ owner, shape }) => owner !== undefined && shape === "fan");
  /** Cards that lie open before somebody are there to be read. */
  const rows = tall && table.zones.some((zone) => isBefore(zone) && (zone.shape === "row" || zone.shape === "slots"));
  const chips = narrow && (reading || others.length > MOST_ROUND_A_PHONE);
  const many = others.length > 9;
  const crowded = others.length > 11;
  const seat = narrow
    ? { width: 104, height: (rows ? 9.2 : tall ? 7.8 : below ? 6.6 : 5.3) * rem }
    : {
        width: (many ? 9.5 : 12) * rem,
        height: (crowded ? 2.6 : reading || many ? 5.6 : rows ? 9.4 : tall ? 8.6 : 7.4) * rem,
      };
  const inset = narrow ? 4 : 1.1 * rem;
  const high = placed.towards.length === 0;
  const places = useMemo(() => {
    const within = { width: area.width - 2 * inset, height: area.height - 2 * inset };
    const round = ring(others.length, within, { width: seat.width, height: seat.height }, high);
    return round.map((p) => ({ ...p, x: p.x + inset, y: p.y + inset }));
  }, [others.length, area.width, area.height, inset, seat.width, seat.height, high]);
  const gap = narrow ? 6 : 1.2 * rem;
  const room: Rect = chips
    ? { left: gap, top: 0, width: area.width - 2 * gap, height: area.height }
    : inside(places, seat, area, gap);
  // In the corner, unless somebody sits so low that it would lie under them: then beside them.
  const lowest = places.filter(({ x }) => x < area.width * 0.3).sort((a, b) => b.y - a.y)[0];
  const under = lowest && lowest.y + seat.height / 2 > area.height - 7.6 * rem;
  const sideLeft = under ? lowest.x + seat.width / 2 - 1.8 * rem : Math.max(1.2 * rem, area.width * 0.025);
  const zonesOf = (of: number) => placed.seats.get(of) ?? { held: [], before: [] };
  const ready = area.width > 0;
  /** A strip that may be longer than the screen takes the focus, so that keys can scroll it. */
  const scrolled = { role: "group", "aria-label": text.table.strip, tabIndex: 0 };
  return (
    <section
      ref={ref}
      aria-label={text.table.cloth}
      className={`felt ${chips ? "with-chips" : ""} ${airy ? "airy" : ""}`}
      style={{ "--seat-w": `${seat.width}px` } as React.CSSProperties}
    >
      <span className="felt-emblem" aria-hidden="true">
        {game.theme.emblem ?? ""}
      </span>
      {ready && chips && (
        <div className={`seat-strip ${others.length > 8 ? "many" : ""}`} {...scrolled}>
          {others.map((of) => (
            <Seat key={of} seat={of} {...zonesOf(of)} size="chip" />
          ))}
        </div>
      )}
      {ready &&
        !chips &&
        others.map((of, i) => (
          <Seat
            key={of}
            seat={of}
            {...zonesOf(of)}
            size={crowded ? "small" : "ring"}
            style={{ left: places[i]?.x, top: places[i]?.y }}
          />
        ))}
      {ready && !chips && (
        <PlayedCards zones={placed.towards} area={area} seat={seat} others={others} places={places} />
      )}
      {ready && !reading && !narrow && placed.side.length > 0 && (
        <div className="side-piles" style={{ left: sideLeft }}>
          {placed.side.map((zone) => (
            <Pile key={zone} zone={zone} shown={view.zones[zone]} width={3.9 * scaleOf(table.zones[zone]) * rem} />
          ))}
        </div>
      )}
      {ready && <TableMiddle placed={placed} room={room} flowing={chips} reading={reading} />}
    </section>
  );
}
