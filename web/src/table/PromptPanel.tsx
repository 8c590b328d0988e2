/** The prompt that is being answered, large. Its blanks show the picked cards and the typed text. */
import { FilledPrompt } from "../cards/TextFace";
import type { CardView, View } from "../protocol/types";
import { visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { fillBlanks } from "../text/line";
import { useTable } from "./context";
import type { Placement } from "./placement";

export interface Prompt {
  zone: number;
  card: CardView;
  text: string;
}

/** The first face-up card with blanks in the middle, if there is one. */
export function usePrompt(placed: Placement): Prompt | null {
  const { view, face } = useTable();
  for (const zone of [...placed.slots, ...placed.rows.flatMap((row) => row.zones)]) {
    for (const card of visibleCards(view.zones[zone]?.content)) {
      const shown = face(card.face);
      if (shown?.template === "prompt") return { zone, card, text: card.written ?? shown.text ?? shown.label };
    }
  }
  return null;
}

/** `preview` is an answer that the person looks at; the prompt shows it filled in. */
export function PromptPanel({ prompt, preview }: { prompt: Prompt; preview: number | null }) {
  const { selection, view, face } = useTable();
  // Text that is being typed appears in the prompt at once, after the picked cards.
  const written = Object.values(selection.texts).filter((words) => words.trim() !== "");
  const shownAnswer = preview ?? selection.pile;
  const picked =
    selection.cards.length > 0
      ? cardsByHandle(view, selection.cards)
      : visibleCards(shownAnswer === null ? undefined : view.zones[shownAnswer]?.content);
  const textOf = (card: CardView) => card.written ?? face(card.face)?.text ?? face(card.face)?.label ?? "";
  const answers = [...picked.map(textOf), ...written];
  /** A very long prompt scrolls, so it takes the focus: then keys can scroll it. */
  const scrollable = { role: "group", "aria-label": text.table.prompt, tabIndex: 0 };
  return (
    <div className="prompt-panel" data-zone={prompt.zone} {...scrollable}>
      <p data-handle={prompt.card.handle}>
        <FilledPrompt pieces={fillBlanks(prompt.text, answers)} />
      </p>
    </div>
  );
}

function cardsByHandle(view: View, handles: number[]): CardView[] {
  const all = view.zones.flatMap(({ content }) => visibleCards(content));
  return handles.flatMap((handle) => all.find((card) => card.handle === handle) ?? []);
}
