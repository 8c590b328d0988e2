/** One card, face up or down, at any size. Which template a face uses is in the catalogue; nothing here knows a game. */
import { memo } from "react";
import type { CardFace } from "../protocol/types";
import { Back, type BackTheme } from "./Back";
import { NameFace } from "./NameFace";
import { NumberFace } from "./NumberFace";
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
  className?: string;
}

/** Below this width a card shows a large index instead of every pip. */
const COMPACT_BELOW = 84;

export const Card = memo(function Card({ face, written, theme, width, answers, className = "" }: CardProps) {
  const detail: Detail = width < COMPACT_BELOW ? "compact" : "full";
  const style = { "--card-w": `${width}px` } as React.CSSProperties;
  const kind = face ? `face-${face.template}` : "face-down";
  return (
    <span className={`card ${kind} ${detail} ${className}`} style={style} data-face={face ? "up" : "down"}>
      {face ? (
        <Face face={face} written={written} detail={detail} answers={answers ?? []} />
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

function Face(props: { face: CardFace; written: string | undefined; detail: Detail; answers: string[] }) {
  const { face, written, detail, answers } = props;
  const { rank, suit, pick } = face.attributes ?? {};
  if (face.template === "prompt") {
    return <PromptFace text={written ?? face.text ?? face.label} answers={answers} pick={Number(pick ?? 0)} />;
  }
  if (face.template === "text" || written !== undefined) {
    return <TextFace text={written ?? face.text ?? face.label} deck={face.deck} written={written !== undefined} />;
  }
  if (rank && suit) return <PipsFace rank={rank} suit={suit} detail={detail} />;
  if (face.template === "number" && face.number !== undefined) {
    return <NumberFace number={face.number} title={face.title} detail={detail} />;
  }
  return <NameFace name={face.title ?? face.label} detail={detail} />;
}
