/**
 * Plays any game through the page. It reads what is asked the way a screen reader would (the region of the decision,
 * things on the table that can be pressed, buttons, fields) and answers with whatever is offered; it knows no rules.
 */
import type { Locator } from "playwright-core";
import { text } from "../../src/text/catalogue";
import type { Person } from "./person";

/** Something that can be pressed, as it is told to those who listen. */
export interface Offered {
  /** Position among its like on the page. */
  at: number;
  label: string;
  pressed: boolean;
  /** card | unseen | pile | player | die; empty for buttons. */
  kind: string;
}

/** What somebody is asked. */
export interface Asked {
  decision: string;
  prompt: string;
  /** Things on the table, those that may not be chosen left out. */
  targets: Offered[];
  /** Buttons that can be pressed now. */
  buttons: Offered[];
  /** Buttons that wait for something to be picked. */
  waiting: number;
  texts: { at: number; value: string }[];
  lists: { at: number; value: string; options: number }[];
}

export type Step =
  | { target: Offered }
  | { button: Offered }
  | { text: number; words: string }
  | { list: number; position: number };

/** Decides what to press; nothing: leave it to chance. */
export type Strategy = (asked: Asked, person: Person) => Step | null | undefined;

const TARGETS = "[data-target]";
const CONTROLS = "[data-decision] :is(button:not([aria-label]), button.choice)";
const TEXTS = "[data-decision] :is(input, textarea)";
const LISTS = "[data-decision] select";

/** More presses than any one decision takes. */
const MOST_PRESSES = 60;
/** Milliseconds in which a press must show an effect. */
const EFFECT = 5000;
/** Presses without effect, one after the other: more is not a thing that moved away under a finger. */
const MOST_IN_VAIN = 3;
/** Milliseconds in which nobody is asked anything and nothing is heard from the server. */
const MOST_QUIET = 20_000;

/** What `person` is asked now; null when it is not their turn, their answer is on its way, or the game is over or paused. */
export async function asked({ page }: Person): Promise<Asked | null> {
  return page.evaluate(read, SELECTORS);
}

const SELECTORS = { TARGETS, CONTROLS, TEXTS, LISTS };

/** Runs in the page. */
function read({ TARGETS, CONTROLS, TEXTS, LISTS }: typeof SELECTORS): Asked | null {
  const region = document.querySelector<HTMLElement>("[data-decision]:not([aria-busy=true])");
  if (!region || document.querySelector("[aria-modal=true]")) return null;
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
  // Nothing to answer with: between two states.
  return read.targets.length + read.buttons.length + read.texts.length + read.lists.length === 0 ? null : read;
}

export const isOver = ({ page }: Person): Promise<boolean> =>
  page.getByRole("dialog").getByRole("button", { name: text.end.look }).isVisible();

/** A game being played by several people, each answering whenever asked. */
export class Play {
  /** Moves made by each, by name: what a press of theirs settled. */
  readonly moves = new Map<string, number>();
  private presses = new Map<string, number>();
  private inVain = 0;
  private heard = 0;
  private heardAt = Date.now();

  constructor(
    readonly people: Person[],
    private readonly strategy: Strategy = () => null,
  ) {}

