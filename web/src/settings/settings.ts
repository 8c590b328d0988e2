/** The settings of this browser, kept in its storage and applied to the document. */
import { useSyncExternalStore } from "react";

/** How a person's own cards lie: as the rules sort them, by suit, by rank, or as the person has laid them. */
export type HandOrder = "rules" | "suit" | "rank" | "own";

export interface BrowserSettings {
  theme: "system" | "light" | "dark";
  suits: "two" | "four";
  cardSize: "small" | "normal" | "large";
  motion: "system" | "full" | "reduced";
  sound: boolean;
  speech: boolean;
  vibrate: boolean;
  /** A click selects, like a tap; only a second click plays. */
  confirm: boolean;
  handOrder: HandOrder;
}

const DEFAULTS: BrowserSettings = {
  theme: "system",
  suits: "two",
  cardSize: "normal",
  motion: "system",
  sound: false,
  speech: false,
  vibrate: true,
  confirm: false,
  handOrder: "rules",
};

const KEY = "baize.settings";
const CARD_SCALE = { small: 0.84, normal: 1, large: 1.2 };

let current: BrowserSettings = read();
const listeners = new Set<() => void>();

export function settings(): BrowserSettings {
  return current;
}

export function changeSettings(next: Partial<BrowserSettings>): void {
  current = { ...current, ...next };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Without storage the settings last until the page is closed.
  }
  applySettings();
  for (const listener of listeners) listener();
}

export function useSettings(): BrowserSettings {
  return useSyncExternalStore(subscribe, settings);
}

/** Writes what CSS needs to the root element. */
export function applySettings(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme;
  dataset.suits = current.suits;
  dataset.motion = current.motion;
}

export const cardScale = (of: BrowserSettings): number => CARD_SCALE[of.cardSize];

export function prefersReducedMotion(): boolean {
  if (current.motion !== "system") return current.motion === "reduced";
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): BrowserSettings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}
