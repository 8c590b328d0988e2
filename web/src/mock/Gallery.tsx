/** Every fixture, one address each: /gallery/NAME. Moves go nowhere; they only show what would be sent. */
import { useMemo } from "react";
import { TableStore } from "../state/store";
import { TableScreen } from "../table/TableScreen";
import { fixtures } from "./fixtures";

export default function Gallery({ name }: { name: string }) {
  const fixture = fixtures.find((f) => f.name === name);
  const store = useMemo(() => (fixture ? new TableStore(fixture.snapshot) : null), [fixture]);
  if (!store) {
    return (
      <ul>
        {fixtures.map((f) => (
          <li key={f.name}>
            <a href={`/gallery/${f.name}`}>{f.name}</a>
          </li>
        ))}
      </ul>
    );
  }
  Object.assign(globalThis, { store });
  const send = async (action: unknown) => {
    console.info("send", JSON.stringify(action));
    store.set({ sending: false });
  };
  return <TableScreen store={store} send={send} onHome={() => undefined} onPanel={() => undefined} unread={2} />;
}
