/**
 * The prompt of the open decision, with buttons and fields to answer it. It keeps its height when no decision is
 * open, so that the table does not jump.
 */
import { Suspense, useEffect, useRef, useState } from "react";
import type { AlternativeView, PartKindView } from "../protocol/types";
import {
  type Choice,
  type Control,
  type Field,
  findMissingPart,
  labelOf,
  listControls,
  orderedPart,
} from "../state/controls";
import { findIndexTargets } from "../state/indexTargets";
import { clearPicked, isEmpty, scalarKey } from "../state/selection";
import { text } from "../text/catalogue";
import { joinNames, lineText } from "../text/line";
import { Clock } from "./Clock";
import { useTable } from "./context";
import { AbsenceNotes, OrderedSlots, RangeField } from "./late";
import { maxKeptBarHeightPx } from "./sizes";
import { type AnswerCount, useAnswerCount } from "./useAnswerCount";
import "./decision.css";

interface DecisionBarProps {
  /** Whether the bar stays as tall as it has been at this width. It need not if nothing lies below it. */
  keepsHeight: boolean;
  /** An answer is about to be sent and can be taken back. */
  held: boolean;
  onTakeBack: () => void;
}

export function DecisionBar({ keepsHeight, held, onTakeBack }: DecisionBarProps) {
  const ref = useRef<HTMLDivElement>(null);
  const tallest = useRef({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (!element || !keepsHeight) return;
    // The observer runs after the browser has laid out the page, so that a move never waits for a measurement.
    const observer = new ResizeObserver((entries) => {
      const { width, height } = entries[0]?.contentRect ?? { width: 0, height: 0 };
      if (width !== tallest.current.width) tallest.current = { width, height: 0 };
      // Rows of short buttons come and go, so the bar does not keep their height.
      if (element.querySelector(".short")) return;
      const minHeight = Math.max(tallest.current.height, Math.min(height, maxKeptBarHeightPx));
      if (minHeight === tallest.current.height) return;
      tallest.current.height = minHeight;
      element.style.minHeight = `${minHeight}px`;
    });
    const content = element.firstElementChild;
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [keepsHeight]);
  return (
    <div ref={ref} className="decision-place">
      <div>{held ? <HeldNotice onTakeBack={onTakeBack} /> : <DecisionPanel />}</div>
    </div>
  );
}

function DecisionPanel() {
  const { view, table, reader, selection, faceOf, reason, snapshot, select } = useTable();
  /** The alternative whose form is open, and the decision that it belongs to. */
  const [open, setOpen] = useState<{ decision: number; alternative: number } | null>(null);
  const { decision } = view;
  const answered = useAnswerCount(view);
  if (!decision) return <WaitingNotice answered={answered} />;
  const shownControls = listControls(decision, selection, faceOf);
  // The hint about what is still to be picked appears once, after the last control that hints it.
  const hints = shownControls.map((control) => {
    const isComplete =
      control.kind === "form" ||
      (control.kind === "button" && (control.plain || control.move || !control.alternative.legal));
    return isComplete ? null : hintFor(findMissingPart(control.alternative, selection, faceOf), selection.cards.length);
  });
  const prompt = lineText(decision.prompt, reader) || text.table.yourTurn;
  const hasGrid = (index: number) =>
    [...findIndexTargets(decision, table, view).values()].some(
      ({ alternative, scalars }) => alternative.index === index && Object.keys(scalars).length === 2,
    );
  // A button that comes and goes with what is picked would confuse, so the picked things do not count here.
  const isOnly = decision.alternatives.filter(({ legal }) => legal).length <= 1;
  const ordered = orderedPart(decision);
  const takesSeveral = shownControls.some(
    (c) => c.kind === "button" && c.alternative.parts.some(({ kind }) => "sets" in kind || "cards" in kind),
  );
  return (
    <section
      className="decision"
      aria-label={text.table.yourTurn}
      aria-busy={snapshot.sending}
      data-decision={decision.id}
      data-keep
    >
      <p className="decision-prompt">
        <span>{prompt}</span>
        <Clock decision={decision.id} />
      </p>
      {answered && <AnswerCountNote answered={answered} />}
      {(reason || snapshot.refusal) && (
        <p className="decision-reason" role="alert">
          {reason ?? (lineText(snapshot.refusal?.line, reader) || snapshot.refusal?.text)}
        </p>
      )}
      <Suspense fallback={null}>
        <AbsenceNotes />
      </Suspense>
      <Suspense fallback={null}>{ordered && <OrderedSlots low={ordered.low} high={ordered.high} />}</Suspense>
      <ul className="decision-controls" aria-label={prompt}>
        {shownControls.map((control, i) => (
          <ControlItem
            key={control.alternative.index}
            control={control}
            isOnly={isOnly}
            isOpen={open?.decision === decision.id && open.alternative === control.alternative.index}
            hasGrid={hasGrid(control.alternative.index)}
            onOpen={() => setOpen({ decision: decision.id, alternative: control.alternative.index })}
            hint={hints.lastIndexOf(hints[i] ?? null) === i ? (hints[i] ?? null) : null}
          />
        ))}
        {takesSeveral && !isEmpty(selection) && (
          <li>
            <button
              type="button"
              className="button on-cloth secondary small"
              onClick={() => select(clearPicked(selection))}
            >
              {text.table.clear}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

const AnswerCountNote = ({ answered: { count, of } }: { answered: AnswerCount }) => (
  <p className="decision-need answer-count">{text.table.answered(count, of)}</p>
);

function HeldNotice({ onTakeBack }: { onTakeBack: () => void }) {
  const { view } = useTable();
  return (
    <section
      className="decision is-held"
      aria-label={text.table.yourTurn}
      aria-busy="true"
      data-decision={view.decision?.id}
      data-keep
    >
      <p className="decision-prompt" role="status">
        <span>{text.table.held}</span>
      </p>
      <button type="button" className="button on-cloth primary" onClick={onTakeBack}>
        {text.table.takeBack}
      </button>
    </section>
  );
}

function WaitingNotice({ answered }: { answered: AnswerCount | null }) {
  const { view, reader, you } = useTable();
  const watching = you.seat === undefined;
  const because = you.watchingBecause && (text.home.refusals[you.watchingBecause] ?? null);
  if (view.outcome) return <section className="decision waiting" />;
  const names = [...new Set(view.waiting.map(({ seat }) => seat))].map(reader.nameOf);
  const waiting = names.length > 0 ? text.table.turnOf(joinNames(names, text.table.and, text.table.others)) : "";
  return (
    <section className="decision waiting">
      <p className="decision-prompt">
        <span>{watching ? `${text.table.spectator}. ${waiting}` : waiting}</span>
        {view.waiting[0] && <Clock decision={view.waiting[0].decision} />}
      </p>
      {answered && <AnswerCountNote answered={answered} />}
      <Suspense fallback={null}>
        <AbsenceNotes />
      </Suspense>
      {watching && because && <p className="decision-need">{because}</p>}
    </section>
  );
}

/** A button with at most this many letters, such as a number or a rank, is narrow: many of them stand in a row. */
const MAX_SHORT_LABEL = 2;

interface ControlItemProps {
  control: Control;
  isOnly: boolean;
  /** Whether the form of the alternative is open. */
  isOpen: boolean;
  /** Two numbers of the alternative stand for a row and a column. */
  hasGrid: boolean;
  onOpen: () => void;
  hint: string | null;
}

function ControlItem({ control, isOnly, isOpen, hasGrid, onOpen, hint }: ControlItemProps) {
  const { reader, answer, snapshot, narrow } = useTable();
  const { alternative } = control;
  const label = labelOf(alternative);
  const buttonLabel =
    (label && lineText(label, reader)) ||
    (control.kind === "button" && control.plain ? text.table.continue : text.table.play);
  if (control.kind === "choices") {
    const short = control.options.every((option) => choiceLabel(option).length <= MAX_SHORT_LABEL);
    return (
      <li className="choices-item">
        <div className="choices-row" role="group" aria-label={buttonLabel}>
          {!isOnly && <span className="choices-title">{buttonLabel}</span>}
          {control.options.map((option) => (
            <button
              key={option.value}
              type="button"
              className={`button on-cloth ${option.move ? "primary" : ""} ${short ? "short" : ""}`}
              disabled={!option.move || snapshot.sending}
              onClick={() => option.move && answer(option.move)}
            >
              {choiceLabel(option)}
            </button>
          ))}
          {hint && <span className="decision-need">{hint}</span>}
        </div>
      </li>
    );
  }
  if (control.kind === "form") {
    return (
      <li>
        <Form
          key={alternative.index}
          control={control}
          label={buttonLabel}
          isOpen={isOnly || isOpen}
          hasGrid={hasGrid}
          onOpen={onOpen}
        />
      </li>
    );
  }
  const takesOneCard =
    alternative.parts.length === 1 && alternative.parts.every(({ kind }) => "card" in kind || "unseen" in kind);
  // A player points at the card that the alternative takes, so it needs no button.
  if (isOnly && takesOneCard) return null;
  return (
    <>
      <li>
        <button
          type="button"
          className={`button on-cloth ${control.move && !control.plain ? "primary" : ""} ${control.plain && isOnly ? "primary" : ""}`}
          disabled={!control.move || snapshot.sending}
          onClick={() => control.move && answer(control.move)}
        >
          {buttonLabel}
        </button>
      </li>
      {hint && !narrow && <li className="decision-need">{hint}</li>}
    </>
  );
}

interface FormProps {
  control: Extract<Control, { kind: "form" }>;
  label: string;
  isOpen: boolean;
  hasGrid: boolean;
  onOpen: () => void;
}

function Form({ control, label, isOpen, hasGrid, onOpen }: FormProps) {
  const { answer, snapshot, selection } = useTable();
  const { index } = control.alternative;
  // A card or a thing with a number that the person has touched opens the form that it belongs to.
  const hasInput =
    selection.cards.length > 0 ||
    control.fields.some(
      ({ part }) => selection.texts[scalarKey(index, part)] || selection.scalars[scalarKey(index, part)] !== undefined,
    );
  if (!isOpen && !hasInput) {
    return (
      <button type="button" className="button on-cloth" disabled={!control.alternative.legal} onClick={onOpen}>
        {label} …
      </button>
    );
  }
  return (
    <form
      className="decision-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (control.move) answer(control.move);
      }}
    >
      {control.fields.map((field) => (
        <FieldInput
          key={field.part}
          field={field}
          alternative={control.alternative}
          label={control.fields.length === 1 ? label : titleOfPart(control, field, hasGrid)}
          isOnly={control.fields.length === 1}
        />
      ))}
      <button
        type="submit"
        className={`button on-cloth ${control.move ? "primary" : ""}`}
        disabled={!control.move || snapshot.sending}
      >
        {label}
      </button>
    </form>
  );
}

interface FieldInputProps {
  field: Field;
  alternative: AlternativeView;
  /** The title of the part, or the label of the form if it has no other field. */
  label: string;
  isOnly: boolean;
}

function FieldInput({ field, alternative, label, isOnly }: FieldInputProps) {
  const { selection, select } = useTable();
  const key = scalarKey(alternative.index, field.part);
  if (field.kind === "text") {
    const left = field.most - [...field.text].length;
    return (
      <label className="text-field">
        <span className="visually-hidden">{label}</span>
        <input
          className="field"
          value={field.text}
          maxLength={field.most}
          placeholder={label}
          onChange={(event) => select({ ...selection, texts: { ...selection.texts, [key]: event.target.value } })}
        />
        <span className="text-left" title={text.table.charsLeft(left)}>
          {left}
        </span>
      </label>
    );
  }
  if (field.kind === "range") {
    const set = (value: number) => select({ ...selection, scalars: { ...selection.scalars, [key]: value } });
    return (
      <Suspense fallback={null}>
        <RangeField label={label} isTitled={!isOnly} options={field.options} value={field.chosen} onChange={set} />
      </Suspense>
    );
  }
  return (
    <label className="value-field">
      <span className={isOnly ? "visually-hidden" : ""}>{label}</span>
      <select
        className="field"
        value={field.chosen ?? ""}
        onChange={(event) =>
          select({ ...selection, scalars: { ...selection.scalars, [key]: Number(event.target.value) } })
        }
      >
        <option value="" disabled>
          {text.table.choose}
        </option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {choiceLabel(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A name of at least this many letters says something to a person; `k` and `ds` do not. */
const MIN_TITLE_LETTERS = 3;

/** What stands beside a field: the part's name in the rules if it is a word, else what kind of thing it is. */
function titleOfPart(
  { alternative, fields }: Extract<Control, { kind: "form" }>,
  { part, name, kind }: Field,
  hasGrid: boolean,
): string {
  if ([...name].length >= MIN_TITLE_LETTERS) return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  const partKind = alternative.parts[part]?.kind ?? {};
  const kindOf = (shape: object) => (kind === "text" ? "text" : "number" in shape ? "number" : "value");
  const alike = fields.filter((other) => kindOf(alternative.parts[other.part]?.kind ?? {}) === kindOf(partKind));
  const nth = alike.findIndex((other) => other.part === part) + 1;
  if (hasGrid && kindOf(partKind) === "number") return nth === 1 ? text.table.row : text.table.column;
  return text.table.part(kindOf(partKind), nth, alike.length);
}

function choiceLabel({ label }: Pick<Choice, "label">): string {
  if ("yes" in label) return label.yes ? text.table.yes : text.table.no;
  return label.text.charAt(0).toUpperCase() + label.text.slice(1);
}

function hintFor(kind: PartKindView | null, have: number): string | null {
  const { need } = text.table;
  if (!kind) return null;
  if ("card" in kind) return need.card;
  if ("cards" in kind) return need.cards(kind.cards.low, kind.cards.high, have);
  if ("sets" in kind) return need.sets;
  if ("pile" in kind) return need.pile;
  if ("player" in kind) return need.player;
  if ("unseen" in kind) return need.unseen;
  if ("dice" in kind) return need.dice;
  return null;
}
