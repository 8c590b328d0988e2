/** The packs a table is played with, and the way to bring one's own. */
import { useEffect, useState } from "react";
import { http, Refusal } from "../protocol/http";
import type { PackInfo, Problem } from "../protocol/types";
import { Problems } from "../shell/Problems";
import { Switch } from "../shell/SidePanel";
import { text } from "../text/catalogue";

interface PacksProps {
  /** None chosen: every official one. */
  chosen: string[];
  /** null: only to be read. */
  onChange: ((ids: string[]) => void) | null;
}

export function Packs({ chosen, onChange }: PacksProps) {
  const { packs, add } = useKnownPacks(chosen);
  const on = (pack: PackInfo) => (chosen.length === 0 ? pack.official : chosen.includes(pack.id));
  const imported = (fresh: PackInfo[]) => {
    const ids = fresh.map(({ id }) => id);
    add(fresh);
    onChange?.([...packs.filter((pack) => on(pack) && !ids.includes(pack.id)).map(({ id }) => id), ...ids]);
  };
  return (
    <div className="packs-and-import">
      <fieldset className="packs">
        <legend>{text.lobby.packs}</legend>
        {packs.map((pack) => (
          <div key={pack.id} className="pack">
            <Switch
              label={pack.name}
              value={on(pack)}
              disabled={!onChange}
              onChange={(wanted) =>
                onChange?.(packs.filter((p) => (p.id === pack.id ? wanted : on(p))).map((p) => p.id))
              }
            />
            {pack.mine && (
              <a
                className="secondary"
                href={`/packs/${pack.id}`}
                target="_blank"
                aria-label={text.packs.page(pack.name)}
                rel="noopener"
              >
                {text.packs.more}
              </a>
            )}
          </div>
        ))}
      </fieldset>
      {onChange && <PackByLink onFound={(pack) => imported([pack])} />}
      {onChange && <PackImport onImported={imported} />}
    </div>
  );
}

/** The packs in the list, and those that the table has chosen: a friend's pack is in no list. */
function useKnownPacks(chosen: string[]) {
  const [packs, setPacks] = useState<PackInfo[] | null>(null);
  const [asked] = useState(() => new Set<string>());
  const add = (fresh: PackInfo[]) => {
    const ids = new Set(fresh.map(({ id }) => id));
    setPacks((known) => [...(known ?? []).filter(({ id }) => !ids.has(id)), ...fresh]);
  };
  useEffect(() => {
    http.packs().then(setPacks, () => setPacks([]));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `add` is new each time, and does the same.
  useEffect(() => {
    if (!packs) return;
    const unknown = chosen.filter((id) => !asked.has(id) && !packs.some((pack) => pack.id === id));
    for (const id of unknown) {
      asked.add(id);
      // One that is gone is not shown; the server says so when the game is to begin.
      http.pack(id).then(
        (pack) => add([pack]),
        () => undefined,
      );
    }
  }, [chosen, packs, asked]);
  return { packs: packs ?? [], add };
}

/** A pack that somebody has sent the link of. */
function PackByLink({ onFound }: { onFound: (pack: PackInfo) => void }) {
  const [link, setLink] = useState("");
  const [refused, setRefused] = useState("");
  const find = async () => {
    setRefused("");
    try {
      onFound(await http.pack(link.trim().split("/").at(-1) ?? ""));
      setLink("");
    } catch (error) {
      const unknown = error instanceof Refusal && error.code === "pack/unknown";
      setRefused(unknown ? text.packs.unknown : (text.errors.offline ?? ""));
    }
  };
  return (
    <details className="pack-import">
      <summary>{text.packs.byLink}</summary>
      <div className="pack-by-link">
        <input
          className="field"
          value={link}
          placeholder={text.packs.link}
          aria-label={text.packs.link}
          onChange={(event) => setLink(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !link.trim()) return;
            // It stands in the form that makes a table.
            event.preventDefault();
            void find();
          }}
        />
        <button type="button" className="button" disabled={link.trim() === ""} onClick={() => void find()}>
          {text.packs.add}
        </button>
      </div>
      {refused && <p role="alert">{refused}</p>}
    </details>
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
      <p className="secondary">{text.packs.how}</p>
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
