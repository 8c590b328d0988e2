/**
 * Reports a chat line or a name to the people who run the server. It asks for confirmation, because strangers will
 * read it.
 */
import { useState } from "react";
import type { Action, ReportTarget } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Icon } from "../shell/Icon";
import { text } from "../text/catalogue";

interface ReportProps {
  about: ReportTarget;
  question: string;
  send: (action: Action) => Promise<void>;
  onDone: () => void;
}

/** Asks for confirmation, and then tells the result. */
export function Report({ about, question, send, onDone }: ReportProps) {
  const [result, setResult] = useState<{ message: string; failed: boolean } | null>(null);
  const report = () =>
    send({ type: "report", about })
      .then(() => setResult({ message: text.report.done, failed: false }))
      .catch((error: { text?: string }) => setResult({ message: error.text ?? text.report.failed, failed: true }));
  if (result) {
    return (
      <span className="report-said" role={result.failed ? "alert" : "status"}>
        {result.message}
      </span>
    );
  }
  return <ConfirmDialog question={question} yes={text.report.send} onYes={() => void report()} onNo={onDone} />;
}

export function ReportLine({ n, name, send }: { n: number; name: string; send: ReportProps["send"] }) {
  const [confirming, setConfirming] = useState(false);
  if (confirming) {
    const about: ReportTarget = { kind: "line", n };
    return (
      <Report about={about} question={text.report.lineSure(name)} send={send} onDone={() => setConfirming(false)} />
    );
  }
  return (
    <button
      type="button"
      className="report-line"
      aria-label={text.report.line(name)}
      title={text.report.line(name)}
      onClick={() => setConfirming(true)}
    >
      <Icon name="flag" />
    </button>
  );
}
