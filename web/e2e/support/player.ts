/**
 * Plays any game through the page. It reads the decision like a screen reader (the region of the decision, targets on
 * the table, buttons, fields) and answers with anything that is offered. It knows no rules.
 */
import type { Locator } from "playwright-core";
import { vi } from "vitest";
import { text } from "../../src/text/catalogue";
import type { Person } from "./person";

/** Something that can be pressed, with its accessible label. */
export interface OfferedControl {
  /** Its index among all elements of the same selector. */
  at: number;
  label: string;
  pressed: boolean;
  /** card | unseen | pile | player | die; empty for buttons. */
  kind: string;
}

/** The open decision of a person, as the page shows it. */
export interface OpenDecision {
  decision: string;
  prompt: string;
  /** Targets on the table that can be chosen. */
  targets: OfferedControl[];
  /** Buttons that can be pressed now. */
  buttons: OfferedControl[];
  /** The number of disabled buttons, which wait for a selection. */
  waiting: number;
  texts: { at: number; value: string }[];
  lists: { at: number; value: string; options: number }[];
}

export type PressAction =
  | { target: OfferedControl }
  | { button: OfferedControl }
  | { text: number; words: string }
  | { list: number; position: number };

/** Decides what to press; without a result the driver chooses at random. */
export type Strategy = (asked: OpenDecision, person: Person) => PressAction | null | undefined;

const TARGETS = "[data-target]";
const CONTROLS = "[data-decision] :is(button:not([aria-label]), button.choice)";
const TEXTS = "[data-decision] :is(input, textarea)";
const LISTS = "[data-decision] select";

/** More presses than any decision needs. */
const MAX_PRESSES = 60;
/** Milliseconds in which a press must have an effect. */
const EFFECT_TIMEOUT_MS = 5000;
/** Presses in a row without effect. One may hit a target that has just moved; more is an error. */
const MAX_PRESSES_WITHOUT_EFFECT = 3;
/** The longest time in which no person has a decision and no message arrives. */
const MAX_SILENCE_MS = 20_000;

/**
 * The open decision of a person; null if it is not their turn, if their answer is being sent, or if the game is over
 * or paused.
 */
export async function readDecision({ page }: Person): Promise<OpenDecision | null> {
  return page.evaluate(read, SELECTORS);
}

const SELECTORS = { TARGETS, CONTROLS, TEXTS, LISTS };

/** Runs in the page. */
function read({ TARGETS, CONTROLS, TEXTS, LISTS }: typeof SELECTORS): OpenDecision | null {
  const region = document.querySelector<HTMLElement>("[data-decision]:not([aria-busy=true])");
  if (!region || document.querySelector("[aria-modal=true], [data-paused]")) return null;
  const all = <T extends HTMLElement>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const offered = (element: HTMLElement, at: number) => ({
    at,
    label: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
    pressed: element.getAttribute("aria-pressed") === "true",
    kind: element.dataset.target ?? "",
  });
  const controls = all<HTMLButtonElement>(CONTROLS);
  const read = {
    decision: region.dataset.decision ?? "",
    prompt: region.querySelector("p")?.textContent ?? "",
    targets: all(TARGETS).map(offered),
    buttons: controls.map(offered).filter((_, at) => !controls[at]?.disabled),
    waiting: controls.filter((button) => button.disabled).length,
    texts: all<HTMLInputElement>(TEXTS).map(({ value }, at) => ({ at, value })),
    lists: all<HTMLSelectElement>(LISTS).map(({ value, options }, at) => ({ at, value, options: options.length })),
  };
  // The page is between two states, so there is nothing to answer with.
  return read.targets.length + read.buttons.length + read.texts.length + read.lists.length === 0 ? null : read;
}

export const isOver = ({ page }: Person): Promise<boolean> =>
  page.getByRole("dialog").getByRole("button", { name: text.end.look }).isVisible();

/** Drives a game that several people play: each of them answers every decision. */
export class GameDriver {
  /** The number of moves of each person, by name. */
  readonly moves = new Map<string, number>();
  private presses = new Map<string, number>();
  private pressesWithoutEffect = 0;
  private received = 0;
  private receivedAt = Date.now();

  constructor(
    readonly people: Person[],
    private readonly strategy: Strategy = () => null,
  ) {}

