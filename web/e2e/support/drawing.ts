/** Tables of games that were not written for the client, and what a person sees of them. */
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { gather, type TableGroup } from "./group";
import { games, type Person, PHONE } from "./person";
import { Server } from "./server";

const folder = fileURLToPath(new URL("../games", import.meta.url));

/** A server with the games of this folder. */
export const startServer = (): Promise<Server> => Server.start({ games: folder });

export const phone = (width: number, height: number): BrowserContextOptions => ({
  ...PHONE,
  viewport: { width, height },
});
export const desktop = (width: number, height: number): BrowserContextOptions => ({ viewport: { width, height } });

interface Sitting {
  people?: string[];
  bots?: number;
  window?: BrowserContextOptions;
  packLink?: string;
  packs?: string[];
}

/** Deals a game. People with a phone use the finger device. */
export async function deal(server: Server, name: string, sitting: Sitting = {}): Promise<TableGroup> {
  const { people = ["Ann"], bots = 0, window = desktop(1280, 800), packLink, packs } = sitting;
  const game = (await games(server.url)).find((each) => each.name === name);
  if (!game) throw new Error(`no game is called ${name}`);
  return gather(game, {
    people,
    bots,
    server: server.url,
    contexts: window,
    devices: Object.fromEntries(people.map((person) => [person, window.hasTouch ? "touch" : "mouse"] as const)),
    ...(packLink ? { table: { packLinks: [packLink], packs: packs ?? [] } } : {}),
  });
}

export interface Box {
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The boxes of all elements, with their labels. */
export const boxesOf = (what: Locator): Promise<Box[]> =>
  what.evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const labelled = element.matches("[aria-label]") ? element : element.querySelector("[aria-label]");
      return { label: labelled?.getAttribute("aria-label") ?? element.textContent ?? "", x, y, width, height };
    }),
  );

/** The cards whose rank or sign in the corner is covered or outside of the window. */
export const hiddenCorners = (cards: Locator): Promise<string[]> =>
  cards.evaluateAll((all) => {
    // Played cards let clicks through, and only what takes clicks can be found by a point.
    const [sheet] = document.styleSheets;
    const rule = sheet?.insertRule(".towards * { pointer-events: auto !important; }") ?? 0;
    const hidden = all.flatMap((element) => {
      // A back has nothing in its corner, so its left edge stands for it.
      const corner = element.querySelector("[data-face=up] > svg.card-art > :is(text, use)");
      const { x, y, width, height } = (corner ?? element).getBoundingClientRect();
      const top = document
        .elementsFromPoint(x + width * (corner ? 0.5 : 0.1), y + height / 2)
        .map((each) => each.closest("[data-handle], [data-back]"))
        .find((each) => each !== null);
      return top === element ? [] : [element.outerHTML.slice(0, 120)];
    });
    sheet?.deleteRule(rule);
    return hidden;
  });

/** Whether everything of an element is inside the window. */
export const isInWindow = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  });

export const scrolls = (page: Page): Promise<boolean> =>
  page.evaluate(
    () => document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
  );

export const decisionOf = ({ page }: Person): Locator => page.locator("[data-decision]");

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
