import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { prefetchGames } from "./home/games";
import { applySettings } from "./settings/settings";
import { App, loadHome } from "./shell/App";
import { ErrorBoundary } from "./shell/ErrorBoundary";
import { routeOf } from "./shell/router";
import "./shell/theme.css";

applySettings();
const root = document.getElementById("root");
const draw = () => {
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </StrictMode>,
  );
};
/**
 * How long the first page waits for the list of games, which usually arrives before the script. Drawing the page
 * twice would take longer.
 */
const MAX_WAIT_FOR_GAMES_MS = 150;
if (routeOf(location.pathname).page === "home") {
  const games = prefetchGames();
  const tooLong = new Promise((done) => setTimeout(done, MAX_WAIT_FOR_GAMES_MS));
  // Without its script the page shows nothing, so it is drawn as soon as that is there.
  void Promise.all([loadHome().catch(() => undefined), Promise.race([games, tooLong])]).then(draw);
} else draw();

// The server no longer has the scripts of an older version, so the client loads the whole page again, once.
addEventListener("vite:preloadError", () => {
  // The first page loads the table ahead. If that fails, the client tries again when it needs the table, and no typed
  // text is lost.
  if (routeOf(location.pathname).page === "home") return;
  if (sessionStorage.getItem("baize.reloaded") === location.href) return;
  sessionStorage.setItem("baize.reloaded", location.href);
  location.reload();
});

// The service worker lets the installed app start offline. In development it would serve old files. It fetches what
// the page has just fetched, so it starts after the page has loaded.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  addEventListener("load", () => setTimeout(register, 2000));
}
