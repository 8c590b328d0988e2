/** One card, face up or face down, at any size. The face tells its template; nothing here knows a game. */
import { memo } from "react";
import type { CardFace } from "../protocol/types";
import { Back, type BackTheme } from "./Back";
import { compactBelowPx, detailedBackFromPx } from "./faceSizes";
import { NameFace } from "./NameFace";
import { NumberFace, TitleFace, WordsFace } from "./NumberFace";
import { type Detail, PipsFace } from "./PipsFace";
import { signOf } from "./suits";
import { PromptFace, TextFace } from "./TextFace";
import "./cards.css";

export interface CardProps {
  /** Undefined if the card is face down. */
  face: CardFace | undefined;
  written?: string | undefined;
  theme: BackTheme;
  /** The width in pixels. */
  width: number;
  /** True if the card is drawn as a number and a title instead of a picture. */
  titleOnly?: boolean | undefined;
}

export const Card = memo(function Card(props: CardProps) {
  const { face, written, theme, width, titleOnly = false } = props;
  const detail: Detail = width < compactBelowPx ? "compact" : "full";
  const style = { "--card-w": `${width}px` } as React.CSSProperties;
  const kind = face ? `face-${face.template}` : "face-down";
  return (
    <span className={`card ${kind} ${detail}`} style={style} data-face={face ? "up" : "down"}>
      {face ? (
        <Face face={face} written={written} detail={detail} titleOnly={titleOnly} />
      ) : (
        <Back theme={theme} detailed={width >= detailedBackFromPx} />
      )}
    </span>
  );
});

/** Whether the card has text that players must read, so that no other card may cover it. */
export function isTextCard(face: CardFace | undefined): boolean {
  return face?.template === "text" || face?.template === "prompt";
}

/** Whether some of these cards look the same in the corner, which is all that is seen of a card under another. */
export function needTitles(faces: (CardFace | undefined)[]): boolean {
  const titles = new Map<string, string>();
  return faces.some((face) => {
    if (face?.template !== "number" || face.number === undefined) return false;
    const corner = `${face.number} ${face.sign?.place ?? ""}`;
    const title = face.title ?? "";
    const other = titles.get(corner) ?? title;
    titles.set(corner, title);
    return other !== title;
  });
}

interface FaceProps {
  face: CardFace;
  written: string | undefined;
  detail: Detail;
  titleOnly: boolean;
}

function Face({ face, written, detail, titleOnly }: FaceProps) {
  const { rank, pick } = face.attributes ?? {};
  if (face.template === "prompt") {
    return <PromptFace text={written ?? face.text ?? face.label} pick={Number(pick ?? 0)} />;
  }
  if (face.template === "text" || written !== undefined) {
    return <TextFace text={written ?? face.text ?? face.label} deck={written === undefined ? face.deck : ""} />;
  }
  if (titleOnly) return <TitleFace number={face.number} title={face.title ?? face.label} />;
  const sign = signOf(face);
  const counted = rank ?? (face.number === undefined ? undefined : String(face.number));
  if (face.template !== "number" && counted && sign) {
    return <PipsFace rank={counted} sign={sign} word={face.details} detail={detail} />;
  }
  if (face.number !== undefined) {
    return <NumberFace number={face.number} title={face.title} details={face.details} sign={sign} detail={detail} />;
  }
  // A face without sign and details has only a name.
  if (face.template === "name" || (!sign && !face.details))
    return <NameFace name={face.title ?? face.label} detail={detail} />;
  return (
    <WordsFace words={[face.title, ...(face.details?.split(", ") ?? [])].filter(isWord)} sign={sign} detail={detail} />
  );
}

const isWord = (word: string | undefined): word is string => word !== undefined;
