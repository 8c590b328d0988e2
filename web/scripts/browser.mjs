// A browser, and a person in it who plays with bots and answers every decision. For pictures and measurements; tests
// are elsewhere. Nothing here knows a game.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launch = (more = []) => chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more] });

/** The names of all gallery fixtures, from the development server. */
export async function fixtures(browser, base) {
  const page = await browser.newPage();
  await page.goto(`${base}/gallery`);
  await page.waitForSelector("li a");
  const names = await page.$$eval("li a", (links) => links.map((link) => link.textContent));
  await page.close();
  return names;
}

/** Starts a server with the built client, on a free port and with temporary data. */
export async function serve({ botDelay = 120 } = {}) {
  const built = [
    process.env.BAIZE_BIN,
    "../target/local/baize",
    "../target/release/baize",
    "../target/debug/baize",
  ].find((path) => path && existsSync(path));
  if (!built || !existsSync("dist/index.html")) {
    throw new Error("build first: npm run build, then cargo build (or give --base with a server that runs)");
  }
  const port = await new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
  const data = await mkdtemp(join(tmpdir(), "baize-"));
  const child = spawn(
    built,
    [
      "serve",
      "--listen",
      `127.0.0.1:${port}`,
      "--data",
      data,
      "--web",
      "dist",
      "--games",
      "../games",
      "--packs",
      "../packs",
      "--bot-delay",
      String(botDelay),
    ],
    { stdio: "ignore" },
  );
  const base = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${base}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) break;
    if (tries > 100 || child.exitCode !== null) throw new Error(`${built} does not answer`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  return { base, stop };
}

/** Reads `--name value` from the command line; other arguments stay in `rest`. */
export function options(defaults) {
  const rest = process.argv.slice(2);
  const found = { ...defaults };
  for (const name of Object.keys(defaults)) {
    const at = rest.indexOf(`--${name}`);
    if (at >= 0) found[name] = rest.splice(at, 2)[1];
  }
  return { ...found, rest };
}

/** A secret of the length that the server wants. */
export const newSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

export async function ask(base, path, secret, body) {
  const answer = await fetch(base + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${secret}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Makes a table with so many bots and opens it; the game is not started yet. */
export async function sitDown(page, base, game, { name = "Ada", bots = 3, level = "Medium", settings } = {}) {
  const secret = newSecret();
  const id = newSecret();
  const body = { id, game, name, settings: { options: {}, packIds: [], ...settings } };
  const { code } = await ask(base, "/api/tables", secret, body);
  await page.addInitScript(
    ([secret, name, play]) => {
      localStorage.setItem("baize.secret", secret);
      localStorage.setItem("baize.name", name);
      // Somebody who knows the game: nothing explains it over the table.
      localStorage.setItem("baize.play", play);
    },
    [secret, name, JSON.stringify({ explained: [game] })],
  );
  await page.goto(`${base}/t/${code}`);
  const add = page.getByRole("group", { name: "Add a bot" });
  await add.waitFor();
  for (let i = 0; i < bots; i++) {
    await add.getByRole("button", { name: level }).click();
    // The last bot may start the game.
    await page.waitForFunction(
      (n) =>
        document.querySelector(".table-screen") || document.querySelectorAll(".lobby-seat:not(.is-free)").length > n,
      i + 1,
    );
  }
  return code;
}

export async function start(page) {
  // Some games start by themselves when the last seat is taken.
  if (!(await page.locator(".table-screen").isVisible())) {
    await page.getByRole("button", { name: "Start the game" }).click();
  }
  await page.locator(".table-screen").waitFor();
}

/** Waits until there is a decision or the game is over; returns false if it is over. */
export async function waitForDecision(page) {
  await page.waitForSelector("[data-decision], .end-veil .ranking", { timeout: 60_000 });
  return page.locator("[data-decision]").isVisible();
}

/** Answers the open decision with the first things that complete a move. */
export async function answer(page) {
  const decision = await page.getAttribute("[data-decision]", "data-decision").catch(() => null);
  if (decision === null) return;
  const isSettled = () =>
    page
      .waitForFunction(
        (id) => document.querySelector("[data-decision]")?.getAttribute("data-decision") !== id,
        decision,
        { timeout: 1200 },
      )
      .then(
        () => true,
        () => false,
      );
  for (let tries = 0; tries < 8; tries++) {
    for (const list of await page.locator("[data-decision] select").all()) {
      if ((await list.inputValue().catch(() => "?")) === "")
        await list.selectOption({ index: 1 }).catch(() => undefined);
    }
    const ready = page.locator("[data-decision] button.primary:not(:disabled)").first();
    if (await ready.isVisible()) {
      await ready.click({ timeout: 2000 }).catch(() => undefined);
    } else {
      const targets = page.locator('[data-target][aria-pressed="false"]');
      const plain = page.locator("[data-decision] .decision-controls button:not(:disabled)").first();
      if ((await targets.count()) > 0) {
        await targets
          .nth(tries % (await targets.count()))
          .dispatchEvent("click")
          .catch(() => undefined);
      } else if (await plain.isVisible()) await plain.click({ timeout: 2000 }).catch(() => undefined);
    }
    if (await isSettled()) return;
  }
}
