// Lets the app start without a network: it keeps pages and built assets, and never the server's data.
const CACHE = "baize-shell-3";
/** How many files are kept. The oldest are deleted first, so that old versions do not pile up. */
const MAX_FILES = 60;

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
  // Pages come from the network first, so that a new version is used at once; without a network from the cache.
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
  // Assets have their hash in the name and never change.
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

/**
 * Keeps the page, the files that it names, and the files that those name: scripts name the parts that they load
 * later, styles name the font. Most of them were loaded before this worker started.
 */
async function keepShell() {
  const cache = await caches.open(CACHE);
  const page = await fetch("/", { cache: "no-cache" });
  if (!page.ok) return;
  const kept = new Set(["/felt.svg"]);
  const wanted = named(await page.clone().text());
  await cache.put("/", page);
  await cache.add("/felt.svg");
  for (const path of wanted) {
    if (kept.has(path)) continue;
    kept.add(path);
    const asset = await fetch(path);
    if (!asset.ok) continue;
    if (/\.(js|css)$/.test(path)) wanted.push(...named(await asset.clone().text()));
    await cache.put(path, asset);
  }
}

/** The addresses of built files in pages, scripts and styles. */
function named(text) {
  return (text.match(/assets\/[\w.-]+\.(?:js|css|woff2)/g) ?? []).map((path) => `/${path}`);
}

async function keep(request, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(request, answer);
  const kept = await cache.keys();
  const old = kept.slice(0, Math.max(0, kept.length - MAX_FILES));
  await Promise.all(old.filter(({ url }) => new URL(url).pathname !== "/").map((one) => cache.delete(one)));
}
