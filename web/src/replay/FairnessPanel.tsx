/** The fairness check, computed here and now, in words. */
import { useEffect, useState } from "react";
import { shareOf } from "../protocol/identity";
import type { Replay, TableDefinition } from "../protocol/types";
import { Sheet } from "../shell/Sheet";
import { text } from "../text/catalogue";
import { isolated } from "../text/isolate";
import type { Verdict } from "./fairness";

const t = text.replay.fairness;

export function FairnessPanel(props: { replay: Replay; table: TableDefinition; onClose: () => void }) {
  const { replay, table, onClose } = props;
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  useEffect(() => {
    void import("./fairness").then(({ examine }) => {
      setVerdict(
        examine(
          replay,
          table.dice,
          table.zones.map(({ ordered }) => ordered),
        ),
      );
    });
  }, [replay, table]);
  const share = shareOf(replay.game);
  return (
    <Sheet title={t.title} onClose={onClose}>
      {!verdict ? (
        <p role="status">{t.working}</p>
      ) : (
        <>
          <p className={`fair-verdict ${isFair(verdict) ? "is-fair" : "is-unfair"}`} role="status">
            {isFair(verdict) ? t.fair : t.unfair}
          </p>
          <ul className="fair-list">
            <Point fine={verdict.seedFits}>{verdict.seedFits ? t.seedFits : t.seedWrong}</Point>
            {share ? (
              <Point fine={share.commitment === replay.commitment}>
                {share.commitment === replay.commitment ? t.promiseKept : t.promiseBroken}
              </Point>
            ) : (
              <Point fine={null}>{t.notThere}</Point>
            )}
            {share && (
              <Point fine={verdict.nonces.some(({ text }) => text === share.nonce)}>
                {verdict.nonces.some(({ text }) => text === share.nonce) ? t.shareUsed : t.shareMissing}
              </Point>
            )}
            {verdict.shuffles + verdict.rolls > 0 && (
              <Point fine={verdict.wrong === null}>
                {verdict.wrong === null ? t.recomputed(verdict.shuffles, verdict.rolls) : t.wrong(verdict.wrong)}
              </Point>
            )}
            {verdict.unseen > 0 && <Point fine={null}>{t.unseen(verdict.unseen)}</Point>}
          </ul>
          <p className="quiet">{t.more}</p>
          <dl className="fair-numbers">
            <dt>{t.commitment}</dt>
            <dd>{replay.commitment}</dd>
            <dt>{t.seed}</dt>
            <dd>{replay.seed}</dd>
            {verdict.nonces.map(({ seat, text: nonce }) => (
              <div key={`${seat}.${nonce}`}>
                <dt>{t.nonceOf(isolated(replay.names[seat] ?? text.table.seat(seat + 1)))}</dt>
                <dd>{nonce || t.empty}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Sheet>
  );
}

const isFair = (verdict: Verdict) => verdict.seedFits && verdict.wrong === null;

/** One thing that holds, does not hold, or can't be said. */
function Point({ fine, children }: { fine: boolean | null; children: React.ReactNode }) {
  const [sign, tone] = fine === null ? ["–", "unknown"] : fine ? ["✓", "fine"] : ["✗", "wrong"];
  return (
    <li className={`fair-${tone}`}>
      <b aria-hidden="true">{sign}</b>
      <span>{children}</span>
    </li>
  );
}
