// What a slow phone would feel: npm run measure [-- --base address --game name]
// Weight of the first load, time until it can be used (4× slower CPU, fast 3G), and frames that come late while cards move
// with eight players. It prints and judges nothing: figures depend on the machine.
import { answer, asked, launch, newSecret, options, serve, sitDown, start } from "./browser.mjs";

/** Bits a second and milliseconds of what Chromium's own tools call fast 3G. */
const FAST_3G = { offline: false, downloadThroughput: 1.44e6 / 8, uploadThroughput: 0.675e6 / 8, latency: 150 };
/** A frame takes 16.7 ms; one that takes this long has made the next one late. */
const LATE = 25;

const { base: given, game, seconds, cpu } = options({ base: "", game: "", seconds: "20", cpu: "4" });
const CPU = Number(cpu);
const server = given ? { base: given, stop: async () => undefined } : await serve();
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
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", FAST_3G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  const bytes = { script: 0, stylesheet: 0, font: 0, other: 0 };
  const kinds = new Map();
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    bytes[kind in bytes ? kind : "other"] += encodedDataLength;
  });
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
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    usable: globalThis.usable,
    answered: globalThis.answered,
  }));
  console.log(`First load, ${CPU}× slower CPU, fast 3G:`);
  for (const [kind, size] of Object.entries(bytes))
    console.log(`  ${(size / 1024).toFixed(1).padStart(7)} KB  ${kind}`);
  console.log(`  ${Math.round(times.paint).toString().padStart(7)} ms  first content painted`);
  console.log(`  ${Math.round(times.usable).toString().padStart(7)} ms  the games are there`);
  console.log(`  ${Math.round(times.answered).toString().padStart(7)} ms  a tap on the first of them has opened it`);
  await context.close();
}

async function motion() {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const page = await context.newPage();
  const id = game || (await roomiest());
  await sitDown(page, base, id, { bots: 7, level: "Easy" });
  await start(page);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  await page.evaluate(() => {
    globalThis.frames_ = [];
    let last = performance.now();
    const frame = (now) => {
      const flying = document.querySelector(".travelling") !== null;
      globalThis.frames_.push([now - last, flying]);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const until = Date.now() + Number(seconds) * 1000;
  while (Date.now() < until && (await asked(page))) await answer(page);
  const frames = await page.evaluate(() => globalThis.frames_);
  const moving = frames.filter(([, flying]) => flying).map(([took]) => took);
  const late = moving.filter((took) => took > LATE);
  const worst = moving.length > 0 ? Math.max(...moving) : 0;
  console.log(`Cards moving, 8 players (${id}), ${CPU}× slower CPU, ${seconds} s:`);
  console.log(`  ${moving.length.toString().padStart(7)}     frames while cards were in the air`);
  console.log(`  ${late.length.toString().padStart(7)}     of them late (over ${LATE} ms)`);
  console.log(`  ${worst.toFixed(1).padStart(7)} ms  the longest`);
  await context.close();
}

/** A game that eight can play, and that has cards to move. */
async function roomiest() {
  const answered = await fetch(`${base}/api/games`, { headers: { authorization: `Bearer ${newSecret()}` } });
  const games = await answered.json();
  const fits = games.filter(({ maxPlayers, decks }) => maxPlayers >= 8 && Object.keys(decks).length > 0);
  return (fits.find(({ policies }) => policies.startWhenFull) ?? fits[0]).id;
}
