/** The button that opens the score sheet, if the game has one. The sheet itself is loaded after the table. */
import { useMemo } from "react";
import { text } from "../text/catalogue";
import { useEnvironment, useTable } from "./context";
import { buildScoreSheet, type ScoreSheet } from "./scores";
import "./score-sheet.css";

export function useScoreSheet(): ScoreSheet | null {
  const { view, reader } = useTable();
  return useMemo(() => buildScoreSheet(view, reader), [view, reader]);
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
