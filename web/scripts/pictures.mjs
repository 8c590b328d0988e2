// Takes pictures of every game, of the first page and of an invitation at phone and desktop size for the documentation:
//   npm run pictures [-- --out folder --base address game …]
// It plays against bots, and keeps the moment with the most to see among its own decisions.
import { mkdir, writeFile } from "node:fs/promises";
import { answer, ask, launch, newSecret, options, serve, sitDown, start, waitForDecision } from "./browser.mjs";

const SIZES = { phone: [360, 740], desktop: [1280, 800] };
/** The most bytes of a picture; a larger one is taken again with less detail. */
const MAX_BYTES = 58 * 1024;
/** How many moments are compared, how many bots play, and how many tables are tried. */
const MOMENTS = 9;
const BOTS = 3;
const TABLES = 3;

const { out, base: given, rest } = options({ out: "../docs/pictures", base: "" });
const server = given ? { base: given, stop: async () => undefined } : await serve();
const { base } = server;
const browser = await launch();
await mkdir(out, { recursive: true });
/** Pages around a table, which can be asked for by name like games; one size of each is enough. */
const PAGES = { home: { size: "desktop", take: takeHome }, invitation: { size: "phone", take: takeInvitation } };
const games =
  rest.length > 0 ? rest : [...Object.keys(PAGES), ...(await ask(base, "/api/games", newSecret())).map(({ id }) => id)];
try {
  for (const game of games) {
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      if (PAGES[game] && PAGES[game].size !== size) continue;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: "dark",
        reducedMotion: "reduce",
        hasTouch: size === "phone",
        // Needed for the style that hides announcements, which the server's content security policy would refuse.
        bypassCSP: true,
      });
      const page = await context.newPage();
      const picture = await (PAGES[game] ? PAGES[game].take(page) : best(page, game));
      await writeFile(`${out}/${game}-${size}.webp`, picture);
      console.log(`${(picture.length / 1024).toFixed(1).padStart(6)} KB  ${out}/${game}-${size}.webp`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

async function takeHome(page) {
  await page.goto(base);
  await page.waitForSelector(".game");
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle");
  return small(page);
}

/** The page of a link to a table with two people and a bot. */
async function takeInvitation(page) {
  const made = await ask(base, "/api/games", newSecret());
  const [game] = made.filter(({ minPlayers }) => minPlayers === 2).sort((a, b) => b.maxPlayers - a.maxPlayers);
  const host = await (await browser.newContext()).newPage();
  const code = await sitDown(host, base, game.id, { bots: 2 });
  await page.goto(`${base}/t/${code}`);
  await page.waitForSelector(".invitation .game-picture");
  await page.evaluate(() => document.fonts.ready);
  const picture = await small(page);
  await host.context().close();
  return picture;
}

/** The best of a few moments with a decision; if the game ends before one, another table is tried. */
async function best(page, game) {
  for (let tables = 0; tables < TABLES; tables++) {
    await sitDown(page, base, game, { bots: BOTS });
    await start(page);
    // Announcements of the last move would cover the table.
    await page.addStyleTag({ content: ".toasts, .announcements { display: none !important; }" });
    await page.evaluate(() => document.fonts.ready);
    let found = { score: -1, picture: null };
    for (let moment = 0; moment < MOMENTS && (await waitForDecision(page)); moment++) {
      // The page may still be laying out the last change, and the game may end meanwhile.
      await page.waitForTimeout(350);
      const score = (await page.locator(".end-veil").isVisible()) ? -1 : await worth(page);
      if (score > found.score) found = { score, picture: await small(page) };
      await answer(page);
    }
    if (found.picture) return found.picture;
  }
  throw new Error(`${game}: nothing was asked at ${TABLES} tables`);
}

/** Counts what there is to see in the middle and to do at the bottom. */
function worth(page) {
  return page.evaluate(() => {
    const count = (selector) => document.querySelectorAll(selector).length;
    // A picture with some locked piles shows more than one with none, or with all of them locked.
    const locks = count(".pile-lock") > 0 ? 4 - Math.abs(count(".pile-lock") - 3) : 0;
    const middle = count(".towards-card") + count(".answer") + count(".unseen-fan li") / 3 + Math.max(0, locks);
    const laid = Math.min(3, count(".answer.overlapping")) + Math.min(2, count(".is-few"));
    const filled = document.querySelectorAll(".score-sheet td:not(:empty, .is-mine)").length;
    const written = 2 * count(".prompt-panel") + count(".die:not(.unrolled)") + count(".badge") / 6 + laid + filled / 6;
    return Math.min(4, middle) + written + Math.min(12, count("[data-target]")) / 12 - count(".status-out") / 2;
  });
}

async function small(page) {
  const session = await page.context().newCDPSession(page);
  for (let quality = 84; ; quality -= 8) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= MAX_BYTES || quality < 30) return picture;
  }
}
