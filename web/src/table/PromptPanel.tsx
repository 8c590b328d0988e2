/** The prompt that is being answered, large, with its blanks filled by what is picked or shown. */
import { FilledPrompt } from "../cards/TextFace";
import type { CardView } from "../protocol/types";
import { text } from "../text/catalogue";
import { filled } from "../text/line";
import { useTable } from "./context";
import type { Placement } from "./placement";

export interface Prompt {
  zone: number;
  card: CardView;
  text: string;
}

/** The one card with blanks that lies open in the middle, if there is one. */
export function usePrompt(placed: Placement): Prompt | null {
  const { view, face } = useTable();
  for (const zone of [...placed.slots, ...placed.rows.flatMap((row) => row.zones)]) {
    const content = view.zones[zone]?.content;
    if (!content || content === "nothing" || !("cards" in content)) continue;
    for (const card of content.cards) {
      const shown = face(card.face);
      if (shown?.template === "prompt") return { zone, card, text: card.written ?? shown.text ?? shown.label };
    }
  }
  return null;
}

export function PromptPanel({ prompt }: { prompt: Prompt }) {
  const { selection, view, face } = useTable();
  // What is being written stands in the prompt at once, after what is already picked.
  const written = Object.values(selection.texts).filter((words) => words.trim() !== "");
  const picked = selection.cards.length > 0 ? cardsByHandle(view, selection.cards) : cardsOf(view, selection.pile);
  const answers = [...answersOf(picked), ...written];
  function answersOf(cards: CardView[]): string[] {
    return cards.map((card) => card.written ?? face(card.face)?.text ?? face(card.face)?.label ?? "");
  }
  return (
    <div className="prompt-panel" role="group" aria-label={text.table.prompt} data-zone={prompt.zone}>
      <p data-handle={prompt.card.handle}>
        <FilledPrompt pieces={filled(prompt.text, answers)} />
      </p>
    </div>
  );
}

function cardsOf(view: ReturnType<typeof useTable>["view"], zone: number | null): CardView[] {
  const content = zone === null ? undefined : view.zones[zone]?.content;
  return content && content !== "nothing" && "cards" in content ? content.cards : [];
}

function cardsByHandle(view: ReturnType<typeof useTable>["view"], handles: number[]): CardView[] {
  const all = view.zones.flatMap((_, zone) => cardsOf(view, zone));
  return handles.flatMap((handle) => all.find((card) => card.handle === handle) ?? []);
}
