// The shell works without a network: pages and built assets are kept, the server's answers never are.
const CACHE = "baize-shell-1";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add("/"))
      .then(() => self.skipWaiting()),
  );
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
          const copy = answer.clone();
          if (answer.ok) caches.open(CACHE).then((cache) => cache.put("/", copy));
          return answer;
        })
        .catch(() => caches.match("/")),
    );
    return;
  }
  // Assets carry their hash in the name and never change.
  if (pathname.startsWith("/assets/")) {
    event.respondWith(
      caches.match(request).then(
        (kept) =>
          kept ??
          fetch(request).then((answer) => {
            const copy = answer.clone();
            if (answer.ok) caches.open(CACHE).then((cache) => cache.put(request, copy));
            return answer;
          }),
      ),
    );
  }
});
