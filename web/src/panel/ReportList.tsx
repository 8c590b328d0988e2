/** A list of words that somebody else wrote, each with a button to report it. */
import type { ReportTarget } from "../protocol/types";
import type { Send } from "../shell/useAction";
import { ReportButton } from "./Report";

export interface WordsToReport {
  about: ReportTarget;
  key: string | number;
  words: string;
  /** What stands below the words: who wrote them, or a description. */
  below: string | undefined;
  label: string;
  question: string;
}

/** Draws nothing if there are no words. */
export function ReportList({ title, items, send }: { title: string; items: WordsToReport[]; send: Send }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <p className="watchers">{title}</p>
      <ul className="people written-words">
        {items.map(({ about, key, words, below, label, question }) => (
          <li key={key}>
            <span className="person-name">
              <bdi>{words}</bdi>
              {below && (
                <small>
                  <bdi>{below}</bdi>
                </small>
              )}
            </span>
            <ReportButton about={about} label={label} question={question} send={send} />
          </li>
        ))}
      </ul>
    </section>
  );
}
