/** Deletes everything that belongs to this browser's secret, here and on the server. */
import { useState } from "react";
import { http } from "../protocol/http";
import { forgetIdentity } from "../protocol/identity";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { text } from "../text/catalogue";

/** The address to which a forgotten browser goes. */
export const FORGOTTEN = "/?forgotten";

export function ForgetMe() {
  const [state, setState] = useState<"" | "asking" | "working" | "failed">("");
  const t = text.settings;
  const forget = async () => {
    setState("working");
    try {
      await http.forgetMe();
    } catch {
      setState("failed");
      return;
    }
    forgetIdentity();
    // Loading the page again clears everything about the old person from memory.
    location.assign(FORGOTTEN);
  };
  return (
    <section className="forget-me" aria-labelledby="forget-me">
      <h3 id="forget-me">{t.you}</h3>
      <p className="secondary">{t.forgetHow}</p>
      {state === "asking" ? (
        <ConfirmDialog question={t.forgetSure} yes={t.forget} onYes={() => void forget()} onNo={() => setState("")} />
      ) : (
        <button
          type="button"
          className="button danger"
          disabled={state === "working"}
          onClick={() => setState("asking")}
        >
          {state === "working" ? t.forgetting : t.forget}
        </button>
      )}
      {state === "failed" && <p role="alert">{t.forgetFailed}</p>}
    </section>
  );
}
