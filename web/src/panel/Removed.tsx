/** For a minute the lead can take back the removal of a player. */
import { useEffect, useState } from "react";
import { RefusalNote, type Send, useAction } from "../shell/useAction";
import type { ClientState } from "../state/store";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";

export function Removed({ removed, send }: { removed: ClientState["removed"]; send: Send }) {
  const [act, refused] = useAction(send);
  const [undone, setUndone] = useState<string[]>([]);
  const [now, setNow] = useState(() => Date.now());
  const shown = removed.filter(({ playerId, until }) => until > now && !undone.includes(playerId));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      {shown.map(({ playerId, name }) => (
        <div key={playerId} className="sure" role="status">
          <p>{text.panel.removed(isolateName(name))}</p>
          <button
            type="button"
            className="button small"
            onClick={() => {
              act({ type: "undoKick", playerId });
              setUndone([...undone, playerId]);
            }}
          >
            {text.panel.undoKick(isolateName(name))}
          </button>
        </div>
      ))}
      <RefusalNote refused={refused} />
    </>
  );
}
