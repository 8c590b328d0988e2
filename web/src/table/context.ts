/** What every part of the table screen needs: the view, who is who, and how to act. */
import { createContext, useContext } from "react";
import type { BackTheme } from "../cards/Back";
import type { Action, Answer, CardFace, Definition, TableDefinition, TableInfo, View, You } from "../protocol/types";
import type { Device } from "../state/pointing";
import type { FaceOf, Selection, Target, TargetState } from "../state/selection";
import type { Snapshot } from "../state/store";
import type { Reader } from "../text/line";

export interface TableContextValue {
  game: Definition;
  table: TableDefinition;
  view: View;
  info: TableInfo;
  you: You;
  snapshot: Snapshot;
  selection: Selection;
  faceOf: FaceOf;
  face: (id: number | undefined) => CardFace | undefined;
  reader: Reader;
  theme: BackTheme;
  /** Pixels of one rem. */
  rem: number;
  /** A phone, or a window as narrow as one. */
  narrow: boolean;
  highlighted: Set<number>;
  /** Why the last thing pointed at can't be chosen. */
  reason: string | null;
  stateOf: (target: Target) => TargetState;
  point: (target: Target, device?: Device) => void;
  select: (selection: Selection) => void;
  answer: (answer: Answer) => void;
  act: (action: Action) => void;
  /** A reaction has been seen long enough. */
  fade: (id: number) => void;
  /** Shows all cards of a zone. */
  look: (zone: number) => void;
}

const TableContext = createContext<TableContextValue | null>(null);

export const TableProvider = TableContext.Provider;

export function useTable(): TableContextValue {
  const value = useContext(TableContext);
  if (!value) throw new Error("used outside a table");
  return value;
}
