/** A page for a game designer: the rules file, its problems, and its tables. The page follows changes of the file. */
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { GameTile } from "../home/GameTile";
import { Resume } from "../home/Resume";
import { http } from "../protocol/http";
import type { TableCard, Workshop as WorkshopState } from "../protocol/types";
import { Problems } from "../shell/Problems";
import { workshopText } from "../text/workshopCatalogue";
import "../home/home.css";
import "../panel/panel.css";

const CreateTable = lazy(() => import("../home/CreateTable"));

/** Milliseconds between two requests. */
const REFRESH_MS = 1000;

export default function Workshop() {
  const [state, setState] = useState<WorkshopState | null>(null);
  const [mine, setMine] = useState<TableCard[]>([]);
  const [failed, setFailed] = useState("");
  const [making, setMaking] = useState(false);
  const refresh = useCallback(() => {
    http.workshop().then(
      (now) => {
        setState(now);
        setFailed("");
      },
      (error: Error) => setFailed(error.message),
    );
    http.myTables().then(setMine, () => undefined);
  }, []);
  useEffect(() => {
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  const errors = state?.problems.filter(({ warning }) => !warning).length ?? 0;
  return (
    <main className="home">
      <header className="home-head" data-cloth="green">
        <h1>{state?.file ?? workshopText.title}</h1>
        <p role="status">
          {failed || (state && (errors > 0 ? workshopText.broken(errors) : workshopText.fine(state.game?.name ?? "")))}
        </p>
      </header>
      {state && state.problems.length > 0 && (
        <section className="home-problems" aria-label={workshopText.problems}>
          <Problems problems={state.problems} />
        </section>
      )}
      {mine.length > 0 && <Resume tables={mine} />}
      {state?.game && (
        <section className="home-games">
          <h2>{workshopText.newTable}</h2>
          <ul className="games">
            <li>
              <GameTile game={state.game} isAside={false} wasPlayed={false} onFriends={() => setMaking(true)} />
            </li>
          </ul>
        </section>
      )}
      <Suspense fallback={null}>
        {making && state?.game && <CreateTable game={state.game} onClose={() => setMaking(false)} />}
      </Suspense>
    </main>
  );
}
