// The shell works without a network: pages and built assets are kept, the server's answers never are.
const CACHE = "baize-shell-2";
/** Files that are kept; the oldest go first, so that old versions do not pile up. */
const MOST = 60;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter((key) => key !== CACHE).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  // Pages: the network first, so that a new version is met at once; the kept shell when there is none.
  if (request.mode === "navigate") {
    event.respondWith(
      fetch(request)
        .then((answer) => {
          if (answer.ok) event.waitUntil(keep("/", answer.clone()));
          return answer;
        })
        .catch(() => caches.match("/")),
    );
    return;
  }
  // Assets carry their hash in the name and never change.
  if (pathname.startsWith("/assets/") || pathname === "/felt.svg") {
    event.respondWith(
      caches.match(request).then(
        (kept) =>
          kept ??
          fetch(request).then((answer) => {
            if (answer.ok) event.waitUntil(keep(request, answer.clone()));
            return answer;
          }),
      ),
    );
  }
});

/** The page and what it names: they were loaded before this worker was there to see it. */
async function keepShell() {
  const cache = await caches.open(CACHE);
  const page = await fetch("/", { cache: "no-cache" });
  if (!page.ok) return;
  const named = (await page.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [];
  await cache.put("/", page);
  await cache.addAll([...new Set(named), "/felt.svg"]);
}

async function keep(request, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(request, answer);
  const kept = await cache.keys();
  const old = kept.slice(0, Math.max(0, kept.length - MOST));
  await Promise.all(old.filter(({ url }) => new URL(url).pathname !== "/").map((one) => cache.delete(one)));
}
