/**
 * The live region, which tells screen readers what happens. With the setting for speech the browser also reads it
 * aloud.
 */
import { useEffect, useRef, useState } from "react";
import type { CardView } from "../protocol/types";
import { settings } from "../settings/settings";
import { speak } from "../settings/speech";
import { visibleCards } from "../state/content";
import { useTable } from "../table/context";
import { text } from "../text/catalogue";
import { filledText, lineText } from "../text/line";
import { spokenText } from "../text/names";

export function LiveRegion() {
  const { snapshot, view, reader } = useTable();
  const [said, setSaid] = useState("");
  const asked = useRef<number | undefined>(undefined);
  /** The narration of the last segment. The region tells a new decision after it, and not after older text. */
  const latest = useRef("");
  useReading();
  const { segment } = snapshot;
  useEffect(() => {
    // `Announcements.tsx` reads out who comes and who goes.
    const told = (segment?.narrations ?? []).filter(({ kind }) => kind !== "session");
    latest.current = told.map((narration) => spokenText(narration.text, reader)).join(". ");
    if (latest.current) setSaid(latest.current);
    if (settings().speech)
      for (const { kind, text } of told) if (kind === "announcement") speak(lineText(text, reader));
  }, [segment, reader]);
  useEffect(() => {
    const { decision } = view;
    if (decision?.id === asked.current) return;
    asked.current = decision?.id;
    if (!decision) return;
    const prompt = `${text.table.yourTurn}. ${lineText(decision.prompt, reader)}`;
    setSaid(latest.current ? `${latest.current}. ${prompt}` : prompt);
    if (settings().speech) speak(prompt);
    if (settings().vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
  }, [view, reader]);
  return (
    <div className="visually-hidden" aria-live="polite" role="log">
      {said}
    </div>
  );
}

/** Reads aloud the prompt in the middle and each answer to it, with the blanks filled, when they appear. */
function useReading(): void {
  const { view, table, face } = useTable();
  const read = useRef(new Set<string>());
  useEffect(() => {
    if (!settings().speech) return;
    const inMiddle = view.zones.flatMap(({ content }, at) => {
      const own = table.zones[at]?.owner !== undefined;
      return own ? [] : [visibleCards(content)];
    });
    const words = (card: CardView) => card.written ?? face(card.face)?.text ?? "";
    const isPrompt = (card: CardView) => face(card.face)?.template === "prompt";
    const prompt = inMiddle.flat().find(isPrompt);
    const answers = inMiddle.filter((cards) => cards.length > 0 && cards.every((c) => !isPrompt(c) && words(c) !== ""));
    const lines: [string, string][] = prompt
      ? [
          [`${prompt.handle}`, words(prompt).replace(/_{2,}/g, text.table.blank)],
          ...answers.map((cards, i): [string, string] => [
            cards.map(({ handle }) => handle).join(","),
            text.table.answer(i + 1, filledText(words(prompt), cards.map(words))),
          ]),
        ]
      : [];
    for (const [id, line] of lines) if (!read.current.has(id)) speak(line);
    read.current = new Set(lines.map(([id]) => id));
  }, [view, table, face]);
}
