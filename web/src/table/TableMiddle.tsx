/** The middle of the table: grids, piles, rows, slots and dice that belong to nobody. */
import { Card, isReading } from "../cards/Card";
import type { CardView, Content } from "../protocol/types";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { type Surroundings, useTable } from "./context";
import { DiceTray } from "./DiceTray";
import { gridCard, type Rect, rowsFit, type Size } from "./geometry";
import { HitArea } from "./HitArea";
import { Pile } from "./Pile";
import { PromptPanel, usePrompt } from "./PromptPanel";
import { type Group, type Placement, scaleOf } from "./placement";
import { TargetCard } from "./TargetCard";
import { UnseenFan } from "./UnseenFan";
import "./middle.css";

export function TableMiddle({
  placed,
  room,
  flowing,
  reading,
}: {
  placed: Placement;
  room: Rect;
  flowing: boolean;
  reading: boolean;
}) {
  const { rem, narrow, table, view, face } = useTable();
  /** The width of a card that lies in a zone whole, and of all of them. */
  const slotCard = (zone: number) =>
    slotCardWidth(cardsIn(view.zones[zone]?.content), scaleOf(table.zones[zone]), { rem, narrow, face });
  const slotsWidth = (zone: number) => slotCard(zone) * 1.1 * Math.max(1, cardsIn(view.zones[zone]?.content).length);
  const prompt = usePrompt(placed);
  // Cards that are read leave room for piles only while there is nothing to read.
  const nothingToJudge = placed.rows.every(({ zones }) =>
    zones.every((zone) => countOf(view.zones[zone]?.content) === 0),
  );
  const nothingToRead = !prompt && nothingToJudge;
  const central = placed.piles.length > 0 && placed.grids.length === 0 && (!reading || nothingToRead);
  const isWorthIt = (zone: number) => !reading || countOf(view.zones[zone]?.content) > 0;
  // A row of one zone is cards side by side like any other.
  const whole = [...placed.rows.flatMap(({ zones }) => (zones.length === 1 ? zones : [])), ...placed.slots];
  const slots = whole.filter((zone) => zone !== prompt?.zone && countOf(view.zones[zone]?.content) > 0);
  const piles = central ? placed.piles.filter(isWorthIt) : [];
  const pileWidth = (zone: number) => (narrow ? 3.9 : 6.2) * scaleOf(table.zones[zone]) * rem;
  // Slots and piles lie side by side where the room is wide enough, else in rows; smaller, where they would not fit.
  const widths = [...slots.map((zone) => slotsWidth(zone) + rem), ...piles.map((zone) => pileWidth(zone) + rem)];
  const rows = Math.max(1, Math.ceil(widths.reduce((sum, width) => sum + width, 0) / Math.max(1, room.width)));
  const tallest = Math.max(1, ...slots.map((zone) => slotCard(zone)), ...piles.map(pileWidth)) * 1.4;
  const spare = (narrow ? 0.8 : 4.4) * rem + 1.9 * rem * rows;
  // Sets that lie in rows have the piles beside them where the room is wide, else above them.
  const sets = placed.rows.filter(({ zones }) => zones.length > 1);
  const laid = !reading && sets.some(({ zones }) => zones.some((zone) => countOf(view.zones[zone]?.content) > 0));
  const beside = laid && !narrow;
  const high = laid && !beside ? room.height / 2 : room.height;
  const fit = flowing || reading ? 1 : Math.max(0.5, Math.min(1, (high - spare) / (rows * tallest)));
  const pilesTake = widths.reduce((sum, width) => sum + width, 0) * fit;
  const setsRoom = beside
    ? { width: room.width - pilesTake - 2 * rem, height: room.height - 2 * rem }
    : { width: room.width, height: room.height - (pilesTake > 0 ? tallest * fit + 3 * rem : 0) };
  const style = flowing ? undefined : { left: room.left, top: room.top, width: room.width, height: room.height };
  const drawing = view.decision?.alternatives.some(({ parts }) => parts.some(({ kind }) => "unseen" in kind));
  const dice = table.dice.some((layout) => layout.owners.some((owner) => owner === null));
  return (
    <div
      className={`table-middle ${central ? "with-piles" : ""} ${flowing ? "flowing" : ""} ${reading ? "reading" : ""} ${beside ? "beside" : ""}`}
      style={style}
    >
      <UnseenFan width={room.width} />
      {reading && !narrow && nothingToJudge && !central && <PileChips zones={[...placed.piles, ...placed.side]} />}
      {prompt && <PromptPanel prompt={prompt} />}
      {(slots.length > 0 || piles.length > 0) && (
        <div className="middle-piles">
          {slots.map((zone) => (
            <SlotsZone key={zone} zone={zone} fit={fit} />
          ))}
          {piles.map((zone) => (
            <Pile key={zone} zone={zone} shown={view.zones[zone]} width={pileWidth(zone) * fit} />
          ))}
        </div>
      )}
      {placed.grids.map((grid) => (
        <Grid key={grid.title} grid={grid} piles={placed.piles} room={room} />
      ))}
      {sets.map((row) => (
        <Row key={row.title} row={row} room={reading || flowing ? null : setsRoom} />
      ))}
      {dice && (
        <DiceTray room={{ width: room.width, height: (room.height - (narrow ? 0 : 3 * rem)) / (central ? 2 : 1) }} />
      )}
      {placed.towards.length === 0 && !reading && !laid && (
        <Inscription alone={slots.length + piles.length + placed.grids.length === 0 && !dice && !drawing} />
      )}
    </div>
  );
}