  /** Plays until `done`; fails if the game ends first or gets stuck. */
  async until(done: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await done())) {
      if (await this.pressForEveryone()) continue;
      if ((await isOver(this.people[0] as Person)) && !(await done())) throw new Error("the game ended before that");
      await this.wait();
    }
  }

  /** Plays until the end banner. */
  async toTheEnd(): Promise<void> {
    const over = async () => (await Promise.all(this.people.map(isOver))).every(Boolean);
    for (;;) {
      if (await this.pressForEveryone()) continue;
      if (await over()) return;
      await this.wait();
    }
  }

  /** Makes one press for each person with a decision, and returns whether there was one. */
  private async pressForEveryone(): Promise<boolean> {
    const questions = await Promise.all(this.people.map(readDecision));
    const turns = this.people.flatMap((person, i) => {
      const question = questions[i];
      return question ? [this.step(person, question)] : [];
    });
    await Promise.all(turns);
    return turns.length > 0;
  }

  /** Bots may play among themselves for a long time, so the game is stuck only if no message arrives. */
  private async wait(): Promise<void> {
    const received = this.people.reduce((sum, person) => sum + person.received.length, 0);
    if (received !== this.received) this.receivedAt = Date.now();
    this.received = received;
    if (Date.now() - this.receivedAt > MAX_SILENCE_MS)
      throw new Error(`nobody is asked anything: ${await this.describe()}`);
    await this.waitForDecision();
  }

  /** Makes one press for one person. */
  async step(person: Person, now: OpenDecision): Promise<void> {
    const key = `${person.name}:${now.decision}`;
    const presses = (this.presses.get(key) ?? 0) + 1;
    this.presses.set(key, presses);
    if (presses > MAX_PRESSES) {
      throw new Error(`${person.name} presses in vain: ${JSON.stringify(now)}`);
    }
    const step = this.strategy(now, person) ?? chooseRandomly(now, person);
    try {
      await this.press(person, step);
    } catch (error) {
      // Another player may have closed the decision in the meantime.
      if (JSON.stringify(await readDecision(person)) === JSON.stringify(now)) throw error;
      return;
    }
    const after = await this.waitForEffect(person, now);
    if (after === "none") {
      // Another player's move may have moved the table under the pointer; a person would press again.
      this.pressesWithoutEffect += 1;
      if (this.pressesWithoutEffect < MAX_PRESSES_WITHOUT_EFFECT) return;
      const pressed = `${person.name} (${person.device.name}) pressed ${JSON.stringify(step)}`;
      throw new Error(`${pressed} without effect: ${JSON.stringify(now)}`);
    }
    this.pressesWithoutEffect = 0;
    if (after?.decision !== now.decision) this.moves.set(person.name, (this.moves.get(person.name) ?? 0) + 1);
  }

  private async press(person: Person, step: PressAction): Promise<void> {
    const { device, page } = person;
    if ("text" in step) return device.write(page.locator(TEXTS).nth(step.text), step.words);
    if ("list" in step) return device.choose(page.locator(LISTS).nth(step.list), step.position);
    await device.press(locate(person, step));
  }

  /** Waits until the press has an effect: another decision, none, or a changed selection. */
  private async waitForEffect(person: Person, before: OpenDecision): Promise<OpenDecision | null | "none"> {
    const seen = JSON.stringify(before);
    for (const until = Date.now() + EFFECT_TIMEOUT_MS; Date.now() < until; ) {
      const now = await readDecision(person);
      if (JSON.stringify(now) !== seen) return now;
      await person.page.evaluate(() => new Promise((done) => setTimeout(done, 10)));
    }
    return "none";
  }

  private async waitForDecision(): Promise<void> {
    const waits = this.people.map(({ page }) =>
      page.waitForFunction(
        () => !!document.querySelector("[data-decision]:not([aria-busy=true]), [aria-modal=true], [data-paused]"),
        undefined,
        {
          timeout: 1000,
          polling: 20,
        },
      ),
    );
    await Promise.any(waits).catch(() => undefined);
    for (const wait of waits) wait.catch(() => undefined);
  }

  private async describe(): Promise<string> {
    const seen = await Promise.all(
      this.people.map(async (person) => `${person.name}: ${await person.page.getByRole("main").innerText()}`),
    );
    return seen.join(" | ").replace(/\s+/g, " ").slice(0, 2000);
  }
}

/** The element of a target or a button. */
export function locate(person: Person, step: { target: OfferedControl } | { button: OfferedControl }): Locator {
  return "target" in step
    ? person.page.locator(TARGETS).nth(step.target.at)
    : person.page.locator(CONTROLS).nth(step.button.at);
}

const pickRandom = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Chooses something that is offered, in an order that leads to a complete move. */
export function chooseRandomly(now: OpenDecision, { name }: Person): PressAction {
  const empty = now.texts.find(({ value }) => value === "");
  if (empty) return { text: empty.at, words: `Something ${name} wrote` };
  const open = now.lists.find(({ value }) => value === "");
  if (open) return { list: open.at, position: 1 + Math.floor(Math.random() * (open.options - 1)) };
  const buttons = now.buttons.filter(({ label }) => label !== text.table.clear);
  const free = now.targets.filter(({ pressed }) => !pressed);
  const picked = now.targets.filter(({ pressed }) => pressed);
  const kinds = new Set(picked.map(({ kind }) => kind));
  if (free.length === 0 && picked.length === 0) return { button: pickRandom(buttons) };
  if (picked.length === 0) {
    return buttons.length > 0 && Math.random() < 0.15 ? { button: pickRandom(buttons) } : { target: pickRandom(free) };
  }
  if (buttons.length > 0) return { button: pickRandom(buttons) };
  // A second press plays what a finger or a digit has selected. If a button waits for more, more is selected.
  if (now.waiting === 0) return { target: pickRandom(picked) };
  const others = free.filter(({ kind }) => !kinds.has(kind));
  return { target: pickRandom(others.length > 0 ? others : free.length > 0 ? free : picked) };
}

/** Waits until somebody may draw a prompt, draws it, and returns that person, who is the judge. */
export async function drawPrompt(people: Person[]): Promise<Person> {
  const findJudge = async () => {
    const decisions = await Promise.all(people.map(readDecision));
    return people.find((_, i) => /draw a prompt/.test(decisions[i]?.prompt ?? ""));
  };
  const judge = await vi.waitUntil(findJudge, { timeout: 15_000 });
  await judge.press("Draw a prompt");
  return judge;
}
