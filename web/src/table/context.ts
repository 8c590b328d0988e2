/**
 * What the parts of the table screen need, by how often it changes. A move of somebody else changes the view and nothing
 * more, so whatever asks only for its environment and for what is being chosen is left as it is drawn.
 */
import { createContext, useContext } from "react";
import type { BackTheme } from "../cards/Back";
import type {
  Action,
  Answer,
  CardFace,
  DecisionView,
  Definition,
  TableDefinition,
  TableInfo,
  View,
  You,
} from "../protocol/types";
import type { Device } from "../state/pointing";
import type { FaceOf, Selection, Target, TargetState } from "../state/selection";
import type { Snapshot } from "../state/store";
import type { Reader } from "../text/line";

/** The game, who is there, the window, and how to act: the same from one move to the next. */
export interface TableEnvironment {
  game: Definition;
  table: TableDefinition;
  info: TableInfo;
  you: You;
  face: (id: number | undefined) => CardFace | undefined;
  reader: Reader;
  theme: BackTheme;
  /** Pixels of one rem. */
  rem: number;
  /** A phone, or a window as narrow as one. */
  narrow: boolean;
  point: (target: Target, device?: Device) => void;
  select: (selection: Selection) => void;
  answer: (answer: Answer) => void;
  act: (action: Action) => void;
  /** A reaction has been seen long enough. */
  fade: (id: number) => void;
  /** Shows all cards of a zone, or the score sheet. */
  openOverlay: (at: number | "sheet") => void;
}

/** What the viewer is asked, and has picked: the same while others move. */
export interface DecisionState {
  decision: DecisionView | undefined;
  selection: Selection;
  faceOf: FaceOf;
  stateOf: (target: Target) => TargetState;
  highlighted: Set<number>;
}

/** Everything, as it is now. */
export interface CurrentTable extends TableEnvironment, DecisionState {
  view: View;
  snapshot: Snapshot;
  /** Why the last thing pointed at can't be chosen. */
  reason: string | null;
}

const EnvironmentContext = createContext<TableEnvironment | null>(null);
const DecisionStateContext = createContext<DecisionState | null>(null);
const CurrentTableContext = createContext<CurrentTable | null>(null);

export const EnvironmentProvider = EnvironmentContext.Provider;
export const DecisionStateProvider = DecisionStateContext.Provider;
export const CurrentTableProvider = CurrentTableContext.Provider;

export const useEnvironment = (): TableEnvironment => requireProvided(useContext(EnvironmentContext));
export const useDecisionState = (): DecisionState => requireProvided(useContext(DecisionStateContext));
export const useTable = (): CurrentTable => requireProvided(useContext(CurrentTableContext));

function requireProvided<T>(value: T | null): T {
  if (!value) throw new Error("used outside a table");
  return value;
}
