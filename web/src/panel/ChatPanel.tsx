/** The chat, and on a tab of its own what happened in the game. */
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ChatLine, limits, type You } from "../protocol/types";
import { SidePanel } from "../shell/SidePanel";
import { RefusalNote, refusalText, type Send } from "../shell/useAction";
import type { TableStore } from "../state/store";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import type { Reader } from "../text/line";
import { logText } from "../text/logCatalogue";
import { GameLog } from "./GameLog";
import { ReportLine } from "./Report";
import "./panel.css";

interface ChatPanelProps {
  store: TableStore;
  chat: ChatLine[];
  /** Only players may write, and this person is a spectator. */
  closed: boolean;
  reader: Reader;
  you: You;
  send: Send;
  onClose: () => void;
}

/** Text that is not sent yet survives closing the panel. */
let draft = "";

export function ChatPanel({ store, chat, closed, reader, you, send, onClose }: ChatPanelProps) {
  const [tab, setTab] = useState<"chat" | "log">("chat");
  const snapshot = useSyncExternalStore(store.subscribe, store.get);
  const tabs = { chat: logText.chat, log: logText.title };
  return (
    <SidePanel title={text.panel.title} onClose={onClose}>
      {snapshot.view && (
        <div className="panel-tabs" role="tablist">
          {(["chat", "log"] as const).map((name) => (
            <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
              {tabs[name]}
            </button>
          ))}
        </div>
      )}
      {snapshot.view && tab === "log" ? (
        <GameLog store={store} snapshot={snapshot} reader={reader} />
      ) : (
        <Chat chat={chat} closed={closed} you={you} send={send} />
      )}
    </SidePanel>
  );
}

function Chat({ chat, closed, you, send }: Pick<ChatPanelProps, "chat" | "closed" | "you" | "send">) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls for each new line.
  useEffect(() => {
    // In some browsers `scrollIntoView` returns a promise, which React would take for a cleanup function, so nothing
    // is returned here.
    end.current?.scrollIntoView({ block: "end" });
  }, [chat.length]);
  return (
    <>
      <div className="chat" role="log" aria-live="polite">
        {chat.length === 0 && <p className="chat-empty">{text.panel.empty}</p>}
        {chat.map((line) => (
          <div key={line.n} className={`chat-line chat-${line.kind}`}>
            {line.from && (
              <b>
                <bdi>{line.from.name}</bdi>
              </b>
            )}{" "}
            <bdi className="chat-words">{line.text}</bdi>
            {line.kind === "said" && line.from && line.from.id !== you.id && (
              <ReportLine n={line.n} name={isolateName(line.from.name)} send={send} />
            )}
          </div>
        ))}
        <div ref={end} />
      </div>
      {closed ? (
        <p className="chat-closed" role="note">
          {text.door.chatPlayersOnly}
        </p>
      ) : (
        <ChatForm send={send} />
      )}
    </>
  );
}

/** Reactions, and a field for a message. */
function ChatForm({ send }: Pick<ChatPanelProps, "send">) {
  const [words, setWords] = useState(draft);
  const [refused, setRefused] = useState("");
  draft = words;
  const say = (event: FormEvent) => {
    event.preventDefault();
    const said = words.trim();
    if (!said) return;
    setRefused("");
    send({ type: "chat", text: said })
      .then(() => setWords(""))
      .catch((error: { text?: string }) => setRefused(refusalText(error)));
  };
  return (
    <>
      <div className="reactions">
        {limits.reactions.map((reaction) => (
          <button
            key={reaction}
            type="button"
            className="reaction"
            onClick={() => void send({ type: "react", reaction }).catch(() => undefined)}
          >
            {reaction}
          </button>
        ))}
      </div>
      <RefusalNote refused={refused} />
      <form className="chat-form" onSubmit={say}>
        <input
          className="field"
          value={words}
          maxLength={limits.chatChars}
          placeholder={text.panel.write}
          aria-label={text.panel.write}
          onChange={(event) => setWords(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={words.trim() === ""}>
          {text.panel.send}
        </button>
      </form>
    </>
  );
}
