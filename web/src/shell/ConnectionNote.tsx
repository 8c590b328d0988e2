/** Tells what is wrong with the connection and what to do. It is hidden while the connection works. */
import type { ConnectionStatus } from "../state/store";
import { text } from "../text/catalogue";

export function ConnectionNote({ connection }: { connection: ConnectionStatus }) {
  if (connection === "open" || connection === "refused") return null;
  return (
    <p className="connection-note" role="status">
      {text.connection[connection]}
      {connection === "old" && (
        <button type="button" className="button small primary" onClick={() => location.reload()}>
          {text.connection.reload}
        </button>
      )}
    </p>
  );
}
