/** The page of one table. It asks for a name if there is none yet, while the table's code is loaded. */
import { type FormEvent, lazy, Suspense, useCallback, useState } from "react";
import { myName, rememberName } from "../protocol/identity";
import { limits, type Refused } from "../protocol/types";
import { text } from "../text/catalogue";
import { Connecting } from "./MessagePage";

export const loadTable = () => import("./ConnectedTable");
const ConnectedTable = lazy(loadTable);

/** Refusals that another name can solve. */
const NAME_ERRORS = new Set(["name/taken", "name/not-usable", "seat/none"]);

interface TablePageProps {
  code: string;
  watch: boolean;
  /** The table can't be joined; the first page tells the reason. */
  onTurnedAway: (refused: Refused) => void;
}

export function TablePage({ code, watch, onTurnedAway }: TablePageProps) {
  const [name, setName] = useState(myName());
  const [asking, setAsking] = useState<string | null>(name === "" && !watch ? "" : null);
  const onRefused = useCallback(
    (refused: Refused) => {
      if (NAME_ERRORS.has(refused.error)) setAsking(refused.text);
      else onTurnedAway(refused);
    },
    [onTurnedAway],
  );
  if (asking !== null) {
    return (
      <NameForm
        refused={asking}
        onName={(given) => {
          rememberName(given);
          setName(given);
          setAsking(null);
        }}
      />
    );
  }
  return (
    <Suspense fallback={<Connecting />}>
      <ConnectedTable code={code} name={name} watch={watch} onRefused={onRefused} />
    </Suspense>
  );
}

function NameForm({ refused, onName }: { refused: string; onName: (name: string) => void }) {
  const [name, setName] = useState(myName());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <main className="name-page" data-cloth="green">
      <form className="name-form" onSubmit={submit}>
        <h1>{text.brand}</h1>
        <label className="option">
          <span>{text.name.label}</span>
          <input
            className="field"
            value={name}
            maxLength={limits.nameChars}
            placeholder={text.name.placeholder}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {refused && <p role="alert">{refused}</p>}
        <button type="submit" className="button primary" disabled={name.trim() === ""}>
          {text.name.go}
        </button>
      </form>
    </main>
  );
}
