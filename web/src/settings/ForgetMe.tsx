/** The way to be forgotten: everything that this browser's key stands for is deleted, here and on the server. */
import { useState } from "react";
import { http } from "../protocol/http";
import { becomeNew } from "../protocol/identity";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { text } from "../text/catalogue";

/** Where a browser lands that was forgotten. */
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
    becomeNew();
    // The page begins anew: nothing in its memory is of the one who was forgotten.
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
