/** The first page: games, a field for a table's code, and the person's unfinished tables. */
import { type FormEvent, Fragment, lazy, Suspense, useCallback, useEffect, useState } from "react";
import { http } from "../protocol/http";
import type { Definition, Online, TableCard } from "../protocol/types";
import { SettingsPanel } from "../settings/SettingsPanel";
import { Icon } from "../shell/Icon";
import { go } from "../shell/router";
import { text } from "../text/catalogue";
import { formatDate } from "../text/line";
import { CreateTable } from "./CreateTable";
import { GamePicture } from "./GamePicture";
import { knownGames, loadGames } from "./games";
import "../panel/panel.css";
import "./home.css";

// A phone has no room for the header's cards, so it does not load them.
const ROOM_FOR_CARDS = matchMedia("(min-width: 900px)");
const HeaderCards = lazy(() => import("./HeaderCards"));

export interface HomeProps {
  /** Why the visitor is here instead of at a table. */
  reason?: { text: string; watch?: string } | null;
  /** The gallery passes these; otherwise they are fetched. */
  games?: Definition[];
  mine?: TableCard[];
}

export function Home({ reason = null, ...given }: HomeProps) {
  const [list, setList] = useState<Definition[] | null>(given.games ?? knownGames());
  const [mine, setMine] = useState<TableCard[]>(given.mine ?? []);
  const [failed, setFailed] = useState(false);
  const [chosen, setChosen] = useState<Definition | null>(null);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const isGiven = given.games !== undefined;
  const load = useCallback(() => {
    if (isGiven) return;
    setFailed(false);
    loadGames().then(setList, () => setFailed(true));
    http.myTables().then(setMine, () => undefined);
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
      {(mine.length > 0 || reason) && <Resume tables={mine} />}
      <section className="home-games">
        <h2>{text.home.games}</h2>
        {failed && (
          <p className="home-failed">
            {text.home.noGames}{" "}
            <button type="button" className="button small" onClick={load}>
              {text.home.retry}
            </button>
          </p>
        )}
        <ul className="games">
          {(list ?? []).map((game) => (
            <li key={game.id}>
              <button type="button" className="game" onClick={() => setChosen(game)}>
                <GamePicture game={game} />
                <span className="game-words">
                  <strong>{game.name}</strong>
                  <span>{game.description}</span>
                  <small>{text.home.players(game.minPlayers, game.maxPlayers)}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {list && !isGiven && <OnlineNow />}
      {settingsOpen && <SettingsPanel onClose={() => setSettingsOpen(false)} />}
      {chosen && <CreateTable key={chosen.id} game={chosen} onClose={() => setChosen(null)} />}
    </main>
  );
}

/** How many people are online. It is fetched after everything else. */
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

/** The unfinished tables: names of players, number of bots, and the time of the last change. */
export function Resume({ tables }: { tables: TableCard[] }) {
  return (
    <section className="home-resume" aria-label={text.home.resumeTitle}>
      <h2>{text.home.resumeTitle}</h2>
      {tables.length === 0 && <p className="secondary">{text.home.resumeNone}</p>}
      <ul className="resume-grid">
        {tables.map((table) => (
          <li key={table.code}>
            <button type="button" className="resume" onClick={() => go(`/t/${table.code}`)}>
              <strong>{table.title}</strong>
              <span>
                {table.players.map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the names have an order and no ids.
                  <Fragment key={at}>
                    {at > 0 && ", "}
                    <bdi>{name}</bdi>
                  </Fragment>
                ))}
                {table.bots > 0 && ` + ${text.home.bots(table.bots)}`}
              </span>
              <small>{formatDate(table.updatedAt)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
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
