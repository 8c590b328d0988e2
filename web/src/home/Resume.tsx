/** The unfinished tables in one row that scrolls: the game, the players, the last change, and a button to dismiss it. */
import { Fragment, useState } from "react";
import { readStored, readStoredObject, removeStored, writeStored } from "../protocol/storage";
import type { TableCard } from "../protocol/types";
import { go } from "../shell/router";
import { text } from "../text/catalogue";
import { formatDate } from "../text/line";

const DISMISSED = "baize.dismissed";
const HAS_TABLES = "baize.tables";
/** Upper bound on dismissed tables that the browser remembers; a list has at most 100. */
const MAX_DISMISSED = 200;

const readDismissed = (): string[] => readStoredObject<{ codes: string[] }>(DISMISSED, { codes: [] }).codes;

/** Whether this browser had unfinished tables when it was here last. */
export const hasTables = (): boolean => readStored(HAS_TABLES) !== null;

export function rememberHasTables(has: boolean): void {
  if (has) writeStored(HAS_TABLES, "1");
  else removeStored(HAS_TABLES);
}

/** `tables` is null while they load. */
export function Resume({ tables: loaded }: { tables: TableCard[] | null }) {
  const tables = loaded ?? [];
  const [dismissed, setDismissed] = useState(readDismissed);
  const remember = (codes: string[]) => {
    setDismissed(codes);
    writeStored(DISMISSED, JSON.stringify({ codes: codes.slice(-MAX_DISMISSED) }));
  };
  const shown = tables.filter(({ code }) => !dismissed.includes(code));
  const hidden = tables.length - shown.length;
  return (
    <section className="home-resume" aria-label={text.home.resumeTitle}>
      <div className="home-line">
        <h2>{text.home.resumeTitle}</h2>
        {hidden > 0 && (
          <button type="button" className="button small secondary" onClick={() => remember([])}>
            {text.home.showDismissed(hidden)}
          </button>
        )}
      </div>
      {loaded === null && <div className="resume-row is-loading" />}
      {loaded?.length === 0 && <p className="secondary">{text.home.resumeNone}</p>}
      {shown.length > 0 && (
        <ul className="resume-row">
          {shown.map((table) => (
            <li key={table.code} className="resume">
              <button type="button" className="resume-go" onClick={() => go(`/t/${table.code}`)}>
                <strong id={`resume-${table.code}`}>{table.title}</strong>
                <span>
                  {table.players.map((name, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the names have an order and no ids.
                    <Fragment key={at}>
                      {at > 0 && ", "}
                      <bdi>{name}</bdi>
                    </Fragment>
                  ))}
                  {table.bots > 0 && ` + ${text.home.bots(table.bots)}`}
                </span>
                <small>{formatDate(table.updatedAt)}</small>
              </button>
              <button
                type="button"
                className="resume-dismiss"
                aria-label={text.home.dismiss}
                aria-describedby={`resume-${table.code}`}
                title={text.home.dismiss}
                onClick={() => remember([...dismissed, table.code])}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
