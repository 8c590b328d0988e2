// What a slow phone would feel: npm run measure [-- --base address --game name --times 5 --seconds 20 --cpu 4]
// Weight of the first load and the time until it can be used (4× slower CPU, fast 3G); frames that come late while cards move
// with eight players; and, of both, what the main thread spends, which depends on the machine but hardly on what else it does.
// It prints and judges nothing.
import { answer, asked, launch, newSecret, options, serve, sitDown, start } from "./browser.mjs";

/** Bits a second and milliseconds of what Chromium's own tools call fast 3G. */
const FAST_3G = { offline: false, downloadThroughput: 1.44e6 / 8, uploadThroughput: 0.675e6 / 8, latency: 150 };
/** A frame takes 16.7 ms; one that takes this long has made the next one late. */
const LATE = 25;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const { base: given, game, seconds, cpu, times } = options({ base: "", game: "", seconds: "20", cpu: "4", times: "5" });
const CPU = Number(cpu);
// Bots think as long as they do for people: cards move one after the other.
const server = given ? { base: given, stop: async () => undefined } : await serve({ botDelay: 1000 });
const { base } = server;
const browser = await launch();
try {
  await firstLoad();
  await motion();
} finally {
  await browser.close();
  await server.stop();
}

async function firstLoad() {
  const runs = [];
  for (let i = 0; i < Number(times); i++) runs.push(await visit());
  console.log(`First load, ${CPU}× slower CPU, fast 3G, ${times} times (best, median):`);
  const [{ bytes, requests }] = runs;
  for (const [kind, size] of Object.entries(bytes)) line((size / 1024).toFixed(1), "KB", kind);
  line(requests, "", "requests before it can be used");
  told(runs, "paint", "ms", "first content painted");
  told(runs, "usable", "ms", "the games are there");
  told(runs, "answered", "ms", "a tap on the first of them has opened it");
  const spent = [];
  for (let i = 0; i < Number(times); i++) spent.push({ spent: await unthrottled() });
  told(spent, "spent", "ms", "of main thread until the games are there, at full speed");
}

/** One visit to the start page by somebody who has never been here. */
async function visit() {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", FAST_3G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  const sizes = [];
  const kinds = new Map();
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.push([kinds.get(requestId), encodedDataLength]),
  );
  // Usable: the games are there, and the first of them answers a tap. Both are timed inside the page, so that the time it
  // takes to drive the page does not count.
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      const first = document.querySelector(".game");
      if (first && !globalThis.usable) {
        globalThis.usable = performance.now();
        first.click();
      }
      if (globalThis.usable && document.querySelector("[role=dialog]")) {
        globalThis.answered = performance.now();
        seen.disconnect();
      }
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto(base, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.answered);
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    usable: globalThis.usable,
    answered: globalThis.answered,
    requests: performance.getEntriesByType("resource").filter((r) => r.responseEnd <= globalThis.usable).length + 1,
  }));
  const bytes = { document: 0, script: 0, stylesheet: 0, font: 0, fetch: 0, other: 0 };
  for (const [kind, size] of sizes) bytes[kind in bytes ? kind : "other"] += size;
  await context.close();
  return { ...seen, bytes };
}

/** Milliseconds of main thread until the start page can be used, with nothing slowed down. */
async function unthrottled() {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const spent = await mainThread(page, async () => {
    await page.goto(base, { waitUntil: "commit" });
    await page.waitForSelector(".game");
  });
  await context.close();
  return spent.total;
}

async function motion() {
  const id = game || (await roomiest());
  const { page, moves, close } = await eightPlayers(id);
  await page.evaluate(() => {
    globalThis.frames_ = [];
    let last = performance.now();
    let flew = false;
    const frame = (now) => {
      const flies = document.querySelector(".travelling") !== null;
      // A card was in the air for the whole of it.
      globalThis.frames_.push([now - last, flies && flew]);
      last = now;
      flew = flies;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  await playOn(page);
  const frames = await page.evaluate(() => globalThis.frames_);
  const moving = frames.filter(([, flying]) => flying).map(([took]) => took);
  const late = moving.filter((took) => took > LATE);
  console.log(`Cards moving, 8 players (${id}), ${CPU}× slower CPU, ${seconds} s, ${moves()} moves:`);
  line(moving.length, "", "frames while cards were in the air");
  line(late.length, "", `of them late (over ${LATE} ms)`);
  line((moving.length > 0 ? Math.max(...moving) : 0).toFixed(1), "ms", "the longest");
  await close();
  const again = await eightPlayers(id);
  const spent = await mainThread(again.page, () => playOn(again.page));
  line((spent.total / again.moves()).toFixed(1), "ms", "of main thread for each move, at full speed");
  line(spent.longest.toFixed(1), "ms", "the longest task");
  await again.close();
}

/** Somebody with a phone and seven bots; `moves` counts what the server has told since. */
async function eightPlayers(id) {
  const context = await browser.newContext({ ...PHONE, isMobile: false });
  const page = await context.newPage();
  let moves = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).includes('"event"')) moves += 1;
    }),
  );
  await sitDown(page, base, id, { bots: 7, level: "Easy" });
  await start(page);
  moves = 0;
  return { page, moves: () => moves, close: () => context.close() };
}

async function playOn(page) {
  const until = Date.now() + Number(seconds) * 1000;
  while (Date.now() < until && (await asked(page))) await answer(page);
}

/** What a page's main thread spends of the processor while something is done, in milliseconds, whoever else wants it. */
async function mainThread(page, done) {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await done();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = new Map();
  for (const { name, pid, tid, ph, tdur } of traceEvents) {
    const key = `${pid}:${tid}`;
    const thread = threads.get(key) ?? { tasks: [], layouts: 0 };
    if (name === "UpdateLayoutTree") thread.layouts += 1;
    if (name === "ThreadControllerImpl::RunTask" && ph === "X") thread.tasks.push((tdur ?? 0) / 1000);
    threads.set(key, thread);
  }
  // The main thread of the page is the one that lays out most.
  const [{ tasks }] = [...threads.values()].sort((a, b) => b.layouts - a.layouts);
  return { total: tasks.reduce((sum, task) => sum + task, 0), longest: Math.max(0, ...tasks) };
}

/** A game that eight can play, and that has cards to move. */
async function roomiest() {
  const answered = await fetch(`${base}/api/games`, { headers: { authorization: `Bearer ${newSecret()}` } });
  const games = await answered.json();
  const fits = games.filter(({ maxPlayers, decks }) => maxPlayers >= 8 && Object.keys(decks).length > 0);
  return (fits.find(({ policies }) => policies.startWhenFull) ?? fits[0]).id;
}

function told(runs, name, unit, words) {
  const values = runs.map((run) => run[name]).sort((a, b) => a - b);
  const figure = `${Math.round(values[0])}, ${Math.round(values[values.length >> 1])}`;
  line(figure, unit, words);
}

function line(figure, unit, words) {
  console.log(`  ${String(figure).padStart(11)} ${unit.padEnd(2)}  ${words}`);
}
