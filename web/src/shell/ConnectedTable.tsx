/** Connects to a table by its code, and shows the lobby or the table with the panels around it. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { needsExplanation, rememberExplained } from "../home/choices";
import { dealNow, isToBeDealt } from "../home/playNow";
import { TableConnection } from "../protocol/connection";
import type { Refused, TableInfo, You } from "../protocol/types";
import { type ClientState, TableStore } from "../state/store";
import { Queue } from "../table/Announcements";
import { TableScreen } from "../table/TableScreen";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { ConnectionNote } from "./ConnectionNote";
import { Connecting, MessagePage, WaitingForAdmission } from "./MessagePage";
import { go } from "./router";
import type { Panel } from "./TopBar";

// A running game needs no lobby, so that is a file of its own, which is loaded together with the table.
const loadLobby = import("../lobby/Lobby");
loadLobby.catch(() => undefined);
const Lobby = lazy(async () => ({ default: (await loadLobby).Lobby }));
const HowToSheet = lazy(() => import("../home/HowToSheet"));
// A person opens a panel with a button, so the panels are loaded after the page that has the buttons.
const loadPanels = () => import("../panel/latePanels");
const AskersNotice = lazy(async () => ({ default: (await loadPanels()).AskersNotice }));
const NewRulesNotice = lazy(async () => ({ default: (await loadPanels()).NewRulesNotice }));
const SitDown = lazy(async () => ({ default: (await loadPanels()).SitDown }));
const ChatPanel = lazy(async () => ({ default: (await loadPanels()).ChatPanel }));
const MenuPanel = lazy(async () => ({ default: (await loadPanels()).MenuPanel }));
const RulesPanel = lazy(async () => ({ default: (await loadPanels()).RulesPanel }));
const SettingsPanel = lazy(async () => ({ default: (await loadPanels()).SettingsPanel }));

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
  const isDealing = useDealNow(snapshot, connection.send);
  // A lobby explains the game. Somebody who plays at once, joins late or gets a seat during the game has not been in one.
  const [explains, setExplains] = useState(false);
  const plays = view !== null && view.seat !== undefined && view.outcome === undefined;
  useEffect(() => {
    if (plays && game && needsExplanation(game)) setExplains(true);
  }, [plays, game]);
  const dismiss = useCallback((id: number) => store.dismiss(id), [store]);
  useEffect(() => void loadPanels().catch(() => undefined), []);
  useEffect(() => {
    if (panel === "chat" || read === 0) setRead(latest);
  }, [panel, latest, read]);
  if (snapshot.connection === "old" && !view) return <MessagePage message={text.connection.old} reload />;
  if (snapshot.connection === "asking" && !info) return <WaitingForAdmission />;
  if (!info || !game || !you) return <Connecting />;
  if (isDealing && !view) return <Connecting dealing />;
  const { send } = connection;
  const close = () => setPanel(null);
  const home = () => go("/");
  const nameOf = (seat: number) =>
    isolateName(info.players.find((player) => player.seat === seat)?.name ?? text.table.seat(seat + 1));
  const askers = info.lead === you.id ? snapshot.askers : [];
  const unread = panel === "chat" ? 0 : chat.filter((line) => line.n > read && line.kind === "said").length;
  const reader = { nameOf, faces: table?.faces ?? [] };
  return (
    <Suspense fallback={<Connecting />}>
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
          <Queue announcements={snapshot.announcements} reader={reader} onDismiss={dismiss} />
          <ConnectionNote connection={snapshot.connection} />
        </>
      ) : info.abandoned ? (
        <MessagePage message={chat.findLast(({ kind }) => kind === "session")?.text ?? text.panel.over} />
      ) : (
        <Connecting />
      )}
      {/* A panel that is still loading leaves the table in sight. */}
      <Suspense fallback={null}>
        {panel === null && <SitDown info={info} game={game} you={you} />}
        {panel === null && <AskersNotice askers={askers} send={send} onMenu={() => setPanel("menu")} />}
        {panel === null && <NewRulesNotice info={info} you={you} send={send} />}
        {explains && plays && (
          <HowToSheet
            game={game}
            onClose={() => {
              rememberExplained(game);
              setExplains(false);
            }}
          />
        )}
        {panel === "chat" && (
          <ChatPanel
            store={store}
            chat={chat}
            closed={isChatClosed(info, you)}
            reader={reader}
            you={you}
            send={send}
            onClose={close}
          />
        )}
        {panel === "rules" && <RulesPanel game={game} settings={info.settings} onClose={close} />}
        {panel === "settings" && <SettingsPanel onClose={close} />}
        {panel === "menu" && (
          <MenuPanel
            info={info}
            you={you}
            askers={askers}
            seatCode={snapshot.seatCode}
            removed={snapshot.removed}
            view={view}
            faces={reader.faces}
            send={send}
            onPanel={setPanel}
            onClose={close}
          />
        )}
      </Suspense>
    </Suspense>
  );
}

/** Deals a table that was made to be played at once. Returns whether that is under way. */
function useDealNow({ connection, info, you }: ClientState, send: TableConnection["send"]): boolean {
  const [isDealing, setIsDealing] = useState(false);
  const code = info?.code ?? "";
  const isReady = connection === "open" && info?.status === "lobby" && info.lead === you?.id && isToBeDealt(code);
  useEffect(() => {
    if (!isReady) return;
    setIsDealing(true);
    // Afterwards the table is there, or the lobby says what is missing.
    void dealNow(code, send).finally(() => setTimeout(() => setIsDealing(false), DEAL_TIMEOUT_MS));
  }, [isReady, code, send]);
  return isReady || isDealing;
}

/** A start waits up to a second for the browser's share of the shuffle. */
const DEAL_TIMEOUT_MS = 3000;

/** Whether only players may chat, and this person is not a player. */
const isChatClosed = (info: TableInfo, you: You): boolean =>
  info.chatPlayersOnly === true && !info.players.some(({ id }) => id === you.id);
