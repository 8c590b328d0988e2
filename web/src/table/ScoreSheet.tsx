/** The score sheet: beside the table where the window is wide, else behind a button. */
import { useMemo } from "react";
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { useEnvironment, useTable } from "./context";
import { buildScoreSheet, type ScoreSheet } from "./scores";
import "./score-sheet.css";

export function useScoreSheet(): ScoreSheet | null {
  const { view, reader } = useTable();
  return useMemo(() => buildScoreSheet(view, reader), [view, reader]);
}

/** A part of the screen of its own. */
export function ScoreSheetAside() {
  const sheet = useScoreSheet();
  if (!sheet) return null;
  return (
    <aside className="score-sheet-aside" aria-label={text.table.sheet} data-keep>
      <ScoreSheetTable sheet={sheet} />
    </aside>
  );
}

export function ScoreSheetButton() {
  const sheet = useScoreSheet();
  const { openOverlay } = useEnvironment();
  if (!sheet) return null;
  return (
    <button type="button" className="score-sheet-open" onClick={() => openOverlay("sheet")}>
      {text.table.sheet}
    </button>
  );
}

/** Over the screen, where there is no room beside the table. */
export function ScoreSheetPanel({ onClose }: { onClose: () => void }) {
  const sheet = useScoreSheet();
  return (
    <SidePanel title={text.table.sheet} onClose={onClose} reading>
      {sheet && <ScoreSheetTable sheet={sheet} />}
    </SidePanel>
  );
}

/** Columns that are wide enough for most names; more of them have their names standing. */
const MAX_UPRIGHT_NAMES = 3;

function ScoreSheetTable({ sheet: { columns, rows, total } }: { sheet: ScoreSheet }) {
  const { view, reader, you } = useTable();
  const classOf = (seat: number) =>
    `${seat === you.seat ? "is-mine" : ""} ${view.seats[seat]?.turn ? "has-turn" : ""}`.trim() || undefined;
  const line = (label: string, cells: string[]) => (
    <>
      <th scope="row">{label}</th>
      {columns.map((seat, i) => (
        <td key={seat} className={classOf(seat)}>
          {cells[i]}
        </td>
      ))}
    </>
  );
  return (
    <table className={`score-sheet ${columns.length > MAX_UPRIGHT_NAMES ? "is-many" : ""}`}>
      <caption className="visually-hidden">{text.table.sheet}</caption>
      <thead>
        <tr>
          <td />
          {columns.map((seat) => (
            <th key={seat} scope="col" className={classOf(seat)} title={reader.nameOf(seat)}>
              <bdi>{seat === you.seat ? text.table.you : reader.nameOf(seat)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, cells }) => (
          <tr key={label}>{line(label, cells)}</tr>
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>{line(text.table.total, total)}</tr>
        </tfoot>
      )}
    </table>
  );
}
