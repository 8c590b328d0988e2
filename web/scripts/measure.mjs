// Measures what a slow phone feels:
//   npm run measure [-- --base address --game name --times 5 --seconds 20 --cpu 4]
// It prints the weight of the first load and the time until the page can be used (4× slower processor, fast 3G), the
// frames that are dropped while cards move with eight players, and the processor time of the main thread, which depends
// on the machine but hardly on its other work. It judges nothing.
import { answer, ask, launch, newSecret, options, serve, sitDown, start, waitForDecision } from "./browser.mjs";
import { FAST_3G, startSlowProxy } from "./slowProxy.mjs";
import { launchUndriven } from "./undrivenBrowser.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const {
  base: given,
  game,
  seconds,
  cpu,
  times,
  waterfall,
} = options({ base: "", game: "", seconds: "20", cpu: "4", times: "5", waterfall: "" });
const CPU = Number(cpu);
// Bots wait as long as they do for people, so that cards move one after the other.
const server = given ? { base: given, stop: async () => undefined } : await serve({ botDelay: 1000 });
const { base } = server;
const browser = await launch();
try {
  if (Number(times) > 0) await firstLoad();
  if (Number(seconds) > 0) await motion();
} finally {
  await browser.close();
  await server.stop();
}

async function firstLoad() {
  const proxy3g = await startSlowProxy(base, FAST_3G);
  const slow = await launchUndriven();
  const secret = newSecret();
  const { code } = await ask(base, "/api/tables", secret, { id: newSecret(), game: await roomiest(), name: "Ada" });
  try {
    // This visit does not count, because a browser that has just started is busy with itself.
    await visit(slow, proxy3g, "/", ".game-friends");
    await visit(slow, proxy3g, "/", ".game-friends");
    for (const [page, path, there] of [
      ["Home", "/", ".game-friends"],
      ["A table by its link", `/t/${code}`, ".name-form input, .lobby"],
    ]) {
      const runs = [];
      for (let i = 0; i < Number(times); i++) runs.push(await visit(slow, proxy3g, path, there));
      console.log(`${page}, for the first time, ${CPU}× slower CPU, fast 3G, ${times} times (best, median):`);
      const [{ bytes, requests }] = runs;
      line((bytes / 1024).toFixed(1), "KB", `in ${requests} requests`);
      told(runs, "paint", "ms", "first content painted");
      told(runs, "usable", "ms", page === "Home" ? "the games are there" : "asks for a name");
      told(
        runs,
        "answered",
        "ms",
        page === "Home" ? "a tap on the first of them has opened it" : "a name can be typed",
      );
      const spent = [];
      for (let i = 0; i < Number(times); i++) spent.push((await visit(slow, proxy3g, path, there, 1)).spent);
      told(spent, "tasks", "ms", "of main thread for all that, at full speed");
      told(spent, "scripts", "ms", "of it scripts");
      told(spent, "layout", "ms", "and layout");
    }
  } finally {
    await slow.stop();
    await proxy3g.stop();
  }
}

