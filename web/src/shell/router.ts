/** The addresses of this client. There are few, so they need no router library. */
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "home" }
  | { page: "table"; code: string; watch: boolean }
  | { page: "replay"; game: string }
  | { page: "pack"; id: string }
  | { page: "workshop" }
  | { page: "gallery"; name: string };

export function routeOf(address: string): Route {
  const [path = "", query = ""] = address.split("?");
  const [, first, second] = path.split("/");
  const rest = decodeURIComponent(second ?? "");
  if (first === "t" && rest) return { page: "table", code: rest, watch: query === "watch" };
  if (first === "replay" && rest) return { page: "replay", game: rest };
  if (first === "packs" && rest) return { page: "pack", id: rest };
  if (first === "dev") return { page: "workshop" };
  if (first === "gallery") return { page: "gallery", name: rest };
  return { page: "home" };
}

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  return routeOf(address);
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}
