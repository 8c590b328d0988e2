/** The first page: games, a field for a table's code, and the person's unfinished tables. */
import { type FormEvent, lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { http } from "../protocol/http";
import type { Definition, Online, TableCard } from "../protocol/types";
import { Icon } from "../shell/Icon";
import { go } from "../shell/router";
import { text } from "../text/catalogue";
import { playedGames, rememberedWishes, rememberWishes, type Wishes } from "./choices";
import { fits, sortGames } from "./fitting";
import { GameTile } from "./GameTile";
import { knownGames, loadGames } from "./games";
import { hasTables, Resume, rememberHasTables } from "./Resume";
import { WishForm } from "./WishForm";
import "../panel/panel.css";
import "./home.css";

// A phone has no room for the header's cards, so it does not load them.
const ROOM_FOR_CARDS = matchMedia("(min-width: 900px)");
const HeaderCards = lazy(() => import("./HeaderCards"));
// Panels open after a tap, so the first load does not wait for them.
const CreateTable = lazy(() => import("./CreateTable"));
const SettingsPanel = lazy(() => import("../settings/SettingsPanel"));

export interface HomeProps {
  /** Why the visitor is here instead of at a table. */
  reason?: { text: string; watch?: string } | null;
  /** The gallery passes these; otherwise the page fetches them. */
  games?: Definition[];
  mine?: TableCard[];
}

export function Home({ reason = null, ...given }: HomeProps) {
  const [list, setList] = useState<Definition[] | null>(given.games ?? knownGames());
  const [mine, setMine] = useState<TableCard[] | null>(given.mine ?? null);
  const [failed, setFailed] = useState(false);
  const [chosen, setChosen] = useState<Definition | null>(null);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const [wishes, setWishes] = useState<Wishes>(rememberedWishes);
  const played = useMemo(() => (given.games ? [] : playedGames()), [given.games]);
  const games = sortGames(list ?? [], wishes, played);
  const firstAside = games.findIndex((game) => !fits(game, wishes));
  const isGiven = given.games !== undefined;
  const load = useCallback(() => {
    if (isGiven) return;
    setFailed(false);
    loadGames().then(setList, () => setFailed(true));
    http.myTables().then(
      (tables) => {
        setMine(tables);
        rememberHasTables(tables.length > 0);
      },
      () => setMine([]),
    );
  }, [isGiven]);
  useEffect(load, [load]);
  return (
    <main className="home">
      <header className="home-head" data-cloth="green">
        {ROOM_FOR_CARDS.matches && (
          <Suspense fallback={null}>
            <HeaderCards />
          </Suspense>
        )}
        <button
          type="button"
          className="icon-button home-settings"
          aria-label={text.settings.title}
          onClick={() => setSettingsOpen(true)}
        >
          <Icon name="sliders" />
        </button>
        <h1>
          <Logo /> {text.brand}
        </h1>
        <p>{text.tagline}</p>
        <JoinForm />
      </header>
      {reason && (
        <div className="home-reason" role="alert">
          <p>{reason.text}</p>
          {reason.watch && (
            <button type="button" className="button small" onClick={() => go(`/t/${reason.watch}?watch`)}>
              {text.home.watch}
            </button>
          )}
        </div>
      )}
      {/* The list keeps its room while it loads, so that no game moves away from under a finger. */}
      {(mine ? mine.length > 0 || reason : hasTables()) && <Resume tables={mine} />}
      <section className="home-games">
        <div className="home-line">
          <h2>{text.home.games}</h2>
          <WishForm
            wishes={wishes}
            onChange={(next) => {
              setWishes(next);
              if (!isGiven) rememberWishes(next);
            }}
          />
        </div>
        {list && firstAside === 0 && <p className="secondary">{text.home.nothingFits}</p>}
        {failed && (
          <p className="home-failed">
            {text.home.noGames}{" "}
            <button type="button" className="button small" onClick={load}>
              {text.home.retry}
            </button>
          </p>
        )}
        <ul className="games">
          {games.map((game, at) => (
            <li key={game.id}>
              <GameTile
                game={game}
                isAside={firstAside >= 0 && at >= firstAside}
                wasPlayed={game.id === played[0]}
                onFriends={setChosen}
                {...(isGiven ? { play: async () => undefined } : {})}
              />
            </li>
          ))}
        </ul>
      </section>
      {list && !isGiven && <OnlineNow />}
      <Suspense fallback={null}>
        {settingsOpen && <SettingsPanel onClose={() => setSettingsOpen(false)} />}
        {chosen && <CreateTable key={chosen.id} game={chosen} onClose={() => setChosen(null)} />}
      </Suspense>
    </main>
  );
}

/** How many people are online. The page fetches it after everything else. */
function OnlineNow() {
  const [now, setNow] = useState<Online | null>(null);
  useEffect(() => {
    const later = setTimeout(() => http.online().then(setNow, () => undefined), 1500);
    return () => clearTimeout(later);
  }, []);
  return now && now.people > 0 ? <p className="home-online">{text.home.online(now.people, now.tables)}</p> : null;
}

function JoinForm() {
  const [code, setCode] = useState("");
  const join = (event: FormEvent) => {
    event.preventDefault();
    const found = /([A-Za-z0-9_-]+)\/?(?:[?#].*)?$/.exec(code.trim());
    if (found?.[1]) go(`/t/${found[1].toLowerCase()}`);
  };
  return (
    <form className="join-form" onSubmit={join}>
      <label>
        <span className="visually-hidden">{text.home.joinLabel}</span>
        <input
          className="field"
          value={code}
          placeholder={text.home.joinLabel}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => setCode(event.target.value)}
        />
      </label>
      <button type="submit" className="button primary" disabled={code.trim() === ""}>
        {text.home.join}
      </button>
    </form>
  );
}

function Logo() {
  return (
    <svg className="mark" viewBox="0 0 48 48" aria-hidden="true">
      <rect x="9" y="6" width="22" height="31" rx="4" transform="rotate(-14 20 22)" fill="#f4d489" />
      <rect x="17" y="9" width="22" height="31" rx="4" transform="rotate(8 28 25)" fill="#fffaf0" />
      <path
        d="M27 15c2 5 9 8 9 14 0 5-6 6-8 2 0 3 1 5 3 6h-8c2-1 3-3 3-6-2 4-8 3-8-2 0-6 7-9 9-14z"
        fill="#14532f"
        transform="rotate(8 28 25)"
      />
    </svg>
  );
}
