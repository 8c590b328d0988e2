/** The fairness check, computed in this browser, in words. */
import { useEffect, useState } from "react";
import { fairnessRecordOf } from "../protocol/identity";
import type { Replay, TableDefinition } from "../protocol/types";
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { replayText } from "../text/replayCatalogue";
import type { Verdict } from "./fairness";

const t = replayText.fairness;

export function FairnessPanel(props: { replay: Replay; table: TableDefinition; onClose: () => void }) {
  const { replay, table, onClose } = props;
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  useEffect(() => {
    void import("./fairness").then(({ checkFairness }) => {
      setVerdict(
        checkFairness(
          replay,
          table.dice,
          table.zones.map(({ ordered }) => ordered),
        ),
      );
    });
  }, [replay, table]);
  const record = fairnessRecordOf(replay.game);
  return (
    <SidePanel title={t.title} onClose={onClose}>
      {!verdict ? (
        <p role="status">{t.working}</p>
      ) : (
        <>
          <p className={`fair-verdict ${isFair(verdict) ? "is-fair" : "is-unfair"}`} role="status">
            {isFair(verdict) ? t.fair : t.unfair}
          </p>
          <ul className="fair-list">
            <Finding fine={verdict.seedFits}>{verdict.seedFits ? t.seedFits : t.seedWrong}</Finding>
            {record ? (
              <Finding fine={record.commitment === replay.commitment}>
                {record.commitment === replay.commitment ? t.promiseKept : t.promiseBroken}
              </Finding>
            ) : (
              <Finding fine={null}>{t.notThere}</Finding>
            )}
            {record && (
              <Finding fine={verdict.nonces.some(({ text }) => text === record.nonce)}>
                {verdict.nonces.some(({ text }) => text === record.nonce) ? t.shareUsed : t.shareMissing}
              </Finding>
            )}
            {verdict.shuffles + verdict.rolls > 0 && (
              <Finding fine={verdict.wrong === null}>
                {verdict.wrong === null ? t.recomputed(verdict.shuffles, verdict.rolls) : t.wrong(verdict.wrong)}
              </Finding>
            )}
            {verdict.unseen > 0 && <Finding fine={null}>{t.unseen(verdict.unseen)}</Finding>}
          </ul>
          <p className="secondary">{t.more}</p>
          <dl className="fair-numbers">
            <dt>{t.commitment}</dt>
            <dd>{replay.commitment}</dd>
            <dt>{t.seed}</dt>
            <dd>{replay.seed}</dd>
            {verdict.nonces.map(({ seat, text: nonce }) => (
              <div key={`${seat}.${nonce}`}>
                <dt>{t.nonceOf(isolateName(replay.names[seat] ?? text.table.seat(seat + 1)))}</dt>
                <dd>{nonce || t.empty}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </SidePanel>
  );
}

const isFair = (verdict: Verdict) => verdict.seedFits && verdict.wrong === null;

/** One result: it holds, it does not hold, or nobody can say. */
function Finding({ fine, children }: { fine: boolean | null; children: React.ReactNode }) {
  const [sign, tone] = fine === null ? ["–", "unknown"] : fine ? ["✓", "fine"] : ["✗", "wrong"];
  return (
    <li className={`fair-${tone}`}>
      <b aria-hidden="true">{sign}</b>
      <span>{children}</span>
    </li>
  );
}
