/** Telling the people who run the server about a line or a name. Asked once more, because it goes to strangers. */
import { useState } from "react";
import type { Action, Reported } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Icon } from "../shell/Icon";
import { text } from "../text/catalogue";

interface ReportProps {
  about: Reported;
  question: string;
  send: (action: Action) => Promise<void>;
  onDone: () => void;
}

/** The question, and what came of it. */
export function Report({ about, question, send, onDone }: ReportProps) {
  const [said, setSaid] = useState<{ words: string; bad: boolean } | null>(null);
  const report = () =>
    send({ type: "report", about })
      .then(() => setSaid({ words: text.report.done, bad: false }))
      .catch((error: { text?: string }) => setSaid({ words: error.text ?? text.report.failed, bad: true }));
  if (said) {
    return (
      <span className="report-said" role={said.bad ? "alert" : "status"}>
        {said.words}
      </span>
    );
  }
  return <ConfirmDialog question={question} yes={text.report.send} onYes={() => void report()} onNo={onDone} />;
}

export function ReportLine({ n, name, send }: { n: number; name: string; send: ReportProps["send"] }) {
  const [asking, setAsking] = useState(false);
  if (asking) {
    const about: Reported = { kind: "line", n };
    return <Report about={about} question={text.report.lineSure(name)} send={send} onDone={() => setAsking(false)} />;
  }
  return (
    <button
      type="button"
      className="report-line"
      aria-label={text.report.line(name)}
      title={text.report.line(name)}
      onClick={() => setAsking(true)}
    >
      <Icon name="flag" />
    </button>
  );
}
