/** The score sheet: beside the table if the window is wide enough, else in a panel that a button opens. */
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { useScoreSheet } from "./ScoreSheetButton";
import type { ScoreSheet } from "./scores";

export function ScoreSheetAside() {
  const sheet = useScoreSheet();
  if (!sheet) return null;
  return (
    <aside className="score-sheet-aside" aria-label={text.table.sheet} data-keep>
      <ScoreSheetTable sheet={sheet} />
    </aside>
  );
}

export function ScoreSheetPanel({ onClose }: { onClose: () => void }) {
  const sheet = useScoreSheet();
  return (
    <SidePanel title={text.table.sheet} onClose={onClose} scrollable>
      {sheet && <ScoreSheetTable sheet={sheet} />}
    </SidePanel>
  );
}

/** With more players than this the columns are too narrow for most names, so the names are turned. */
const MAX_UPRIGHT_NAMES = 3;

function ScoreSheetTable({ sheet: { columns, rows, total } }: { sheet: ScoreSheet }) {
  const { view, reader, you } = useTable();
  const classOf = (seat: number) =>
    `${seat === you.seat ? "is-mine" : ""} ${view.seats[seat]?.turn ? "has-turn" : ""}`.trim() || undefined;
  const cellsOf = (label: string, cells: string[]) => (
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
          <tr key={label}>{cellsOf(label, cells)}</tr>
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>{cellsOf(text.table.total, total)}</tr>
        </tfoot>
      )}
    </table>
  );
}