  /** Until `done`; fails when the game ends first or nothing goes on. */
  async until(done: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await done())) {
      if (await this.everyoneAsked()) continue;
      if ((await isOver(this.people[0] as Person)) && !(await done())) throw new Error("the game ended before that");
      await this.wait();
    }
  }

  /** To the banner. */
  async toTheEnd(): Promise<void> {
    const over = async () => (await Promise.all(this.people.map(isOver))).every(Boolean);
    for (;;) {
      if (await this.everyoneAsked()) continue;
      if (await over()) return;
      await this.wait();
    }
  }

  /** One press by each who is asked something; whether anybody was. */
  private async everyoneAsked(): Promise<boolean> {
    const questions = await Promise.all(this.people.map(asked));
    const turns = this.people.flatMap((person, i) => {
      const question = questions[i];
      return question ? [this.step(person, question)] : [];
    });
    await Promise.all(turns);
    return turns.length > 0;
  }

  /** Bots may play among themselves for long; only silence means that the game is stuck. */
  private async wait(): Promise<void> {
    const heard = this.people.reduce((sum, person) => sum + person.heard.length, 0);
    if (heard !== this.heard) this.heardAt = Date.now();
    this.heard = heard;
    if (Date.now() - this.heardAt > MOST_QUIET) throw new Error(`nobody is asked anything: ${await this.describe()}`);
    await this.somebodyIsAsked();
  }

  /** One press by one person. */
  async step(person: Person, now: Asked): Promise<void> {
    const key = `${person.name}:${now.decision}`;
    const presses = (this.presses.get(key) ?? 0) + 1;
    this.presses.set(key, presses);
    if (presses > MOST_PRESSES) {
      throw new Error(`${person.name} presses in vain: ${JSON.stringify(now)}`);
    }
    const step = this.strategy(now, person) ?? byChance(now, person);
    try {
      await this.press(person, step);
    } catch (error) {
      // What was asked may have been settled by others in the meantime.
      if (JSON.stringify(await asked(person)) === JSON.stringify(now)) throw error;
      return;
    }
    const after = await this.effect(person, now);
    if (after === "none") {
      // The table may have moved under the finger when somebody else's move came; it is pressed again, as people do.
      this.inVain += 1;
      if (this.inVain < MOST_IN_VAIN) return;
      const pressed = `${person.name} (${person.device.name}) pressed ${JSON.stringify(step)}`;
      throw new Error(`${pressed} without effect: ${JSON.stringify(now)}`);
    }
    this.inVain = 0;
    if (after?.decision !== now.decision) this.moves.set(person.name, (this.moves.get(person.name) ?? 0) + 1);
  }

  private async press(person: Person, step: Step): Promise<void> {
    const { device, page } = person;
    if ("text" in step) return device.write(page.locator(TEXTS).nth(step.text), step.words);
    if ("list" in step) return device.choose(page.locator(LISTS).nth(step.list), step.position);
    await device.press(placeOf(person, step));
  }

  /** Waits until the press shows: another decision or none, or something picked. */
  private async effect(person: Person, before: Asked): Promise<Asked | null | "none"> {
    const seen = JSON.stringify(before);
    for (const until = Date.now() + EFFECT; Date.now() < until; ) {
      const now = await asked(person);
      if (JSON.stringify(now) !== seen) return now;
      await person.page.evaluate(() => new Promise((done) => setTimeout(done, 10)));
    }
    return "none";
  }

  private async somebodyIsAsked(): Promise<void> {
    const waits = this.people.map(({ page }) =>
      page.waitForFunction(
        () => !!document.querySelector("[data-decision]:not([aria-busy=true]), [aria-modal=true]"),
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

/** Where a thing or a button is on the page. */
export function placeOf(person: Person, step: { target: Offered } | { button: Offered }): Locator {
  return "target" in step
    ? person.page.locator(TARGETS).nth(step.target.at)
    : person.page.locator(CONTROLS).nth(step.button.at);
}

const oneOf = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Anything that is offered, in an order that gets somewhere. */
export function byChance(now: Asked, { name }: Person): Step {
  const empty = now.texts.find(({ value }) => value === "");
  if (empty) return { text: empty.at, words: `Something ${name} wrote` };
  const open = now.lists.find(({ value }) => value === "");
  if (open) return { list: open.at, position: 1 + Math.floor(Math.random() * (open.options - 1)) };
  const buttons = now.buttons.filter(({ label }) => label !== text.table.clear);
  const free = now.targets.filter(({ pressed }) => !pressed);
  const picked = now.targets.filter(({ pressed }) => pressed);
  const kinds = new Set(picked.map(({ kind }) => kind));
  if (free.length === 0 && picked.length === 0) return { button: oneOf(buttons) };
  if (picked.length === 0) {
    return buttons.length > 0 && Math.random() < 0.15 ? { button: oneOf(buttons) } : { target: oneOf(free) };
  }
  if (buttons.length > 0) return { button: oneOf(buttons) };
  // What a finger or a digit has picked is played by the same again; where a button waits for more, more is picked.
  if (now.waiting === 0) return { target: oneOf(picked) };
  const others = free.filter(({ kind }) => !kinds.has(kind));
  return { target: oneOf(others.length > 0 ? others : free.length > 0 ? free : picked) };
}
