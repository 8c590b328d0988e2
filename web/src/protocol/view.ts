/**
 * What one viewer may see, as it comes over the wire: the twin of `crates/engine/src/view.rs`.
 * Written by hand until the generated types replace it; nothing outside `protocol/` repeats these shapes.
 */

/** A per-viewer name for a card. */
export type Handle = number;
/** Index into the catalogue of faces. */
export type FaceId = number;

export interface View {
  seat?: number;
  seq: number;
  phase?: string;
  lead?: number;
  seats: SeatView[];
  zones: ZoneView[];
  values: ValueView[];
  dice: DiceView[];
  highlights: Handle[];
  status: Line[];
  waiting: Waiting[];
  decision?: DecisionView;
  outcome?: OutcomeView;
}

export type Line = Piece[];
export type Piece = { text: string } | { seat: number } | { face: FaceId } | { written: string };

export interface SeatView {
  playing: boolean;
  present: boolean;
  person: boolean;
  pending: boolean;
  turn: boolean;
  badges: BadgeView[];
  status: [string, Line | null][];
}

export interface BadgeView {
  kind: string;
  label?: Line;
  value?: Line;
}

export interface ZoneView {
  content: Content;
  turned: boolean;
}

export type Content = { cards: CardView[] } | { count: number } | "nothing";

export interface CardView {
  handle: Handle;
  face?: FaceId;
  written?: string;
  by?: number;
}

export interface ValueView {
  values: (number | null)[];
}

export interface DiceView {
  faces: (number | null)[];
}

export interface Waiting {
  seat: number;
  decision: number;
  prompt?: Line;
  seconds?: number;
}

export interface DecisionView {
  id: number;
  prompt?: Line;
  alternatives: AlternativeView[];
}

export interface AlternativeView {
  name: string;
  label: Line;
  index: number;
  legal: boolean;
  parts: PartView[];
  combinations?: number[][];
}

export interface PartView {
  name: string;
  kind: PartKind;
}

export type PartKind =
  | { card: { options: Handle[]; blocked: [Handle, Line | null][] } }
  | { unseen: { zone: number; count: number } }
  | { cards: { low: number; high: number; options: Handle[]; ordered: boolean } }
  | { sets: { options: Handle[][] } }
  | { number: { options: number[] } }
  | { pile: { options: [number, number][] } }
  | { player: { options: number[] } }
  | { value: { options: [number, string][] } }
  | { yesno: { options: number[] } }
  | { text: { most: number } }
  | { dice: { dice: number; options: number[] } };

export interface OutcomeView {
  kind: string;
  winners: number[];
  losers: number[];
  ranks: (number | null)[];
  banner?: Line;
  fault?: string;
}

export type Event =
  | { moved: { from: number | null; to: number | null; count: number; gone: Handle[]; came: Placed[] } }
  | { zone: { zone: number; view: ZoneView } }
  | { cards: { zone: number; cards: CardView[] } }
  | { turned: { zone: number; turned: boolean } }
  | { shuffled: { zone: number } }
  | { value: { var: number; element: number; value: number | null } }
  | { dice: { dice: number; element: number; face: number | null } }
  | { rolled: { dice: number; elements: number[] } }
  | { phase: { phase: string | null } }
  | { lead: { seat: number | null } }
  | { seat: { seat: number; view: SeatView } }
  | { highlights: { handles: Handle[] } }
  | { status: { lines: Line[] } }
  | { waiting: { waiting: Waiting[] } }
  | { decision: { decision: DecisionView | null } }
  | { announced: { text: Line; kind: string } }
  | { revealed: { text: Line | null; zone: number | null; faces: FaceId[] } }
  | { outcome: { outcome: OutcomeView } };

export interface Placed {
  at: number;
  card: CardView;
}

export interface Batch {
  seq: number;
  cause: Cause;
  events: Event[];
}

export type Cause = "start" | { move: { seat: number } } | { input: { kind: string; seat: number | null } };

/** An answer to a decision. Cards are named by handle, a single card or a number by `number`. */
export interface Move {
  decision: number;
  alternative: number;
  parts: PartValue[];
}

export type PartValue = { number: number } | { cards: Handle[] } | { text: string };

/** The alternative offered when the rules leave nothing else. */
export const CONTINUE = 65535;
