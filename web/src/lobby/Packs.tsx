/** The packs a table is played with, and the way to bring one's own. */
import { useEffect, useState } from "react";
import { http, Refusal } from "../protocol/http";
import type { PackInfo, Problem } from "../protocol/types";
import { Problems } from "../shell/Problems";
import { Switch } from "../shell/Sheet";
import { text } from "../text/catalogue";

interface PacksProps {
  /** None chosen: every official one. */
  chosen: string[];
  /** null: only to be read. */
  onChange: ((ids: string[]) => void) | null;
}

export function Packs({ chosen, onChange }: PacksProps) {
  const [packs, setPacks] = useState<PackInfo[]>([]);
  useEffect(() => {
    http.packs().then(setPacks, () => undefined);
  }, []);
  const on = (pack: PackInfo) => (chosen.length === 0 ? pack.official : chosen.includes(pack.id));
  const imported = (fresh: PackInfo[]) => {
    const ids = new Set(fresh.map(({ id }) => id));
    setPacks((known) => [...known.filter(({ id }) => !ids.has(id)), ...fresh]);
    onChange?.([...packs.filter(on).map(({ id }) => id), ...ids]);
  };
  return (
    <div className="packs-and-import">
      <fieldset className="packs">
        <legend>{text.lobby.packs}</legend>
        {packs.map((pack) => (
          <Switch
            key={pack.id}
            label={pack.name}
            value={on(pack)}
            disabled={!onChange}
            onChange={(wanted) => onChange?.(packs.filter((p) => (p.id === pack.id ? wanted : on(p))).map((p) => p.id))}
          />
        ))}
      </fieldset>
      {onChange && <PackImport onImported={imported} />}
    </div>
  );
}

function PackImport({ onImported }: { onImported: (packs: PackInfo[]) => void }) {
  const [state, setState] = useState<{ said: string; problems: Problem[]; bad: boolean } | null>(null);
  const read = async (file: File) => {
    setState({ said: text.packs.reading(file.name), problems: [], bad: false });
    try {
      const packs = await http.importPacks(await file.text(), file.name.replace(/\.[^.]+$/, ""));
      onImported(packs);
      setState({ said: text.packs.imported(packs.map(({ name }) => name).join(", ")), problems: [], bad: false });
    } catch (error) {
      const problems = error instanceof Refusal ? (error.refused?.problems ?? []) : [];
      const said = error instanceof Error ? error.message : text.packs.failed;
      setState({ said, problems, bad: true });
    }
  };
  return (
    <details className="pack-import">
      <summary>{text.packs.bring}</summary>
      <p className="quiet">{text.packs.how}</p>
      <label className="option">
        <span>{text.packs.file}</span>
        <input
          className="field"
          type="file"
          accept=".json,.csv,application/json,text/csv"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void read(file);
            // The same file, mended, may be chosen again.
            event.target.value = "";
          }}
        />
      </label>
      {state && <p role={state.bad ? "alert" : "status"}>{state.said}</p>}
      {state && state.problems.length > 0 && <Problems problems={state.problems} />}
    </details>
  );
}
