/** The packs of the table that somebody uploaded, by name and description, each with a button to report it. */
import { useEffect, useState } from "react";
import { http } from "../protocol/http";
import type { PackInfo } from "../protocol/types";
import type { Send } from "../shell/useAction";
import { isolateName } from "../text/isolate";
import { reportText } from "../text/reportCatalogue";
import { ReportList } from "./ReportList";

export function UploadedPacks({ ids, send }: { ids: readonly string[]; send: Send }) {
  const [packs, setPacks] = useState<PackInfo[]>([]);
  const wanted = ids.join(" ");
  useEffect(() => {
    let closed = false;
    // The list leaves out a pack that is gone: nobody can read its name any more.
    void Promise.allSettled(wanted.split(" ").map(http.pack)).then((found) => {
      if (!closed) setPacks(found.flatMap((pack) => (pack.status === "fulfilled" ? [pack.value] : [])));
    });
    return () => {
      closed = true;
    };
  }, [wanted]);
  return <PackNames packs={packs} send={send} />;
}

/** Leaves out the server's own packs, which are the operator's words. */
export function PackNames({ packs, send }: { packs: readonly PackInfo[]; send: Send }) {
  const items = packs
    .filter(({ official }) => !official)
    .map(({ id, name, description }) => {
      const isolated = isolateName(name);
      return {
        about: { kind: "pack", id } as const,
        key: id,
        words: name,
        below: description,
        label: reportText.pack(isolated),
        question: reportText.packSure(isolated),
      };
    });
  return <ReportList title={reportText.packs} items={items} send={send} />;
}
