/** Five games in Firefox and WebKit, on a phone's and a desktop's window: from the first page to a few moves. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { text } from "../src/text/catalogue";
import { launchFirefox, launchWebKit, type OtherBrowser } from "./support/otherBrowsers";
import { gameNamed } from "./support/person";

const GAMES = ["Donkey", "High/Low", "Yahtzee", "Old Maid", "Crazy Eights"];
const SIZES = { phone: [390, 844], desktop: [1280, 800] } as const;
/** How many decisions are answered in each game. */
const MOVES = 3;

interface PageState {
  isTable: boolean;
  isOver: boolean;
  decision: string;
  width: number;
  wide: boolean;
  errors: string[];
}

describe.each([
  ["Firefox", launchFirefox],
  ["WebKit", launchWebKit],
])("%s", (_, launch) => {
  let browser: OtherBrowser;
  beforeAll(async () => {
    browser = await launch();
  }, 120_000);
  afterAll(() => browser?.close());

  const until = async (done: (state: PageState) => boolean, step?: () => Promise<void>) => {
    for (const end = Date.now() + 60_000; ; ) {
      const state = await browser.run(readPage, null);
      expect(state.errors).toEqual([]);
      if (done(state)) return state;
      if (Date.now() > end) throw new Error(`nothing happens: ${JSON.stringify(state)}`);
      await step?.();
      await browser.run(() => new Promise<void>((next) => setTimeout(next, 100)), null);
    }
  };

  describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])("%s", (size) => {
    test.each(GAMES)("%s is dealt by one press and played", async (name) => {
      const game = await gameNamed(name);
      const [width, height] = SIZES[size];
      await browser.resize(width, height);
      await browser.open(`${inject("server")}/`);
      await until(
        ({ isTable }) => isTable,
        () => browser.run(pressNamed, `${text.home.playNow}: ${game.name}`),
      );
      for (let move = 0; move < MOVES; move++) {
        const { decision, isOver } = await until((state) => state.isOver || state.decision !== "");
        if (isOver) return;
        const { wide } = await until(
          (state) => state.isOver || state.decision !== decision,
          () => browser.run(answer, move),
        );
        expect(wide).toBe(false);
      }
    });
  });
});

/** Runs in the page. */
function readPage(): PageState {
  const page = globalThis as unknown as { errors?: string[] };
  if (!page.errors) {
    const errors: string[] = [];
    page.errors = errors;
    addEventListener("error", (event) => errors.push(event.message));
    addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  }
  const busy = document.querySelector("[data-decision][aria-busy=true], [aria-modal=true], [data-paused]");
  return {
    isTable: document.querySelector(".table-screen") !== null,
    isOver: document.querySelector(".end-veil .ranking") !== null,
    decision: busy ? "" : (document.querySelector("[data-decision]")?.getAttribute("data-decision") ?? ""),
    width: innerWidth,
    wide: document.documentElement.scrollWidth > innerWidth,
    errors: page.errors,
  };
}

/** Runs in the page: presses a button once. */
function pressNamed(name: string): void {
  const button = document.querySelector<HTMLButtonElement>(
    `button[aria-label="${CSS.escape(name)}"], [aria-label="${name}"]`,
  );
  if (button && !button.disabled) button.click();
}

/** Runs in the page: presses something that brings the open decision nearer to its answer. */
function answer(turn: number): void {
  for (const list of document.querySelectorAll<HTMLSelectElement>("[data-decision] select")) {
    if (list.value !== "") continue;
    list.selectedIndex = 1;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const ready = document.querySelector<HTMLButtonElement>("[data-decision] button.primary:not(:disabled)");
  const targets = [...document.querySelectorAll<HTMLElement>('[data-target][aria-disabled="false"]')];
  const picked = targets.filter((target) => target.getAttribute("aria-pressed") === "true");
  const free = targets.filter((target) => target.getAttribute("aria-pressed") !== "true");
  const plain = document.querySelector<HTMLButtonElement>("[data-decision] .decision-controls button:not(:disabled)");
  (ready ?? picked[0] ?? free[turn % Math.max(1, free.length)] ?? plain)?.click();
}
