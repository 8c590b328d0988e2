/** One card, face up or down, at any size. Which template a face uses is in the catalogue; nothing here knows a game. */
import { memo } from "react";
import type { CardFace } from "../protocol/types";
import { Back, type BackTheme } from "./Back";
import { NameFace } from "./NameFace";
import { NumberFace, TitleFace } from "./NumberFace";
import { type Detail, PipsFace } from "./PipsFace";
import { PromptFace, TextFace } from "./TextFace";
import "./cards.css";

export interface CardProps {
  /** None: face down. */
  face: CardFace | undefined;
  written?: string | undefined;
  theme: BackTheme;
  /** In pixels. */
  width: number;
  /** Answers to print into a prompt's blanks. */
  answers?: string[];
  /** Told by its name rather than by its picture. */
  named?: boolean | undefined;
  className?: string;
}

/** Below this width a card shows a large index instead of every pip. */
const COMPACT_BELOW = 84;

export const Card = memo(function Card(props: CardProps) {
  const { face, written, theme, width, answers, named = false, className = "" } = props;
  const detail: Detail = width < COMPACT_BELOW ? "compact" : "full";
  const style = { "--card-w": `${width}px` } as React.CSSProperties;
  const kind = face ? `face-${face.template}` : "face-down";
  return (
    <span className={`card ${kind} ${detail} ${className}`} style={style} data-face={face ? "up" : "down"}>
      {face ? (
        <Face face={face} written={written} detail={detail} answers={answers ?? []} named={named} />
      ) : (
        <Back theme={theme} detailed={width >= 40} />
      )}
    </span>
  );
});

/** Whether a card has to be read to be played, so that it needs its whole face. */
export function isReading(face: CardFace | undefined): boolean {
  return face?.template === "text" || face?.template === "prompt";
}

/** Whether some of these look alike at the corner, the only part that is seen of a card under another. */
export function needNames(faces: (CardFace | undefined)[]): boolean {
  const titles = new Map<number, string>();
  return faces.some((face) => {
    if (face?.template !== "number" || face.number === undefined) return false;
    const title = face.title ?? "";
    const other = titles.get(face.number) ?? title;
    titles.set(face.number, title);
    return other !== title;
  });
}

interface FaceProps {
  face: CardFace;
  written: string | undefined;
  detail: Detail;
  answers: string[];
  named: boolean;
}

function Face({ face, written, detail, answers, named }: FaceProps) {
  const { rank, suit, pick } = face.attributes ?? {};
  if (face.template === "prompt") {
    return <PromptFace text={written ?? face.text ?? face.label} answers={answers} pick={Number(pick ?? 0)} />;
  }
  if (face.template === "text" || written !== undefined) {
    return <TextFace text={written ?? face.text ?? face.label} deck={face.deck} written={written !== undefined} />;
  }
  if (named) return <TitleFace number={face.number} title={face.title ?? face.label} />;
  if (rank && suit) return <PipsFace rank={rank} suit={suit} detail={detail} />;
  if (face.template === "number" && face.number !== undefined) {
    return <NumberFace number={face.number} title={face.title} detail={detail} />;
  }
  return <NameFace name={face.title ?? face.label} detail={detail} />;
}
