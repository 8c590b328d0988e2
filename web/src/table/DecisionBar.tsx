/**
 * The prompt of the open decision, with buttons and fields to answer it. It keeps its height when no decision is
 * open, so that the table does not jump.
 */
import { useEffect, useRef, useState } from "react";
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
import { clearPicked, isEmpty, scalarKey } from "../state/selection";
import { text } from "../text/catalogue";
import { joinNames, lineText } from "../text/line";
import { Clock } from "./Clock";
import { useTable } from "./context";
import { OrderedSlots } from "./OrderedSlots";
import { maxKeptBarHeightPx } from "./sizes";
import "./decision.css";

/** With `keepsHeight` the bar stays as tall as it has been at this width. Without anything below the bar, it need not. */
export function DecisionBar({ keepsHeight }: { keepsHeight: boolean }) {
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
      <div>
        <DecisionPanel />
      </div>
    </div>
  );
}

function DecisionPanel() {
  const { view, reader, selection, faceOf, reason, snapshot, select } = useTable();
  const { decision } = view;
  if (!decision) return <WaitingNotice />;
  const shownControls = listControls(decision, selection, faceOf);
  // The hint about what is still to be picked appears once, after the last control that hints it.
  const hints = shownControls.map((control) => {
    const isComplete =
      control.kind === "form" ||
      (control.kind === "button" && (control.plain || control.move || !control.alternative.legal));
    return isComplete ? null : hintFor(findMissingPart(control.alternative, selection, faceOf), selection.cards.length);
  });
  const prompt = lineText(decision.prompt, reader) || text.table.yourTurn;
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
      {(reason || snapshot.refusal) && (
        <p className="decision-reason" role="alert">
          {reason ?? (lineText(snapshot.refusal?.line, reader) || snapshot.refusal?.text)}
        </p>
      )}
      {ordered && <OrderedSlots low={ordered.low} high={ordered.high} />}
      <ul className="decision-controls" aria-label={prompt}>
        {shownControls.map((control, i) => (
          <ControlItem
            key={control.alternative.index}
            control={control}
            isOnly={shownControls.length === 1}
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

function WaitingNotice() {
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
      {watching && because && <p className="decision-need">{because}</p>}
    </section>
  );
}

/** A button with at most so many letters, such as a number or a rank, is narrow: many of them stand in a row. */
const MAX_SHORT_LABEL = 2;

function ControlItem({ control, isOnly, hint }: { control: Control; isOnly: boolean; hint: string | null }) {
  const { reader, answer, snapshot, narrow } = useTable();
  const { alternative } = control;
  const label = labelOf(alternative);
  const buttonLabel =
    (label && lineText(label, reader)) ||
    (control.kind === "button" && control.plain ? text.table.continue : text.table.play);
  if (control.kind === "choices") {
    const short = control.options.every((option) => choiceLabel(option).length <= MAX_SHORT_LABEL);
    return (
      <>
        {!isOnly && <li className="choices-title">{buttonLabel}</li>}
        {control.options.map((option) => (
          <li key={option.value}>
            <button
              type="button"
              className={`button on-cloth ${option.move ? "primary" : ""} ${short ? "short" : ""}`}
              disabled={!option.move || snapshot.sending}
              onClick={() => option.move && answer(option.move)}
            >
              {choiceLabel(option)}
            </button>
          </li>
        ))}
        {hint && <li className="decision-need">{hint}</li>}
      </>
    );
  }
  if (control.kind === "form") {
    return (
      <li>
        <Form control={control} label={buttonLabel} isOnly={isOnly} />
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

function Form({
  control,
  label,
  isOnly,
}: {
  control: Extract<Control, { kind: "form" }>;
  label: string;
  isOnly: boolean;
}) {
  const { answer, snapshot } = useTable();
  const hasInput = control.fields.some((field) => (field.kind === "text" ? field.text !== "" : field.chosen !== null));
  const [open, setOpen] = useState(isOnly || hasInput);
  if (!open) {
    return (
      <button
        type="button"
        className="button on-cloth"
        disabled={!control.alternative.legal}
        onClick={() => setOpen(true)}
      >
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
          label={label}
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
  label: string;
  /** The form has no other field. The label of its button then says more than the field's name in the rules. */
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
  return (
    <label className="value-field">
      <span className={isOnly ? "visually-hidden" : ""}>{isOnly ? label : field.name}</span>
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
