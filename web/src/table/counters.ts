/** Splits the status lines of a view into counters, which lie on the cloth, and lines that come and go. Pure. */
import type { RichText, TableDefinition, View } from "../protocol/types";
import { lineText, type Reader } from "../text/line";

export interface Counter {
  label: string;
  value: string;
  /** The zone beside which the counter lies. */
  zone?: number | undefined;
}

export interface StatusLines {
  counters: Counter[];
  lines: RichText[];
}

/** The first status lines are the counters of the table's definition: a label, a colon, a space and the value. */
export function splitStatus(table: TableDefinition, view: View, reader: Reader): StatusLines {
  const layouts = table.counters ?? [];
  const counters = layouts.map(({ label, zone }, at) => {
    const line = lineText(view.status[at], reader);
    const prefix = `${label}: `;
    return { label, value: line.startsWith(prefix) ? line.slice(prefix.length) : line, zone };
  });
  return { counters, lines: view.status.slice(layouts.length) };
}
