/** Three questions that help to choose: how many people, how long, what kind. */
import { text } from "../text/catalogue";
import type { Wishes } from "./choices";

const PLAYERS = ["1", "2", "3", "4", "5", "6", "7", "8", "12", "20"];
const MINUTES = ["10", "20", "45"];
const KINDS = ["cards", "dice", "words"];

export function WishForm({ wishes, onChange }: { wishes: Wishes; onChange: (wishes: Wishes) => void }) {
  const t = text.home.wishes;
  const list = (field: keyof Wishes, values: string[], title: (value: string) => string) => (
    <label className={`wish ${wishes[field] === "" ? "" : "is-set"}`}>
      <span>{t.labels[field]}</span>
      <select
        className="field"
        value={wishes[field]}
        onChange={(event) => onChange({ ...wishes, [field]: event.target.value })}
      >
        <option value="">{t.any}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {title(value)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div className="wishes" role="group" aria-label={t.title}>
      {list("players", PLAYERS, (value) => t.players(Number(value)))}
      {list("minutes", MINUTES, (value) => t.minutes(Number(value)))}
      {list("kind", KINDS, (value) => t.kinds[value] ?? value)}
    </div>
  );
}
