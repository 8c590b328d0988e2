/**
 * Describes the decision bar as data: the buttons, choices and fields that an open decision needs, and the move that
 * each of them sends.
 */
import {
  type AlternativeView,
  type Answer,
  CONTINUE,
  type DecisionView,
  type PartKindView,
  type RichText,
} from "../protocol/types";
import {
  acceptsSelection,
  type FaceOf,
  isCardPart,
  isScalar,
  moveOfAlternative,
  type PlayerSelection,
  scalarKey,
  scalarOptions,
} from "./selection";

export type Control =
  /** Sends the picked things, or nothing for an alternative without parts. */
  | { kind: "button"; alternative: AlternativeView; move: Answer | null; plain: boolean }
  /** The alternative asks for one value, and each of its buttons sends the complete move. */
  | { kind: "choices"; alternative: AlternativeView; part: number; options: Choice[] }
  /** The alternative asks for several values or a text, so it has fields and a button. */
  | { kind: "form"; alternative: AlternativeView; fields: Field[]; move: Answer | null };

export interface Choice {
  value: number;
  label: ChoiceLabel;
  move: Answer | null;
}

/** The text that the rules give to a value, or yes/no, which the catalogue words. */
export type ChoiceLabel = { text: string } | { yes: boolean };

export type Field =
  | { kind: "value"; part: number; name: string; options: Omit<Choice, "move">[]; chosen: number | null }
  /** A number out of many. It begins with the lowest one. */
  | { kind: "range"; part: number; name: string; options: number[]; chosen: number }
  | { kind: "text"; part: number; name: string; most: number; text: string };

/** An alternative with more values than this has a field instead of buttons. */
const MAX_BUTTONS = 16;

/**
 * Lists the controls of a decision. An alternative that is impossible now has none, and neither has one that can't
 * take what is picked, as long as another one can.
 */
export function listControls(decision: DecisionView, picked: PlayerSelection, faceOf: FaceOf): Control[] {
  const possible = decision.alternatives.filter(({ legal }) => legal);
  const fitting = possible.filter((a) => a.parts.length === 0 || acceptsSelection(a, picked, faceOf));
  const isPicked = fitting.some(({ parts }) => parts.length > 0);
  const offered = isPicked ? fitting : possible.length > 0 ? possible : decision.alternatives;
  return offered.map((alternative): Control => {
    const selection = withLowest(alternative, picked);
    const scalars = alternative.parts.flatMap(({ kind }, at) => (isScalar(kind) ? [at] : []));
    const texts = alternative.parts.some(({ kind }) => "text" in kind);
    const only = scalars[0];
    const onlyKind = only === undefined ? undefined : alternative.parts[only]?.kind;
    if (
      only !== undefined &&
      onlyKind &&
      scalars.length === 1 &&
      !texts &&
      scalarOptions(onlyKind).length <= MAX_BUTTONS
    ) {
      const options = choices(onlyKind).map((choice) => {
        const scalars = { ...selection.scalars, [scalarKey(alternative.index, only)]: choice.value };
        return { ...choice, move: moveOfAlternative(decision, alternative, { ...selection, scalars }, faceOf) };
      });
      // If one value completes the move, the others that don't are impossible with what is picked.
      const isComplete = options.some(({ move }) => move);
      return { kind: "choices", alternative, part: only, options: options.filter(({ move }) => move || !isComplete) };
    }
    const move = moveOfAlternative(decision, alternative, selection, faceOf);
    if (scalars.length > 0 || texts) {
      return { kind: "form", alternative, fields: fields(alternative, selection), move };
    }
    return { kind: "button", alternative, move, plain: alternative.parts.length === 0 };
  });
}

/** A slider stands somewhere from the beginning, so a number out of many begins with the lowest one. */
function withLowest(alternative: AlternativeView, selection: PlayerSelection): PlayerSelection {
  const scalars = { ...selection.scalars };
  alternative.parts.forEach(({ kind }, part) => {
    const lowest = isRange(kind) ? scalarOptions(kind)[0] : undefined;
    if (lowest !== undefined) scalars[scalarKey(alternative.index, part)] ??= lowest;
  });
  return { ...selection, scalars };
}

const isRange = (kind: PartKindView) => "number" in kind && scalarOptions(kind).length > MAX_BUTTONS;

/** Returns the kind of the first part that is not answered yet, or null if the move is complete. */
export function findMissingPart(
  alternative: AlternativeView,
  selection: PlayerSelection,
  faceOf: FaceOf,
): PartKindView | null {
  const decision: DecisionView = { id: 0, alternatives: [alternative] };
  if (moveOfAlternative(decision, alternative, selection, faceOf)) return null;
  const part = alternative.parts.find(({ kind }) => {
    if (isCardPart(kind)) return true;
    if ("pile" in kind) return selection.pile === null;
    if ("player" in kind) return selection.player === null;
    if ("unseen" in kind) return selection.unseen === null;
    return false;
  });
  return part?.kind ?? null;
}

/** Returns the part whose cards are put into numbered slots, because their order matters. */
export function orderedPart(decision: DecisionView | undefined): { low: number; high: number } | null {
  for (const { parts } of decision?.alternatives ?? []) {
    for (const { kind } of parts) {
      if ("cards" in kind && kind.cards.ordered && kind.cards.high > 1) return kind.cards;
    }
  }
  return null;
}

export function labelOf(alternative: AlternativeView): RichText | null {
  return alternative.index === CONTINUE || alternative.label.length === 0 ? null : alternative.label;
}

function choices(kind: PartKindView): Omit<Choice, "move">[] {
  if ("value" in kind) return kind.value.options.map(([value, text]) => ({ value, label: { text } }));
  if ("yesno" in kind) return kind.yesno.options.map((value) => ({ value, label: { yes: value !== 0 } }));
  return scalarOptions(kind).map((value) => ({ value, label: { text: String(value) } }));
}

function fields(alternative: AlternativeView, selection: PlayerSelection): Field[] {
  return alternative.parts.flatMap(({ kind, name }, part): Field[] => {
    const key = scalarKey(alternative.index, part);
    if ("text" in kind) return [{ kind: "text", part, name, most: kind.text.most, text: selection.texts[key] ?? "" }];
    if (!isScalar(kind)) return [];
    if (isRange(kind)) {
      const options = scalarOptions(kind);
      return [{ kind: "range", part, name, options, chosen: selection.scalars[key] ?? options[0] ?? 0 }];
    }
    return [{ kind: "value", part, name, options: choices(kind), chosen: selection.scalars[key] ?? null }];
  });
}
