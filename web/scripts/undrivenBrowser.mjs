// A Chromium that is not driven by Playwright; the only thing attached to it slows its processor down. Playwright
// adds a script to every page and records the origin of every request, which costs a third of a second on a slow
// processor.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, FLAGS } from "./browser.mjs";

export async function launchUndriven() {
  const profile = await mkdtemp(join(tmpdir(), "baize-bare-"));
  const child = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const waiting = new Map();
  let number = 0;
  let rest = "";
  child.stdio[4].on("data", (data) => {
    const messages = (rest + data).split("\0");
    rest = messages.pop();
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      const { done, failed } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) failed?.(new Error(error.message));
      else done?.(result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((done, failed) => {
      number += 1;
      waiting.set(number, { done, failed });
      child.stdio[3].write(`${JSON.stringify({ id: number, method, params, sessionId })}\0`);
    });

  /** A page with its own storage, at phone size; `script` runs in it before anything else. */
  async function page({ cpu = 1, width = 360, height = 740, script = "" }) {
    const { browserContextId } = await send("Target.createBrowserContext");
    const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId, width, height });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const tell = (method, params) => send(method, params, sessionId);
    const metrics = { width, height, deviceScaleFactor: 1, mobile: true };
    await tell("Page.enable");
    await tell("Emulation.setDeviceMetricsOverride", metrics);
    await tell("Emulation.setCPUThrottlingRate", { rate: cpu });
    // The figures are processor time, which does not grow when other programs use the processor.
    await tell("Performance.enable", { timeDomain: "threadTicks" });
    if (script) await tell("Page.addScriptToEvaluateOnNewDocument", { source: script });
    return {
      go: (url) => tell("Page.navigate", { url }),
      /** The value of an expression. */
      read: async (expression) => (await tell("Runtime.evaluate", { expression, returnByValue: true })).result.value,
      /** Milliseconds of processor time that the main thread has used for all tasks, for scripts, and for layout. */
      spent: async () => {
        const { metrics } = await tell("Performance.getMetrics");
        const of = (wanted) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000;
        const layout = of("LayoutDuration") + of("RecalcStyleDuration");
        return { tasks: of("TaskDuration"), scripts: of("ScriptDuration"), layout };
      },
      close: () => send("Target.disposeBrowserContext", { browserContextId }),
    };
  }

  const stop = async () => {
    const ended = new Promise((done) => child.once("exit", done));
    await send("Browser.close").catch(() => undefined);
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { page, stop };
}