/** One visit of a new person. A page is usable when its main content is there and reacts. */
async function visit(slow, proxy3g, path, there, rate = CPU) {
  proxy3g.takeRequests();
  const page = await slow.page({ cpu: rate, script: `(${watch})(${JSON.stringify(there)})` });
  await page.go(proxy3g.base + path);
  for (let tries = 0; !(await page.read("globalThis.answered ?? 0")); tries++) {
    if (tries > 60) throw new Error(`${path} is not usable`);
    await new Promise((done) => setTimeout(done, 500));
  }
  const seen = await page.read(
    `({ usable, answered, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime })`,
  );
  const before = await page.read(
    `performance.getEntriesByType("resource").filter((r) => r.responseEnd <= usable).map((r) => r.name)`,
  );
  const spent = await page.spent();
  await page.close();
  const requests = proxy3g.takeRequests();
  if (waterfall) {
    const [{ since }] = requests;
    for (const { path, since: from, headers, ended, bytes } of requests) {
      const at = [from, headers, ended].map((time) => String(Math.round(time - since)).padStart(6)).join("");
      console.log(`    ${at} ${String(bytes).padStart(7)} B  ${path}`);
    }
  }
  const counted = requests.filter((one, i) => i === 0 || before.includes(proxy3g.base + one.path));
  return { ...seen, spent, requests: counted.length, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Runs in the page, so that asking from outside does not count. */
function watch(there) {
  const seen = new MutationObserver(() => {
    const first = document.querySelector(there);
    if (first && !globalThis.usable) {
      globalThis.usable = performance.now();
      // A field gets the focus, anything else is pressed; the next frame shows the reaction.
      if (first instanceof HTMLInputElement) {
        first.focus();
        requestAnimationFrame(() => {
          globalThis.answered = performance.now();
        });
      } else first.click();
    }
    if (globalThis.usable && document.querySelector("[role=dialog], .lobby")) globalThis.answered ??= performance.now();
    if (globalThis.answered) seen.disconnect();
  });
  seen.observe(document, { childList: true, subtree: true });
}

async function motion() {
  const id = game || (await roomiest());
  for (const rate of [...new Set([1, CPU])]) {
    const { page, moves, close } = await eightPlayers(id);
    await page.evaluate(markFlights);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    const { drawn, dropped } = await frames(page, () => playOn(page));
    console.log(`Cards moving, 8 players (${id}), ${rate}× slower CPU, ${seconds} s, ${moves()} moves:`);
    line(drawn, "", "frames while cards were in the air");
    line(dropped, "", "more that were due and did not come");
    await close();
  }
  const again = await eightPlayers(id);
  const spent = await mainThread(again.page, () => playOn(again.page));
  line((spent.total / again.moves()).toFixed(1), "ms", "of main thread for each move, at full speed");
  line(spent.longest.toFixed(1), "ms", "the longest task");
  await again.close();
}

/** Runs in the page: marks in the trace when the first card starts to fly and when the last one has landed. */
function markFlights() {
  let up = false;
  new MutationObserver(() => {
    const flies = document.querySelector(".travelling") !== null;
    if (flies !== up) performance.mark(flies ? "cards up" : "cards down");
    up = flies;
  }).observe(document.body, { childList: true });
}

/**
 * Counts the frames that were due while cards were flying, as the compositor reports them. The frames of the main
 * thread say less, because cards fly on the compositor.
 */
async function frames(page, done) {
  await browser.startTracing(page, { categories: ["cc", "benchmark", "blink.user_timing"] });
  await done();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const flights = [];
  for (const { name, ts } of traceEvents.sort((a, b) => a.ts - b.ts)) {
    if (name === "cards up") flights.push([ts, Number.POSITIVE_INFINITY]);
    if (name === "cards down" && flights.length > 0) flights.at(-1)[1] = ts;
  }
  const [pid] = traceEvents.filter(({ name }) => name === "cards up").map((event) => event.pid);
  const due = traceEvents.filter(
    ({ name, ph, ts, pid: of }) =>
      name === "PipelineReporter" && ph === "b" && of === pid && flights.some(([up, down]) => ts >= up && ts < down),
  );
  const states = due.map(({ args }) => args.frame_reporter).filter(({ frame_type }) => frame_type !== "FORKED");
  return {
    drawn: states.filter(({ state }) => state.startsWith("STATE_PRESENTED")).length,
    dropped: states.filter(({ state, affects_smoothness }) => state === "STATE_DROPPED" && affects_smoothness).length,
  };
}

/** A person with a phone and seven bots; `moves` counts the batches since the start. */
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
  while (Date.now() < until && (await waitForDecision(page))) await answer(page);
}

/** The processor time of a page's main thread while something is done, in milliseconds. */
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
  // The main thread of the page is the one with the most layout work.
  const [{ tasks }] = [...threads.values()].sort((a, b) => b.layouts - a.layouts);
  return { total: tasks.reduce((sum, task) => sum + task, 0), longest: Math.max(0, ...tasks) };
}

/** A game for eight players that moves cards. */
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
