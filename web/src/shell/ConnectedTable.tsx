/** Connects to a table by its code, and shows the lobby or the table with the panels around it. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Lobby } from "../lobby/Lobby";
import { AskersNotice } from "../panel/Askers";
import { ChatPanel } from "../panel/ChatPanel";
import { MenuPanel } from "../panel/MenuPanel";
import { NewRulesNotice } from "../panel/NewRules";
import { RulesPanel } from "../panel/RulesPanel";
import { TableConnection } from "../protocol/connection";
import type { Refused, TableInfo, You } from "../protocol/types";
import { SettingsPanel } from "../settings/SettingsPanel";
import { TableStore } from "../state/store";
import { Toasts } from "../table/Announcements";
import { TableScreen } from "../table/TableScreen";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { ConnectionNote } from "./ConnectionNote";
import { Connecting, MessagePage, WaitingForAdmission } from "./MessagePage";
import { go } from "./router";
import type { Panel } from "./TopBar";

interface ConnectedTableProps {
  code: string;
  name: string;
  watch: boolean;
  onRefused: (refused: Refused) => void;
}

export default function ConnectedTable({ code, name, watch, onRefused }: ConnectedTableProps) {
  const store = useMemo(() => (code ? new TableStore() : new TableStore()), [code]);
  const [connection, setConnection] = useState<TableConnection | null>(null);
  useEffect(() => {
    const made = new TableConnection(store, { code, name, watch, onRefused });
    made.open();
    setConnection(made);
    const visible = () => (document.visibilityState === "visible" ? made.reconnectNow() : made.flush());
    addEventListener("online", made.reconnectNow);
    document.addEventListener("visibilitychange", visible);
    return () => {
      made.close();
      removeEventListener("online", made.reconnectNow);
      document.removeEventListener("visibilitychange", visible);
    };
  }, [store, code, name, watch, onRefused]);
  return connection ? <LobbyOrTable store={store} connection={connection} /> : null;
}

export function LobbyOrTable({ store, connection }: { store: TableStore; connection: Pick<TableConnection, "send"> }) {
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
  if (snapshot.connection === "asking" && !info) return <WaitingForAdmission />;
  if (!info || !game || !you) return <Connecting />;
  const { send } = connection;
  const close = () => setPanel(null);
  const home = () => go("/");
  const nameOf = (seat: number) =>
    isolateName(info.players.find((player) => player.seat === seat)?.name ?? text.table.seat(seat + 1));
  const askers = info.lead === you.id ? snapshot.askers : [];
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
      ) : info.abandoned ? (
        <MessagePage message={chat.findLast(({ kind }) => kind === "session")?.text ?? text.panel.over} />
      ) : (
        <Connecting />
      )}
      {panel === null && <AskersNotice askers={askers} send={send} onMenu={() => setPanel("menu")} />}
      {panel === null && <NewRulesNotice info={info} you={you} send={send} />}
      {panel === "chat" && (
        <ChatPanel chat={chat} closed={isChatClosed(info, you)} reader={reader} you={you} send={send} onClose={close} />
      )}
      {panel === "rules" && <RulesPanel game={game} settings={info.settings} onClose={close} />}
      {panel === "settings" && <SettingsPanel onClose={close} />}
      {panel === "menu" && (
        <MenuPanel
          info={info}
          you={you}
          askers={askers}
          seatCode={snapshot.seatCode}
          view={view}
          send={send}
          onPanel={setPanel}
          onClose={close}
        />
      )}
    </>
  );
}

/** Whether only players may chat, and this person is not a player. */
const isChatClosed = (info: TableInfo, you: You): boolean =>
  info.chatPlayersOnly === true && !info.players.some(({ id }) => id === you.id);
