/**
 * Provides the parts of the table screen with what they need, in three contexts by how often they change. Another
 * player's move changes only the view, so a component that uses only the first two contexts is not drawn again.
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
import type { FaceOf, PlayerSelection, Target, TargetState } from "../state/selection";
import type { ClientState } from "../state/store";
import type { Reader } from "../text/line";

/** The game, the people, the window, and the actions: these do not change from one move to the next. */
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
  /** True on a phone, and in a window that is as narrow as one. */
  narrow: boolean;
  point: (target: Target, device?: Device) => void;
  select: (selection: PlayerSelection) => void;
  answer: (answer: Answer) => void;
  act: (action: Action) => void;
  /** Removes a reaction that the screen has shown long enough. */
  fade: (id: number) => void;
  /** Opens a panel with the cards of a zone, with the score sheet, or with the scores of all players. */
  openOverlay: (at: number | "sheet" | "scores") => void;
}

/** The viewer's open decision and selection: these do not change while others move. */
export interface DecisionState {
  decision: DecisionView | undefined;
  selection: PlayerSelection;
  faceOf: FaceOf;
  stateOf: (target: Target) => TargetState;
  highlighted: Set<number>;
}

/** Everything about the table as it is now. */
export interface CurrentTable extends TableEnvironment, DecisionState {
  view: View;
  snapshot: ClientState;
  /** Why the last target that the person pointed at can't be chosen. */
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
