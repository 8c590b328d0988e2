/** Cards with text: answers on white, prompts on black, with their blanks as lines. */
import { fillBlanks, type PromptPiece } from "../text/line";

export function TextFace({ text, deck, written }: { text: string; deck: string; written: boolean }) {
  return (
    <span className={`card-text ${lengthClass(text)} ${written ? "written" : ""}`}>
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
