/** Lists the problems of a file: the place, the message, the line with the place marked, and a hint. */
import type { Problem } from "../protocol/types";
import { text } from "../text/catalogue";
import "./problems.css";

export function Problems({ problems }: { problems: Problem[] }) {
  return (
    <ul className="problems">
      {problems.map(({ at, message, hint, excerpt, warning }) => (
        <li key={`${at}${message}`} data-warning={warning || undefined}>
          <p>
            <b>{warning ? text.problems.warningAt(at) : at}</b> <Words words={message} />
          </p>
          {excerpt && (
            <pre>
              {excerpt.line.slice(0, excerpt.from)}
              <mark>{excerpt.line.slice(excerpt.from, Math.max(excerpt.to, excerpt.from + 1)) || " "}</mark>
              {excerpt.line.slice(Math.max(excerpt.to, excerpt.from + 1))}
              {excerpt.label && (
                <span className="problem-label">{`\n${" ".repeat(excerpt.from)}${excerpt.label}`}</span>
              )}
            </pre>
          )}
          {hint && (
            <p className="secondary">
              <Words words={hint} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Text between backticks is quoted from the file. */
function Words({ words }: { words: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity than their index.
  return words.split("`").map((piece, at) => (at % 2 ? <code key={at}>{piece}</code> : piece));
}
