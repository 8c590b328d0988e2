/** The packs of a table, and two ways to add one: by its link or by a file. */
import { useEffect, useState } from "react";
import { http, RefusalError } from "../protocol/http";
import type { PackInfo, Problem } from "../protocol/types";
import { Switch } from "../shell/Fields";
import { Problems } from "../shell/Problems";
import { text } from "../text/catalogue";
import { packsText } from "../text/packsCatalogue";

interface PacksProps {
  /** An empty list means every official pack. */
  chosen: string[];
  /** Null if the list is read-only. */
  onChange: ((ids: string[]) => void) | null;
}

export function Packs({ chosen, onChange }: PacksProps) {
  const { packs, add } = useKnownPacks(chosen);
  const isChosen = (pack: PackInfo) => (chosen.length === 0 ? pack.official : chosen.includes(pack.id));
  const addAndChoose = (newPacks: PackInfo[]) => {
    const ids = newPacks.map(({ id }) => id);
    add(newPacks);
    onChange?.([...packs.filter((pack) => isChosen(pack) && !ids.includes(pack.id)).map(({ id }) => id), ...ids]);
  };
  return (
    <div className="packs-and-import">
      <fieldset className="packs">
        <legend>{text.lobby.packs}</legend>
        {packs.map((pack) => (
          <div key={pack.id} className="pack">
            <Switch
              label={pack.name}
              value={isChosen(pack)}
              disabled={!onChange}
              onChange={(wanted) =>
                onChange?.(packs.filter((p) => (p.id === pack.id ? wanted : isChosen(p))).map((p) => p.id))
              }
            />
            {pack.mine && (
              <a
                className="secondary"
                href={`/packs/${pack.id}`}
                target="_blank"
                aria-label={packsText.page(pack.name)}
                rel="noopener"
              >
                {packsText.more}
              </a>
            )}
          </div>
        ))}
      </fieldset>
      {onChange && <PackByLink onFound={(pack) => addAndChoose([pack])} />}
      {onChange && <PackImport onImported={addAndChoose} />}
    </div>
  );
}

/** The packs in the server's list, and the chosen ones that are not in the list, such as a friend's pack. */
function useKnownPacks(chosen: string[]) {
  const [packs, setPacks] = useState<PackInfo[] | null>(null);
  const [asked] = useState(() => new Set<string>());
  const add = (newPacks: PackInfo[]) => {
    const ids = new Set(newPacks.map(({ id }) => id));
    setPacks((known) => [...(known ?? []).filter(({ id }) => !ids.has(id)), ...newPacks]);
  };
  useEffect(() => {
    http.packs().then(setPacks, () => setPacks([]));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `add` is a new function each time, but does the same.
  useEffect(() => {
    if (!packs) return;
    const unknown = chosen.filter((id) => !asked.has(id) && !packs.some((pack) => pack.id === id));
    for (const id of unknown) {
      asked.add(id);
      // The list leaves out a pack that is gone; the server reports it when the game starts.
      http.pack(id).then(
        (pack) => add([pack]),
        () => undefined,
      );
    }
  }, [chosen, packs, asked]);
  return { packs: packs ?? [], add };
}

/** Adds a pack by a link that somebody has shared. */
function PackByLink({ onFound }: { onFound: (pack: PackInfo) => void }) {
  const [link, setLink] = useState("");
  const [refused, setRefused] = useState("");
  const find = async () => {
    setRefused("");
    try {
      onFound(await http.pack(link.trim().split("/").at(-1) ?? ""));
      setLink("");
    } catch (error) {
      const unknown = error instanceof RefusalError && error.code === "pack/unknown";
      setRefused(unknown ? packsText.unknown : (text.errors.offline ?? ""));
    }
  };
  return (
    <details className="pack-import">
      <summary>{packsText.byLink}</summary>
      <div className="pack-by-link">
        <input
          className="field"
          value={link}
          placeholder={packsText.link}
          aria-label={packsText.link}
          onChange={(event) => setLink(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !link.trim()) return;
            // The field stands inside the form that makes a table, which Enter would submit.
            event.preventDefault();
            void find();
          }}
        />
        <button type="button" className="button" disabled={link.trim() === ""} onClick={() => void find()}>
          {packsText.add}
        </button>
      </div>
      {refused && <p role="alert">{refused}</p>}
    </details>
  );
}

function PackImport({ onImported }: { onImported: (packs: PackInfo[]) => void }) {
  const [state, setState] = useState<{ message: string; problems: Problem[]; failed: boolean } | null>(null);
  const read = async (file: File) => {
    setState({ message: packsText.reading(file.name), problems: [], failed: false });
    try {
      const packs = await http.importPacks(await file.text(), file.name.replace(/\.[^.]+$/, ""));
      onImported(packs);
      setState({ message: packsText.imported(packs.map(({ name }) => name).join(", ")), problems: [], failed: false });
    } catch (error) {
      const problems = error instanceof RefusalError ? (error.refused?.problems ?? []) : [];
      const message = error instanceof Error ? error.message : packsText.failed;
      setState({ message, problems, failed: true });
    }
  };
  return (
    <details className="pack-import">
      <summary>{packsText.bring}</summary>
      <p className="secondary">{packsText.how}</p>
      <label className="option">
        <span>{packsText.file}</span>
        <input
          className="field"
          type="file"
          accept=".json,.csv,application/json,text/csv"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void read(file);
            // Lets the person choose the same file again after correcting it.
            event.target.value = "";
          }}
        />
      </label>
      {state && <p role={state.failed ? "alert" : "status"}>{state.message}</p>}
      {state && state.problems.length > 0 && <Problems problems={state.problems} />}
    </details>
  );
}