/**
 * What the rules say about the table, written on the cloth: large where nothing else lies there. Those who listen have it from
 * the top bar.
 */
function Inscription({ alone }: { alone: boolean }) {
  const { view, reader, narrow } = useTable();
  if (view.status.length === 0 || (narrow && !alone)) return null;
  return (
    <p className={`inscription ${alone ? "alone" : ""}`} aria-hidden="true">
      {view.status.map((line, i) => (
        <span key={String(i)}>{lineText(line, reader)}</span>
      ))}
    </p>
  );
}

function Grid({ grid, piles, room }: { grid: Group; piles: number[]; room: Rect }) {
  const { table, view, rem, narrow } = useTable();
  const rows = Math.ceil(grid.zones.length / grid.columns);
  const labels = narrow ? 0 : 4.2 * rem;
  const { width, beside } = gridCard(
    grid.columns,
    rows,
    piles.length,
    { ...room, height: room.height - labels },
    8.6 * scaleOf(table.zones[grid.zones[0] ?? 0]) * rem,
  );
  const gap = Math.round(width * 0.16);
  return (
    <div className={`grid-and-piles ${beside ? "beside" : "above"}`} style={{ gap: gap * 2 }}>
      <div className="grid-piles" style={{ gap }}>
        {piles.map((zone) => (
          <Pile key={zone} zone={zone} shown={view.zones[zone]} width={width} />
        ))}
      </div>
      <div
        className="grid"
        role="group"
        aria-label={grid.title}
        data-shape="grid"
        style={{ gridTemplateColumns: `repeat(${grid.columns}, auto)`, gap }}
      >
        {grid.zones.map((zone) => (
          <Pile key={zone} zone={zone} shown={view.zones[zone]} width={width} titled={false} />
        ))}
      </div>
    </div>
  );
}

/** The share of a card that the next one of its set covers. */
const OVERLAP = 0.55;

/**
 * Zones in a row: each is one thing that can be chosen, numbered in the order shown, so that nobody knows whose it is.
 * Cards that are read lie whole; others overlap, so that a table full of them still fits.
 */
