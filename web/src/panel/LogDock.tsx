/** The log beside the table, in a window that is wide enough. */
import type { TableStore } from "../state/store";
import { useTable } from "../table/context";
import { logText } from "../text/logCatalogue";
import { GameLog } from "./GameLog";

export function LogDock({ store }: { store: TableStore }) {
  const { snapshot, reader } = useTable();
  return (
    <aside className="log-dock" aria-label={logText.title} data-keep>
      <h2>{logText.title}</h2>
      <GameLog store={store} snapshot={snapshot} reader={reader} />
    </aside>
  );
}
