/**
 * Firefox by WebDriver BiDi and WebKit by WebDriver, as Debian ships them. Playwright drives neither of them, and the
 * tests need little: open a page, set its size, run a script in it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketClient } from "./webSocketClient";

export interface OtherBrowser {
  open(url: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Runs a function in the page; it gets and returns JSON. */
  run<T, A>(body: (argument: A) => T | Promise<T>, argument: A): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds in which a browser must have started. */
const START_TIMEOUT_MS = 60_000;

const source = (body: unknown, argument: unknown) =>
  `Promise.resolve((${String(body)})(${JSON.stringify(argument ?? null)})).then((value) => JSON.stringify(value ?? null))`;

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
};

export async function launchFirefox(): Promise<OtherBrowser> {
  const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  if (!existsSync(program))
    throw new Error("install Firefox (on Debian: apt-get install firefox-esr), or name it in FIREFOX");
  const profile = await mkdtemp(join(tmpdir(), "baize-firefox-"));
  const child = spawn(program, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const address = await new Promise<string>((found, failed) => {
    let said = "";
    setTimeout(() => failed(new Error(`Firefox does not answer: ${said}`)), START_TIMEOUT_MS).unref();
    child.once("exit", (code) => failed(new Error(`Firefox ended with ${code}: ${said}`)));
    child.stderr.on("data", (bytes: Buffer) => {
      said += String(bytes);
      const listening = /ws:\/\/[\d.:]+/.exec(said);
      if (listening) found(`${listening[0]}/session`);
    });
  });
  const socket = await WebSocketClient.connect(address);
  const waiting = new Map<number, { done: (result: never) => void; failed: (error: Error) => void }>();
  let sent = 0;
  socket.onText = (text) => {
    const { id, result, error, message } = JSON.parse(text);
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error) answer?.failed(new Error(`${error}: ${message}`));
    else answer?.done(result as never);
  };
  const send = <T>(method: string, params: object) =>
    new Promise<T>((done, failed) => {
      sent += 1;
      waiting.set(sent, { done, failed });
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  await send("session.new", { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const context = contexts[0]?.context ?? "";
  return {
    open: async (url) => void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    resize: async (width, height) =>
      void (await send("browsingContext.setViewport", { context, viewport: { width, height } })),
    run: async (body, argument) => {
      const { type, result, exceptionDetails } = await send<{
        type: string;
        result?: { value: string };
        exceptionDetails?: { text: string };
      }>("script.evaluate", { expression: source(body, argument), target: { context }, awaitPromise: true });
      if (type !== "success") throw new Error(exceptionDetails?.text ?? "the script failed");
      return JSON.parse(result?.value ?? "null");
    },
    close: async () => {
      socket.close();
      await kill(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function launchWebKit(): Promise<OtherBrowser> {
  const binary = await findMiniBrowser();
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await new Promise<string>((found, failed) => {
    screen.once("error", () => failed(new Error("install Xvfb (on Debian: apt-get install xvfb)")));
    screen.stdio[3]?.once("data", (bytes: Buffer) => found(String(bytes).trim()));
  });
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1" },
    stdio: "ignore",
  });
  const failedToStart = new Promise<never>((_, failed) =>
    driver.once("error", () => failed(new Error("install WebKit (on Debian: apt-get install webkit2gtk-driver)"))),
  );
  failedToStart.catch(() => undefined);
  const base = `http://127.0.0.1:${port}`;
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(base + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await answer.json()) as { value: T };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const isUp = () =>
    call("GET", "/status").then(
      () => true,
      () => false,
    );
  for (const until = Date.now() + START_TIMEOUT_MS; !(await Promise.race([isUp(), failedToStart])); ) {
    if (Date.now() > until) throw new Error("WebKitWebDriver does not answer");
    await new Promise((done) => setTimeout(done, 100));
  }
  const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: options },
  });
  const session = `/session/${sessionId}`;
  await call("POST", `${session}/timeouts`, { script: START_TIMEOUT_MS, pageLoad: START_TIMEOUT_MS });
  return {
    open: (url) => call("POST", `${session}/url`, { url }),
    resize: async (width, height) => void (await call("POST", `${session}/window/rect`, { width, height })),
    run: async (body, argument) => {
      const script = `const done = arguments[arguments.length - 1]; ${source(body, argument)}.then(done, (error) => done("!" + error));`;
      const value = await call<string>("POST", `${session}/execute/async`, { script, args: [] });
      if (value.startsWith("!")) throw new Error(value.slice(1));
      return JSON.parse(value);
    },
    close: async () => {
      await call("DELETE", session).catch(() => undefined);
      await kill(driver);
      await kill(screen);
    },
  };
}

/** The browser that comes with Debian's WebKit; its folder has the library's version in its name. */
async function findMiniBrowser(): Promise<string> {
  if (process.env.WEBKIT_BROWSER) return process.env.WEBKIT_BROWSER;
  for (const libraries of ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]) {
    const folders = existsSync(libraries) ? await readdir(libraries) : [];
    const found = folders
      .filter((folder) => /^webkit/.test(folder))
      .map((folder) => join(libraries, folder, "MiniBrowser"))
      .find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error(
    "install WebKit (on Debian: apt-get install webkit2gtk-driver), or name its browser in WEBKIT_BROWSER",
  );
}

const freePort = () =>
  new Promise<number>((done, failed) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      if (!address || typeof address === "string") return failed(new Error("no port"));
      probe.close(() => done(address.port));
    });
  });
