/** Turns the lines of a view into text. A line names seats and cards by number; the `Reader` knows their names. */
import type { CardFace, RichText } from "../protocol/types";
import { isolateName } from "./isolate";

export interface Reader {
  nameOf: (seat: number) => string;
  faces: CardFace[];
}

export function lineText(line: RichText | null | undefined, reader: Reader): string {
  return (line ?? [])
    .map((piece) => {
      if ("text" in piece) return piece.text;
      if ("seat" in piece) return reader.nameOf(piece.seat);
      if ("face" in piece) return reader.faces[piece.face]?.label ?? "";
      return isolateName(piece.written);
    })
    .join("");
}

/** A blank in a prompt: two underscores or more. */
const BLANK = /_{2,}/g;

export type PromptPiece = { text: string } | { blank: number } | { answer: number; text: string };

/** Fills the blanks of a prompt in order. Appends surplus answers; surplus blanks stay. */
export function fillBlanks(prompt: string, answers: string[]): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let at = 0;
  let blank = 0;
  for (const match of prompt.matchAll(BLANK)) {
    if (match.index > at) pieces.push({ text: prompt.slice(at, match.index) });
    const answer = answers[blank];
    const after = prompt[match.index + match[0].length] ?? "";
    pieces.push(answer === undefined ? { blank } : { answer: blank, text: inSentence(answer, after) });
    blank += 1;
    at = match.index + match[0].length;
  }
  if (at < prompt.length) pieces.push({ text: prompt.slice(at) });
  answers.slice(blank).forEach((answer, i) => {
    pieces.push({ text: " " }, { answer: blank + i, text: answer });
  });
  return pieces;
}

export function filledText(prompt: string, answers: string[]): string {
  return fillBlanks(prompt, answers)
    .map((piece) => ("text" in piece ? piece.text : "_____"))
    .join("");
}

/**
 * Removes the full stop of an answer if the sentence goes on after it, so that no two punctuation marks follow each
 * other.
 */
function inSentence(answer: string, after: string): string {
  return /[\p{L}\p{N}\s.,;:!?)"'’”-]/u.test(after) ? answer.replace(/\.$/, "") : answer;
}

/** "Ann", "Ann and Bob", "Ann, Bob and 3 others". */
export function joinNames(names: string[], and: string, others: (n: number) => string, most = 3): string {
  if (names.length <= 1) return names[0] ?? "";
  if (names.length <= most) return `${names.slice(0, -1).join(", ")}${and}${names[names.length - 1]}`;
  return `${names.slice(0, most - 1).join(", ")}${and}${others(names.length - most + 1)}`;
}

/** `MM/DD/YY HH:MI` in local time, for the list of unfinished tables. */
export function formatDate(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${two(date.getMonth() + 1)}/${two(date.getDate())}/${two(date.getFullYear() % 100)}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
