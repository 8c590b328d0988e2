/** The code of a table and its link: to copy, to share, and as a QR code. */
import { lazy, Suspense, useState } from "react";
import { Icon } from "../shell/Icon";
import { text } from "../text/catalogue";
import "./invite-link.css";

const QrCode = lazy(() => import("./QrCode"));

export function InviteLink({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const [showsLink, setShowsLink] = useState(false);
  const [qr, setQr] = useState(false);
  const link = `${location.origin}/t/${code}`;
  const copy = async () => {
    // Without https there is no clipboard; then the link is shown, so that people can copy it by hand.
    const done = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    if (!done) return setShowsLink(true);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="invite-link" role="group" aria-label={text.invite.link}>
      <span className="invite-label">{text.lobby.code}</span>
      <strong className="invite-code">{code}</strong>
      {showsLink && (
        <input
          className="field"
          readOnly
          value={link}
          aria-label={text.lobby.link}
          onFocus={(event) => event.target.select()}
        />
      )}
      {qr && (
        <Suspense fallback={null}>
          <QrCode value={link} label={text.lobby.qrAlt} />
        </Suspense>
      )}
      <div className="invite-actions">
        <button type="button" className="button small" onClick={() => void copy()}>
          <Icon name="copy" /> {copied ? text.lobby.copied : text.lobby.copy}
        </button>
        {"share" in navigator && (
          <button
            type="button"
            className="button small"
            onClick={() => void navigator.share({ url: link, title: text.brand }).catch(() => undefined)}
          >
            <Icon name="share" /> {text.lobby.share}
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-label={qr ? text.lobby.qrHide : text.lobby.qr}
          aria-expanded={qr}
          onClick={() => setQr(!qr)}
        >
          <Icon name="qr" />
        </button>
      </div>
    </div>
  );
}