function Row({ row, room }: { row: Group; room: Size | null }) {
  const { view, table, rem, narrow, stateOf, face, theme } = useTable();
  const filledZones = row.zones.filter((zone) => countOf(view.zones[zone]?.content) > 0);
  const setCard = (zone: number) => (narrow ? 2.7 : 4.4) * scaleOf(table.zones[zone]) * rem;
  const setWidth = (zone: number) =>
    setCard(zone) * (1 + (countOf(view.zones[zone]?.content) - 1) * (1 - OVERLAP)) + 0.4 * rem;
  const tallest = Math.max(1, ...filledZones.map(setCard)) * 1.4 + 0.4 * rem;
  const fit = room ? rowsFit(filledZones.map(setWidth), tallest, room, 0.7 * rem) : 1;
  return (
    <ol className="answers" aria-label={row.title}>
      {filledZones.map((zone, i) => {
        const content = view.zones[zone]?.content;
        const cards = content && content !== "nothing" && "cards" in content ? content.cards : [];
        const state = stateOf({ kind: "pile", zone });
        const hidden = Math.max(0, countOf(content) - cards.length);
        const words = cards.map((c) => c.written ?? face(c.face)?.label).join(" / ");
        const label = text.table.position(i + 1, filledZones.length, words);
        const reads = cards.length === 0 || cards.some((card) => isReading(face(card.face)));
        const width = reads ? (narrow ? 9.1 : 11) * rem : setCard(zone) * fit;
        const inner = (
          <>
            <span className="answer-number">{i + 1}</span>
            {cards.map((card) => (
              <Card key={card.handle} face={face(card.face)} written={card.written} theme={theme} width={width} />
            ))}
            {hidden > 0 && <Card face={undefined} theme={theme} width={4 * rem} />}
          </>
        );
        return (
          <li key={zone} data-zone={zone}>
            <div
              className={`answer is-${state} ${reads ? "" : "overlapping"} ${reads && cards.length > 1 ? "several" : ""}`}
              style={{ "--under": `${-width * OVERLAP}px` } as React.CSSProperties}
            >
              {inner}
              {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Cards side by side, whole. */
function SlotsZone({ zone, fit }: { zone: number; fit: number }) {
  const { view, table, rem, narrow, face } = useTable();
  const content = view.zones[zone]?.content;
  if (!content || content === "nothing") return null;
  const width = slotCardWidth(cardsIn(content), scaleOf(table.zones[zone]), { rem, narrow, face }) * fit;
  if ("count" in content) return <Pile zone={zone} shown={view.zones[zone]} width={width} />;
  return (
    <ul className="slots-zone" data-zone={zone} aria-label={table.zones[zone]?.title}>
      {content.cards.map((card) => (
        <li key={card.handle}>
          <TargetCard card={card} width={width} turned={view.zones[zone]?.turned} />
        </li>
      ))}
    </ul>
  );
}

function slotCardWidth(
  cards: CardView[],
  scale: number,
  { rem, narrow, face }: Pick<Surroundings, "rem" | "narrow" | "face">,
): number {
  const reads = cards.some((card) => isReading(face(card.face)));
  const many = cards.length > (narrow ? 5 : 8);
  return (reads ? 9 : narrow ? (many ? 2.9 : 3.8) : many ? 4.6 : 6) * scale * rem;
}

const cardsIn = (content: Content | undefined): CardView[] =>
  content && content !== "nothing" && "cards" in content ? content.cards : [];

function PileChips({ zones }: { zones: number[] }) {
  const { view, table } = useTable();
  return (
    <div className="pile-chips">
      {zones.map((zone) => {
        const count = countOf(view.zones[zone]?.content);
        if (count === 0) return null;
        return (
          <span key={zone} className="pile-chip" data-zone={zone}>
            <span className="pile-chip-back" />
            {table.zones[zone]?.title} <b>{count}</b>
          </span>
        );
      })}
    </div>
  );
}

function countOf(content: Content | undefined): number {
  if (!content || content === "nothing") return 0;
  return "count" in content ? content.count : content.cards.length;
}
