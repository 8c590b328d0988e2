/** The page of one pack: its content, and for the person who uploaded it a button to delete it. */
import { useEffect, useState } from "react";
import { http, RefusalError } from "../protocol/http";
import type { PackInfo } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { MessagePage } from "../shell/MessagePage";
import { go } from "../shell/router";
import { text } from "../text/catalogue";
import { packsText } from "../text/packsCatalogue";
import "../panel/panel.css";
import "./packs.css";

export default function PackPage({ id }: { id: string }) {
  const [pack, setPack] = useState<PackInfo | null>(null);
  const [message, setMessage] = useState<string>(packsText.loading);
  useEffect(() => {
    http.pack(id).then(setPack, (error: unknown) => {
      const unknown = error instanceof RefusalError && error.code === "pack/unknown";
      setMessage(unknown ? packsText.unknown : (text.errors.offline ?? ""));
    });
  }, [id]);
  const gone = () => {
    setPack(null);
    setMessage(packsText.removed);
  };
  return pack ? <PackDetails pack={pack} onGone={gone} /> : <MessagePage message={message} />;
}

function PackDetails({ pack, onGone }: { pack: PackInfo; onGone: () => void }) {
  const [state, setState] = useState<"" | "sure" | "failed">("");
  const [copied, setCopied] = useState(false);
  const t = packsText;
  const link = `${location.origin}/packs/${pack.id}`;
  const copy = () =>
    navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => undefined,
    );
  const remove = () => http.deletePack(pack.id).then(onGone, () => setState("failed"));
  return (
    <main className="name-page" data-cloth="green">
      <section className="name-form pack-page" aria-label={t.title}>
        <h1>{pack.name}</h1>
        {pack.description && <p>{pack.description}</p>}
        <ul>
          {Object.entries(pack.cards).map(([deck, n]) => (
            <li key={deck}>{t.cards(n, deck)}</li>
          ))}
        </ul>
        <p className="secondary">{pack.official ? t.official : pack.mine ? t.mine : t.others}</p>
        <input className="field" readOnly value={link} aria-label={t.link} onFocus={(event) => event.target.select()} />
        <button type="button" className="button" onClick={() => void copy()}>
          {copied ? t.copied : t.copy}
        </button>
        <div className="pack-files">
          <a href={`/api/packs/${pack.id}?format=csv`}>{t.download("CSV")}</a>
          <a href={`/api/packs/${pack.id}`}>{t.download("JSON")}</a>
        </div>
        {pack.mine && state !== "sure" && (
          <button type="button" className="button danger" onClick={() => setState("sure")}>
            {t.remove}
          </button>
        )}
        {state === "sure" && (
          <ConfirmDialog question={t.removeSure} yes={t.remove} onYes={() => void remove()} onNo={() => setState("")} />
        )}
        {state === "failed" && <p role="alert">{t.removeFailed}</p>}
        <button type="button" className="button" onClick={() => go("/")}>
          {text.end.home}
        </button>
      </section>
    </main>
  );
}
