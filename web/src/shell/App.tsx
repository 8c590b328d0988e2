/** Chooses the page. It loads pages later that the first load does not need. */
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { Refused } from "../protocol/types";
import { text } from "../text/catalogue";
import { go, routeOf, useRoute } from "./router";
import { loadInvitation, loadTable, TablePage } from "./TablePage";
import "./pages.css";

// Fixtures exist in development only; the build drops them.
const Gallery = import.meta.env.DEV ? lazy(() => import("../gallery/Gallery")) : null;
// A table does not need the first page; `main.tsx` begins to load it at once where it is shown.
export const loadHome = () => import("../home/Home");
const Home = lazy(async () => ({ default: (await loadHome()).Home }));
const ReplayPage = lazy(() => import("../replay/ReplayPage"));
const PackPage = lazy(() => import("../packs/PackPage"));
const Workshop = lazy(() => import("../workshop/Workshop"));
// A person who comes by a link types a name first, and the client loads the table meanwhile.
if (routeOf(location.pathname).page === "table") {
  for (const load of [loadInvitation, loadTable]) void load().catch(() => undefined);
}

/** Refusals after which a person may still watch. */
const MAY_WATCH = new Set(["table/full", "table/no-newcomers"]);

/** A person who was just forgotten comes to the first page and reads that it has worked. */
const forgottenReason = () =>
  location.search === "?forgotten" ? { text: text.home.refusals["seat/forgotten"] ?? "" } : null;

export function App() {
  const route = useRoute();
  const [reason, setReason] = useState<{ text: string; watch?: string } | null>(forgottenReason);
  const code = route.page === "table" ? route.code : "";
  // The next page after the first one is a table, so the client loads it ahead.
  useEffect(() => {
    const timer = setTimeout(() => void loadTable().catch(() => undefined), 1500);
    return () => clearTimeout(timer);
  }, []);
  const onTurnedAway = useCallback(
    (refused: Refused) => {
      const worded = text.home.refusals[refused.error] ?? refused.text;
      setReason({ text: worded, ...(MAY_WATCH.has(refused.error) ? { watch: code } : {}) });
      go("/");
    },
    [code],
  );
  return (
    <Suspense fallback={null}>
      {route.page === "home" && <Home reason={reason} />}
      {route.page === "table" && (
        <TablePage key={route.code} code={route.code} watch={route.watch} onTurnedAway={onTurnedAway} />
      )}
      {route.page === "replay" && <ReplayPage game={route.game} />}
      {route.page === "pack" && <PackPage key={route.id} id={route.id} />}
      {route.page === "workshop" && <Workshop />}
      {route.page === "gallery" && Gallery && <Gallery name={route.name} />}
    </Suspense>
  );
}
