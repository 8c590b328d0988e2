import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { gamesAhead } from "./home/games";
import { applySettings } from "./settings/settings";
import { App } from "./shell/App";
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
/** Milliseconds that the first page waits for its games, which as a rule are there before the script is: drawn twice is drawn late. */
const WAIT = 150;
if (routeOf(location.pathname).page === "home") {
  void Promise.race([gamesAhead(), new Promise((done) => setTimeout(done, WAIT))]).then(draw);
} else draw();

// A part of an older version that is no longer there: the page as a whole is fetched anew, once.
addEventListener("vite:preloadError", () => {
  // At home the table is fetched ahead of need: what fails then is asked for again when it is needed, and nothing typed is lost.
  if (routeOf(location.pathname).page === "home") return;
  if (sessionStorage.getItem("baize.reloaded") === location.href) return;
  sessionStorage.setItem("baize.reloaded", location.href);
  location.reload();
});

// The shell of an installed app; in development it would only serve what is old.
// It fetches what the page has just fetched, so it waits until that is of no matter.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  addEventListener("load", () => setTimeout(register, 2000));
}
