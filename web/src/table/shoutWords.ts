/** Splits a shout into the words that are shown large and the words that explain them. */
import type { RichText } from "../protocol/types";
import { lineText, type Reader } from "../text/line";

/** Letters that the large part may have if other words follow it. */
const MAX_HEAD = 24;
const isName = (piece: RichText[number]) => "seat" in piece || "written" in piece;

/**
 * A short first sentence is the head. A player's name and a colon are never the head, because the screen would show
 * the name large instead of what was said: in "Ann: last card!" the head is "last card!".
 */
export function splitShout(line: RichText, reader: Reader): { head: string; rest: string } {
  const [first, ...others] = line;
  const said = first && isName(first) ? /^\s*:\s*/.exec(lineText(others, reader)) : null;
  if (first && said) {
    return { head: lineText(others, reader).slice(said[0].length), rest: lineText([first], reader) };
  }
  let before = "";
  for (const piece of line) {
    const words = lineText([piece], reader);
    // A stop inside a name ("Mr. X") ends no sentence.
    const end = isName(piece) ? null : /[!?.:](?=\s)/.exec(words);
    const isLast = end && words.slice(end.index + 1).trim() === "" && piece === line.at(-1);
    if (end && !isLast && [...before, ...words.slice(0, end.index)].length < MAX_HEAD) {
      const head = before + words.slice(0, end.index + 1);
      return { head, rest: lineText(line, reader).slice(head.length).trim() };
    }
    before += words;
  }
  return { head: before, rest: "" };
}
