/**
 * Reports a chat line, a name, the words on a card or an uploaded pack to the people who run the server. It asks for confirmation, because
 * strangers will read it.
 */
import { useState } from "react";
import type { Action, ReportTarget } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { Icon } from "../shell/Icon";
import { reportText } from "../text/reportCatalogue";

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
      .then(() => setResult({ message: reportText.done, failed: false }))
      .catch((error: { text?: string }) => setResult({ message: error.text ?? reportText.failed, failed: true }));
  if (result) {
    return (
      <span className="report-said" role={result.failed ? "alert" : "status"}>
        {result.message}
      </span>
    );
  }
  return <ConfirmDialog question={question} yes={reportText.send} onYes={() => void report()} onNo={onDone} />;
}

export function ReportLine({ n, name, send }: { n: number; name: string; send: ReportProps["send"] }) {
  const { line, lineSure } = reportText;
  return <ReportButton about={{ kind: "line", n }} label={line(name)} question={lineSure(name)} send={send} />;
}

/** A small flag, for a list in which each entry can be reported. */
export function ReportButton({ label, ...report }: Omit<ReportProps, "onDone"> & { label: string }) {
  const [confirming, setConfirming] = useState(false);
  if (confirming) return <Report {...report} onDone={() => setConfirming(false)} />;
  return (
    <button type="button" className="report-line" aria-label={label} title={label} onClick={() => setConfirming(true)}>
      <Icon name="flag" />
    </button>
  );
}
