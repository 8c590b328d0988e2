/** One table by its code: asks for a name if needed, connects, and shows lobby or table with the panels around it. */
import { type FormEvent, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Lobby } from "../lobby/Lobby";
import { ChatPanel } from "../panel/ChatPanel";
import { MenuPanel } from "../panel/MenuPanel";
import { NewRulesNotice } from "../panel/NewRules";
import { RulesPanel } from "../panel/RulesPanel";
import { TableConnection } from "../protocol/connection";
import { myName, rememberName } from "../protocol/identity";
import { limits, type Refused } from "../protocol/types";
import { SettingsPanel } from "../settings/SettingsPanel";
import { TableStore } from "../state/store";
import { Toasts } from "../table/Announcements";
import { TableScreen } from "../table/TableScreen";
import { text } from "../text/catalogue";
import { ConnectionNote } from "./ConnectionNote";
import { Connecting, MessagePage } from "./MessagePage";
import { go } from "./router";
import type { Panel } from "./TopBar";

/** Refusals that a better name would heal. */
const ABOUT_NAME = new Set(["name/taken", "name/not-usable", "seat/none"]);

interface TablePageProps {
  code: string;
  watch: boolean;
  /** The table can't be joined: back home, with the reason. */
  onTurnedAway: (refused: Refused) => void;
}

export default function TablePage({ code, watch, onTurnedAway }: TablePageProps) {
  const [name, setName] = useState(myName());
  const [asking, setAsking] = useState<string | null>(name === "" && !watch ? "" : null);
  const store = useMemo(() => (code ? new TableStore() : new TableStore()), [code]);
  const [connection, setConnection] = useState<TableConnection | null>(null);
  useEffect(() => {
    if (asking !== null) return;
    const onRefused = (refused: Refused) => {
      if (ABOUT_NAME.has(refused.error)) setAsking(refused.text);
      else onTurnedAway(refused);
    };
    const made = new TableConnection(store, { code, name, watch, onRefused });
    made.open();
    setConnection(made);
    const visible = () => document.visibilityState === "visible" && made.hurry();
    addEventListener("online", made.hurry);
    document.addEventListener("visibilitychange", visible);
    return () => {
      made.close();
      removeEventListener("online", made.hurry);
      document.removeEventListener("visibilitychange", visible);
    };
  }, [store, code, name, watch, asking, onTurnedAway]);
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
  return connection ? <AtTable store={store} connection={connection} /> : null;
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

export function AtTable({ store, connection }: { store: TableStore; connection: Pick<TableConnection, "send"> }) {
  const snapshot = useSyncExternalStore(store.subscribe, store.get);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [read, setRead] = useState(0);
  const { info, game, you, view, chat, table } = snapshot;
  const latest = chat.at(-1)?.n ?? 0;
  const dismiss = useCallback((id: number) => store.dismiss(id), [store]);
  useEffect(() => {
    if (panel === "chat" || read === 0) setRead(latest);
  }, [panel, latest, read]);
  if (snapshot.connection === "old" && !view) return <MessagePage message={text.connection.old} reload />;
  if (!info || !game || !you) return <Connecting />;
  const { send } = connection;
  const close = () => setPanel(null);
  const home = () => go("/");
  const nameOf = (seat: number) =>
    info.players.find((player) => player.seat === seat)?.name ?? text.table.seat(seat + 1);
  const unread = panel === "chat" ? 0 : chat.filter((line) => line.n > read && line.kind === "said").length;
  const reader = { nameOf, faces: table?.faces ?? [] };
  return (
    <>
      {view ? (
        <TableScreen
          store={store}
          send={send}
          onHome={home}
          onPanel={setPanel}
          unread={unread}
          onReplay={info.status === "ended" && !info.abandoned ? () => go(`/replay/${info.game}`) : null}
        />
      ) : info.status === "lobby" ? (
        <>
          <Lobby info={info} game={game} you={you} send={send} onHome={home} onPanel={setPanel} unread={unread} />
          <Toasts announcements={snapshot.announcements} reader={reader} onDismiss={dismiss} />
          <ConnectionNote connection={snapshot.connection} />
        </>
      ) : (
        <Connecting />
      )}
      {panel === null && <NewRulesNotice info={info} you={you} send={send} />}
      {panel === "chat" && <ChatPanel chat={chat} reader={reader} send={send} onClose={close} />}
      {panel === "rules" && <RulesPanel game={game} settings={info.settings} onClose={close} />}
      {panel === "settings" && <SettingsPanel onClose={close} />}
      {panel === "menu" && (
        <MenuPanel info={info} you={you} seatCode={snapshot.seatCode} send={send} onPanel={setPanel} onClose={close} />
      )}
    </>
  );
}
