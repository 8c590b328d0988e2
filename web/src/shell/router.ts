/** Addresses of this client: a handful, so a router of our own. */
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "home" }
  | { page: "table"; code: string }
  | { page: "replay"; game: string }
  | { page: "gallery"; name: string };

export function routeOf(path: string): Route {
  const [, first, second] = path.split("/");
  const rest = decodeURIComponent(second ?? "");
  if (first === "t" && rest) return { page: "table", code: rest };
  if (first === "replay" && rest) return { page: "replay", game: rest };
  if (first === "gallery") return { page: "gallery", name: rest };
  return { page: "home" };
}

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function useRoute(): Route {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  return routeOf(path);
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}
