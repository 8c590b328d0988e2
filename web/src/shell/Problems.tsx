/** What is wrong with a file, one by one: where, what, the line with the place underlined, and what to do. */
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

/** Between backticks stands what is written in the file. */
function Words({ words }: { words: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name than their place.
  return words.split("`").map((piece, at) => (at % 2 ? <code key={at}>{piece}</code> : piece));
}
