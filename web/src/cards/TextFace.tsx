/** Cards with text: answers on white, prompts on black, with their blanks as lines. */
import { fillBlanks, type PromptPiece } from "../text/line";

/** A card that somebody wrote on looks like any other, because its looks would tell who had a blank card. */
export function TextFace({ text, deck }: { text: string; deck: string }) {
  return (
    <span className={`card-text ${lengthClass(text)}`}>
      <span className="card-text-body">{text}</span>
      <span className="card-text-foot">{deck}</span>
    </span>
  );
}

export function PromptFace({ text, pick }: { text: string; pick: number }) {
  return (
    <span className={`card-text prompt ${lengthClass(text)}`}>
      <span className="card-text-body">
        <FilledPrompt pieces={fillBlanks(text, [])} />
      </span>
      {pick > 1 && <span className="card-text-pick">{pick}</span>}
    </span>
  );
}

export function FilledPrompt({ pieces }: { pieces: PromptPiece[] }) {
  return pieces.map((piece, at) => {
    const key = String(at);
    if ("blank" in piece) return <span key={key} className="blank" />;
    if ("answer" in piece) {
      return (
        <mark key={key} className="filled">
          <bdi>{piece.text}</bdi>
        </mark>
      );
    }
    return <span key={key}>{piece.text}</span>;
  });
}

function lengthClass(text: string): string {
  if (text.length > 110) return "very-long";
  if (text.length > 70) return "long";
  return text.length > 36 ? "medium" : "short";
}
