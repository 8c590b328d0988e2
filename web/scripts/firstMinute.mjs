// Measures the first minute of a new visitor with a phone:
//   npm run first-minute [-- --base address --game name --times 5]
// It prints taps, typed characters and seconds from the first page to a card of one's own on the table, alone; and from
// a link to the seat. Seconds are those of the program and, in brackets, with what a person needs for each tap and key.
// It works with older clients too, which have another way to a table. It judges nothing.
import { ask, launch, newSecret, options, serve } from "./browser.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 };
/** What a person needs to find and hit something, and to type a character. */
const TAP_MS = 700;
const KEY_MS = 180;
const NAME = "Ada";
const BOTS = 3;

const { base: given, game, times } = options({ base: "", game: "", times: "5" });
const server = given ? { base: given, stop: async () => undefined } : await serve({ botDelay: 1000 });
const { base } = server;
const browser = await launch();
try {
  const games = await ask(base, "/api/games", newSecret());
  const found = game === "" ? roomiest(games) : games.find(({ id }) => id === game);
  if (!found) throw new Error(`the server has no such game: ${game}`);
  // This visit does not count, because a browser that has just started is busy with itself.
  await alone(found);
  await report(`From the first page to the first card, alone (${found.name}, ${BOTS} bots)`, () => alone(found));
  await report("From a link to the seat", () => invited(found));
} finally {
  await browser.close();
  await server.stop();
}

/** Of the games in which everybody has a hand of dealt cards, the one with the most seats. */
function roomiest(games) {
  const hasHand = ({ slots }) => slots.some(({ scope, visibility }) => scope === "player" && visibility === "owner");
  const isDealt = ({ decks }) => Object.values(decks).every(({ fromPacks }) => !fromPacks);
  return games.filter((one) => hasHand(one) && isDealt(one)).sort((a, b) => b.maxPlayers - a.maxPlayers)[0];
}

async function report(title, run) {
  const runs = [];
  for (let i = 0; i < Number(times); i++) runs.push(await run());
  runs.sort((a, b) => a.ms - b.ms);
  const { taps, keys } = runs[0];
  const seconds = (ms) => (ms / 1000).toFixed(1);
  const [best, median] = [runs[0], runs[Math.floor(runs.length / 2)]].map(({ ms }) => ms);
  const person = taps * TAP_MS + keys * KEY_MS;
  console.log(`${title}, ${times} times:`);
  console.log(`${String(taps).padStart(6)} taps, ${keys} typed characters`);
  console.log(`${seconds(best).padStart(6)} s at best, ${seconds(median)} s in the middle`);
  console.log(`${seconds(median + person).padStart(6)} s with ${seconds(person)} s for a person's fingers`);
}

/** A new browser, with counters. */
async function visitor(path) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const counted = { taps: 0, keys: 0, ms: 0 };
  const started = performance.now();
  const tap = async (what) => {
    counted.taps += 1;
    await what.tap();
  };
  const type = async (field, words) => {
    // A field with the focus needs no tap.
    if (!(await field.evaluate((element) => element === document.activeElement))) await tap(field);
    counted.keys += words.length;
    await page.keyboard.insertText(words);
  };
  const done = async () => {
    counted.ms = performance.now() - started;
    await context.close();
    return counted;
  };
  await page.goto(base + path);
  return { page, tap, type, done };
}

async function alone({ name }) {
  const { page, tap, type, done } = await visitor("/");
  const button = (label, exact = true) => page.getByRole("button", { name: label, exact });
  await page.getByRole("button", { name }).first().waitFor();
  if (await button(`Play now: ${name}`).count()) await tap(button(`Play now: ${name}`));
  else {
    await tap(button(name, false));
    await type(page.getByRole("textbox", { name: "Your name" }), NAME);
    await tap(button("Make a table"));
    for (let i = 0; i < BOTS; i++) {
      await tap(page.getByRole("group", { name: "Add a bot" }).getByRole("button", { name: "Medium" }));
      await page
        .locator(".lobby-seat:not(.is-free)")
        .nth(i + 1)
        .waitFor();
    }
    await tap(button("Start the game"));
  }
  await page.locator("[data-decision]").waitFor({ timeout: 60_000 });
  const before = await page.locator("[data-decision]").getAttribute("data-decision");
  // Nothing covers the last card of a hand.
  await tap(page.locator('[data-target="card"]').last());
  // The first tap picks the card; a button or a second tap plays it.
  const play = page.locator("[data-decision] button.primary:not(:disabled)");
  const picked = page.locator('[data-target="card"][aria-pressed="true"]');
  await play.or(picked).first().waitFor();
  await tap((await play.count()) > 0 ? play.first() : picked.first());
  await page.waitForFunction(
    (id) => document.querySelector("[data-decision]")?.getAttribute("data-decision") !== id,
    before,
  );
  return done();
}

async function invited({ id }) {
  const { code } = await ask(base, "/api/tables", newSecret(), { id: newSecret(), game: id, name: "Ben" });
  const { page, tap, type, done } = await visitor(`/t/${code}`);
  const field = page.getByRole("textbox", { name: "Your name" });
  await field.waitFor();
  await type(field, NAME);
  await tap(page.getByRole("button", { name: "Sit down", exact: true }));
  await page.getByRole("button", { name: "Table menu" }).waitFor();
  return done();
}
