/** The middle of the table: grids, piles, rows, slots and dice that belong to no player. */
import { Suspense, useState } from "react";
import { Card, isTextCard } from "../cards/Card";
import type { CardView, ZoneLayout } from "../protocol/types";
import { cardCount, visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { lineText } from "../text/line";
import { type TableEnvironment, useTable } from "./context";
import { splitStatus } from "./counters";
import { DiceTray } from "./DiceTray";
import { bestColumns, cardSize, fitGrid, fitRows, type Rect, type Size } from "./geometry";
import { HitArea } from "./HitArea";
import { UnseenFans } from "./late";
import { Pile } from "./Pile";
import { PromptPanel, usePrompt } from "./PromptPanel";
import { hasOnlyNumbers, type Placement, placesOf, scaleOf, type ZoneGroup } from "./placement";
import {
  answerWidth,
  diceMargin,
  gridGap,
  gridMargin,
  hiddenAnswerWidth,
  inscriptionMargin,
  maxGridCard,
  middleMargin,
  minMiddleScale,
  pileWidth,
  setCard,
  setGap,
  setOverlap,
  setPadding,
  setsMarginBelow,
  setsMarginBeside,
  setsShareWithGrid,
  slotCard,
  slotCardWithText,
  slotPitch,
  titleMargin,
} from "./sizes";
import { TargetCard } from "./TargetCard";
import { usePileVisibility } from "./usePileVisibility";
import "./middle.css";

interface TableMiddleProps {
  placed: Placement;
  /** The free rectangle between the seats. */
  space: Rect;
  /** The middle is as tall as its content and scrolls with the page, instead of fitting into `space`. */
  scrolls: boolean;
  textCards: boolean;
  /** What counters say beside piles, by zone. */
  notes: Map<number, string>;
}

export function TableMiddle({ placed, space, scrolls, textCards, notes }: TableMiddleProps) {
  const { rem, narrow, table, view, face } = useTable();
  const countIn = (zone: number) => cardCount(view.zones[zone]?.content);
  const cardsIn = (zone: number) => visibleCards(view.zones[zone]?.content);
  const slotCardOf = (zone: number) => slotCardWidth(cardsIn(zone), scaleOf(table.zones[zone]), { rem, narrow, face });
  const slotsWidth = (zone: number) => slotCardOf(zone) * slotPitch * Math.max(1, cardsIn(zone).length);
  const pileCardOf = (zone: number) => pileWidth(narrow) * scaleOf(table.zones[zone]) * rem;
  const prompt = usePrompt(placed);
  const [preview, setPreview] = useState<number | null>(null);
  // Piles get room beside cards with text only while there is nothing to read.
  const hasNoAnswers = placed.rows.every(({ zones }) => zones.every((zone) => countIn(zone) === 0));
  const hasNothingToRead = !prompt && hasNoAnswers;
  const showsPiles = placed.piles.length > 0 && placed.grids.length === 0 && (!textCards || hasNothingToRead);
  // A row with one zone is drawn like slots: its cards lie side by side.
  const wholeZones = [...placed.rows.flatMap(({ zones }) => (zones.length === 1 ? zones : [])), ...placed.slots];
  const slots = wholeZones.filter((zone) => zone !== prompt?.zone && countIn(zone) > 0);
  const isShown = usePileVisibility();
  const piles = showsPiles ? placed.piles.filter((zone) => isShown(zone) && (!textCards || countIn(zone) > 0)) : [];
  // Slots and piles lie side by side if the space is wide enough, else in rows; they shrink if they do not fit.
  const widths = [...slots.map((zone) => slotsWidth(zone) + rem), ...piles.map((zone) => pileCardOf(zone) + rem)];
  const totalWidth = widths.reduce((sum, width) => sum + width, 0);
  const rows = Math.max(1, Math.ceil(totalWidth / Math.max(1, space.width)));
  const tallest = cardSize(Math.max(1, ...slots.map(slotCardOf), ...piles.map(pileCardOf))).height;
  const margin = middleMargin(narrow) * rem + titleMargin * rem * rows;
  // Sets in rows have the piles beside them if the screen is wide, else above them.
  const sets = placed.rows.filter(({ zones }) => zones.length > 1);
  const hasSets = !textCards && sets.some(({ zones }) => zones.some((zone) => countIn(zone) > 0));
  const isBeside = hasSets && !narrow;
  const pilesHeight = hasSets && !isBeside ? space.height / 2 : space.height;
  const scale =
    scrolls || textCards ? 1 : Math.max(minMiddleScale, Math.min(1, (pilesHeight - margin) / (rows * tallest)));
  // Piles as small as they may be take all the room there is, so the status stays in the top bar.
  const isCramped = !narrow && !scrolls && widths.length > 0 && scale === minMiddleScale;
  const pilesTake = totalWidth * scale;
  const setsSpace = isBeside
    ? {
        width: space.width - pilesTake - setsMarginBeside * rem,
        height: space.height - setsMarginBeside * rem,
      }
    : {
        width: space.width,
        height: space.height - (pilesTake > 0 ? tallest * scale + setsMarginBelow * rem : 0),
      };
  // Grid and sets share the middle: one beside the other if the screen is wide, else one below the other.
  const shareOf = (share: number) =>
    narrow
      ? { width: space.width, height: space.height * share }
      : { width: space.width * share - setsMarginBeside * rem, height: space.height };
  const gridSpace = hasSets ? shareOf(1 - setsShareWithGrid) : space;
  const setsWithGrid = shareOf(setsShareWithGrid);
  const style = scrolls ? undefined : { left: space.left, top: space.top, width: space.width, height: space.height };
  const hasUnseenFan = view.decision?.alternatives.some(({ parts }) => parts.some(({ kind }) => "unseen" in kind));
  const hasDice = table.dice.some((layout) => layout.owners.some((owner) => owner === null));
  const diceHeight = (space.height - diceMargin(narrow) * rem) / (showsPiles ? 2 : 1);
  return (
    <div
      className={`table-middle ${showsPiles ? "with-piles" : ""} ${scrolls ? "flowing" : ""} ${textCards ? "reading" : ""} ${isBeside ? "beside" : ""} ${isCramped ? "cramped" : ""}`}
      style={style}
    >
      <Suspense fallback={null}>
        <UnseenFans width={space.width} laid={placed.before.flatMap(({ zones }) => zones)} />
      </Suspense>
      {textCards && !narrow && hasNoAnswers && !showsPiles && <PileChips zones={[...placed.piles, ...placed.side]} />}
      {prompt && <PromptPanel prompt={prompt} preview={preview} />}
      {(slots.length > 0 || piles.length > 0) && (
        <div className="middle-piles">
          {slots.map((zone) => (
            <SlotsZone key={zone} zone={zone} scale={scale} />
          ))}
          {piles.map((zone) => (
            <Pile
              key={zone}
              zone={zone}
              shown={view.zones[zone]}
              note={notes.get(zone)}
              width={pileCardOf(zone) * scale}
            />
          ))}
        </div>
      )}
      {placed.grids.map((grid) => (
        <Grid key={grid.id} grid={grid} piles={placed.piles.filter(isShown)} space={gridSpace} notes={notes} />
      ))}
      {sets.map((row) => (
        <Row
          key={row.id}
          row={row}
          space={textCards || scrolls ? null : placed.grids.length > 0 ? setsWithGrid : setsSpace}
          onPreview={setPreview}
          isTitled={!prompt}
        />
      ))}
      {hasDice && <DiceTray space={{ width: space.width, height: diceHeight }} />}
      {placed.played.length === 0 && !textCards && !hasSets && !isCramped && (
        <Inscription isAlone={slots.length + piles.length + placed.grids.length === 0 && !hasDice && !hasUnseenFan} />
      )}
    </div>
  );
}

/**
 * The status of the table, written on the cloth; large if nothing else lies there. Screen readers get it from the top
 * bar instead.
 */
function Inscription({ isAlone }: { isAlone: boolean }) {
  const { table, view, reader, narrow } = useTable();
  const { lines } = splitStatus(table, view, reader);
  if (lines.length === 0 || (narrow && !isAlone)) return null;
  return (
    <p className={`inscription ${isAlone ? "alone" : ""}`} aria-hidden="true">
      {lines.map((line, i) => (
        <span key={String(i)}>{lineText(line, reader)}</span>
      ))}
    </p>
  );
}

interface GridProps {
  grid: ZoneGroup;
  piles: number[];
  space: Size;
  notes: Map<number, string>;
}

function Grid({ grid, piles, space, notes }: GridProps) {
  const { table, view, reader, rem, narrow } = useTable();
  const below = splitStatus(table, view, reader).lines.length > 0 && !narrow ? inscriptionMargin : gridMargin(narrow);
  const isNumbered = grid.zones.every((zone) => hasOnlyNumbers(table.zones[zone]));
  const most = maxGridCard * scaleOf(table.zones[grid.zones[0] ?? 0]) * rem;
  const fitInto = (columns: number, rows: number) => {
    const titles = isNumbered ? 0 : (rows + 1) * titleMargin * rem;
    const height = space.height - below * rem - titles;
    return fitGrid(columns, rows, piles.length, { width: space.width, height }, most);
  };
  const columns = grid.columns || bestColumns(grid.zones.length, (across, down) => fitInto(across, down).width);
  const { width, beside } = fitInto(columns, Math.ceil(grid.zones.length / columns));
  const gap = Math.round(width * gridGap);
  // Zones by suit or by another word have that word as their title; the place in the grid says a number.
  const titleOf = (zone: number) => {
    const label = placesOf(table.zones[zone] as ZoneLayout)
      .map(({ label }) => label)
      .join(" ");
    return isNumbered ? null : label;
  };
  return (
    <div className={`grid-and-piles ${beside ? "beside" : "above"}`} style={{ gap: gap * 2 }}>
      <div className="grid-piles" style={{ gap }}>
        {piles.map((zone) => (
          <Pile key={zone} zone={zone} shown={view.zones[zone]} note={notes.get(zone)} width={width} />
        ))}
      </div>
      <div
        className="grid"
        role="group"
        aria-label={grid.title}
        data-shape="grid"
        style={{ gridTemplateColumns: `repeat(${columns}, auto)`, gap }}
      >
        {!isNumbered && <span className="grid-title">{grid.title}</span>}
        {grid.zones.map((zone) => (
          <Pile key={zone} zone={zone} shown={view.zones[zone]} width={width} title={titleOf(zone)} />
        ))}
      </div>
    </div>
  );
}

/**
 * Zones in a row. Each zone is one thing that a player can choose, numbered in the order shown, so that nobody learns
 * whose it is. Cards with text lie whole; others overlap, so that a table full of them still fits.
 */
interface RowProps {
  row: ZoneGroup;
  space: Size | null;
  /** The person looks at an answer, or at none; the prompt shows it filled in. */
  onPreview: (zone: number | null) => void;
  /** The title is drawn; below a prompt there is no doubt what the cards are. */
  isTitled: boolean;
}

function Row({ row, space, onPreview, isTitled }: RowProps) {
  const { view, table, rem, narrow, stateOf, face, theme } = useTable();
  const filledZones = row.zones.filter((zone) => cardCount(view.zones[zone]?.content) > 0);
  const padding = setPadding * rem;
  const setCardOf = (zone: number) => setCard(narrow) * scaleOf(table.zones[zone]) * rem;
  const setWidth = (zone: number) =>
    setCardOf(zone) * (1 + (cardCount(view.zones[zone]?.content) - 1) * (1 - setOverlap)) + padding;
  const tallest = cardSize(Math.max(1, ...filledZones.map(setCardOf))).height + padding;
  const room = space && isTitled ? { ...space, height: space.height - titleMargin * rem } : space;
  const scale = room ? fitRows(filledZones.map(setWidth), tallest, room, setGap * rem) : 1;
  const titleOf = (zone: number) => {
    const layout = table.zones[zone];
    return !layout || hasOnlyNumbers(layout)
      ? null
      : placesOf(layout)
          .map(({ label }) => label)
          .join(" ");
  };
  if (filledZones.length === 0) return null;
  return (
    <ol className="answers" aria-label={row.title}>
      {isTitled && (
        <li className="row-title" aria-hidden="true">
          <span className="pile-title">{row.title}</span>
        </li>
      )}
      {filledZones.map((zone, i) => {
        const content = view.zones[zone]?.content;
        const cards = visibleCards(content);
        const state = stateOf({ kind: "pile", zone });
        const hiddenCount = Math.max(0, cardCount(content) - cards.length);
        const words = cards.map((c) => c.written ?? face(c.face)?.label).join(" / ");
        const named = [titleOf(zone), words].filter(Boolean).join(": ");
        const label = text.table.position(i + 1, filledZones.length, named);
        const hasText = cards.length === 0 || cards.some((card) => isTextCard(face(card.face)));
        const width = hasText ? answerWidth(narrow) * rem : setCardOf(zone) * scale;
        return (
          <li
            key={zone}
            data-zone={zone}
            onPointerEnter={() => onPreview(zone)}
            onPointerLeave={() => onPreview(null)}
            onFocus={() => onPreview(zone)}
            onBlur={() => onPreview(null)}
          >
            <div
              className={`answer is-${state} ${hasText ? "" : "overlapping"} ${hasText && cards.length > 1 ? "several" : ""}`}
              style={{ "--under": `${-width * setOverlap}px` } as React.CSSProperties}
            >
              <span className="answer-number">{titleOf(zone) ?? i + 1}</span>
              {cards.map((card) => (
                <Card key={card.handle} face={face(card.face)} written={card.written} theme={theme} width={width} />
              ))}
              {hiddenCount > 0 && <Card face={undefined} theme={theme} width={hiddenAnswerWidth * rem} />}
              {state !== "idle" && <HitArea target={{ kind: "pile", zone }} state={state} label={label} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Cards side by side, whole. */
function SlotsZone({ zone, scale }: { zone: number; scale: number }) {
  const { view, table, rem, narrow, face } = useTable();
  const content = view.zones[zone]?.content;
  if (!content || content === "nothing") return null;
  const width = slotCardWidth(visibleCards(content), scaleOf(table.zones[zone]), { rem, narrow, face }) * scale;
  if ("count" in content) return <Pile zone={zone} shown={view.zones[zone]} width={width} />;
  const title = table.zones[zone]?.title;
  return (
    <div className="slots-titled">
      <ul className="slots-zone" data-zone={zone} aria-label={title}>
        {content.cards.map((card) => (
          <li key={card.handle}>
            <TargetCard card={card} width={width} turned={view.zones[zone]?.turned} />
          </li>
        ))}
      </ul>
      <span className="pile-title" aria-hidden="true">
        {title}
      </span>
    </div>
  );
}

function slotCardWidth(
  cards: CardView[],
  scale: number,
  { rem, narrow, face }: Pick<TableEnvironment, "rem" | "narrow" | "face">,
): number {
  const { few, many, manyAbove } = slotCard(narrow);
  if (cards.some((card) => isTextCard(face(card.face)))) return slotCardWithText * scale * rem;
  return (cards.length > manyAbove ? many : few) * scale * rem;
}

function PileChips({ zones }: { zones: number[] }) {
  const { view, table } = useTable();
  return (
    <div className="pile-chips">
      {zones.map((zone) => {
        const count = cardCount(view.zones[zone]?.content);
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
