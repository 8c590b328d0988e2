/** Shows one fixture at /gallery/NAME, and a list of all at /gallery. It writes moves to the console. */
import { useMemo } from "react";
import { Home } from "../home/Home";
import { LobbyOrTable } from "../shell/ConnectedTable";
import { TableStore } from "../state/store";
import { fixtures } from "./fixtures";
import { homeFixture, lobbyFixture } from "./pages";

export default function Gallery({ name }: { name: string }) {
  const all = [...fixtures, lobbyFixture];
  const fixture = all.find((f) => f.name === name);
  const store = useMemo(() => (fixture ? new TableStore(fixture.snapshot) : null), [fixture]);
  if (name === "home") return <Home {...homeFixture} />;
  if (!store) {
    return (
      <ul>
        {["home", ...all.map((f) => f.name)].map((each) => (
          <li key={each}>
            <a href={`/gallery/${each}`}>{each}</a>
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
  return <LobbyOrTable store={store} connection={{ send }} />;
}
