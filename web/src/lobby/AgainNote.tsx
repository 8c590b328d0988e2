/** Lets a player say that they want another game, and tells everybody who has and who has not. */
import type { Action, TableInfo, You } from "../protocol/types";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { joinNames } from "../text/line";

interface AgainProps {
  info: TableInfo;
  you: You;
  act: (action: Action) => void;
}

export function AgainButton({ info, you, act }: AgainProps) {
  const isSeated = info.players.some(({ id, presence }) => id === you.id && presence !== "left");
  if (!isSeated || info.abandoned) return null;
  const again = info.again?.includes(you.id) ?? false;
  return (
    <button type="button" className="button" onClick={() => act({ type: "again", again: !again })}>
      {again ? text.end.notAgain : text.end.again}
    </button>
  );
}

/** Draws nothing until somebody has said so. */
export function AgainNote({ info }: Pick<AgainProps, "info">) {
  const { again = [] } = info;
  if (again.length === 0) return null;
  const persons = info.players.filter(({ bot, presence }) => !bot && (presence === "active" || presence === "away"));
  const names = (wanted: boolean) =>
    persons.filter(({ id }) => again.includes(id) === wanted).map(({ name }) => isolateName(name));
  const told = (list: string[]) => joinNames(list, text.table.and, text.table.others);
  const waited = names(false);
  return (
    <p className="again-note" role="status">
      {text.end.againWho(told(names(true)))} {waited.length > 0 && text.end.againWaits(told(waited))}
    </p>
  );
}
