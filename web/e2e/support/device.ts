/**
 * The three devices with which a test uses the client. Each does only what a person could do: a mouse or a finger
 * reaches only what nothing covers, a keyboard only what can get the focus. So every press is also a test.
 */
import type { CDPSession, Locator, Page } from "playwright-core";

export type DeviceName = "mouse" | "touch" | "keyboard";

export interface Device {
  readonly name: DeviceName;
  press(what: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses an option of a list by its position. */
  choose(list: Locator, position: number): Promise<void>;
}

/** More key presses than any page needs. */
const MAX_KEY_PRESSES = 200;

export function device(name: DeviceName, page: Page): Device {
  return name === "keyboard" ? new Keyboard(page) : new Pointer(name, page);
}

export class Pointer implements Device {
  private touch: Promise<CDPSession> | undefined;

  constructor(
    readonly name: "mouse" | "touch",
    private readonly page: Page,
  ) {}

  async press(what: Locator): Promise<void> {
    const { x, y } = await this.reach(what);
    if (this.name === "mouse") await this.page.mouse.click(x, y);
    else await this.tap(x, y);
  }

  /** Sends down and up together: on a busy machine, waiting in between would turn the tap into a long press. */
  private async tap(x: number, y: number): Promise<void> {
    this.touch ??= this.page.context().newCDPSession(this.page);
    const session = await this.touch;
    await Promise.all([
      session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] }),
      session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
    ]);
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.press(field);
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  async choose(list: Locator, position: number): Promise<void> {
    // The browser draws the open list outside of the page.
    await list.selectOption({ index: position });
  }

  /** Moves the mouse over something without pressing it. */
  async hover(what: Locator): Promise<void> {
    const { x, y } = await this.reach(what);
    await this.page.mouse.move(x, y);
  }

  /** Finds a free point on the element, after the element has stopped moving. */
  private async reach(what: Locator): Promise<{ x: number; y: number }> {
    let before: { x: number; y: number } | false = false;
    for (const until = Date.now() + REACH_TIMEOUT_MS; ; ) {
      const found: { x: number; y: number } | false = await what.evaluate(findFreePoint);
      if (found && before && found.x === before.x && found.y === before.y) return found;
      before = found;
      // A card under the mouse is lifted and may cover its neighbours until the mouse moves to them.
      const box = found || this.name === "touch" ? null : await what.boundingBox();
      if (box) await this.page.mouse.move(box.x + 3, box.y + box.height / 2);
      if (Date.now() > until) throw new Error(`${what} can't be reached: ${await what.evaluate(describeCover)}`);
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }
}

/** In this time a toast or another temporary cover has gone. */
const REACH_TIMEOUT_MS = 8000;

/** Runs in the page: describes what covers the element. */
function describeCover(element: Element): string {
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return `${JSON.stringify(box)} is under ${top?.outerHTML.slice(0, 200) ?? "nothing: it is outside of the window"}`;
}

/** Runs in the page. A hidden input is reached by its label. */
function findFreePoint(element: Element): { x: number; y: number } | false {
  const small = element instanceof HTMLInputElement && /radio|checkbox/.test(element.type);
  const shown = (small && element.closest("label")) || element;
  const reached = () => {
    const { x, y, width, height } = shown.getBoundingClientRect();
    const free: { x: number; y: number }[] = [];
    const taken: { x: number; y: number }[] = [];
    for (const down of [-0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.05]) {
      for (const along of [-0.05, 0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 0.92, 1.05]) {
        const at = { x: x + width * along, y: y + height * down };
        const top = document.elementFromPoint(at.x, at.y);
        (top && (top === shown || shown.contains(top)) ? free : taken).push(at);
      }
    }
    // The point farthest from everything that covers or surrounds the element, as a person would aim.
    const room = (at: { x: number; y: number }) =>
      Math.min(...taken.map((other) => Math.hypot(at.x - other.x, at.y - other.y)));
    return free.sort((a, b) => room(b) - room(a))[0] ?? false;
  };
  const found = reached();
  if (found) return found;
  // Scrolls to an element that is out of sight, as a person would.
  shown.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  return reached();
}

class Keyboard implements Device {
  readonly name = "keyboard";

  constructor(private readonly page: Page) {}

  async press(what: Locator): Promise<void> {
    const kind = await what.evaluate((element) => {
      if (element.matches("[data-target], [data-decision] button")) return "on the table";
      return element instanceof HTMLInputElement ? element.type : "";
    });
    if (kind === "radio") return this.pressRadio(what);
    if (kind === "on the table") return this.pressOnTable(what);
    await this.focus(what);
    await this.page.keyboard.press(kind === "checkbox" ? "Space" : "Enter");
  }

  async write(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    await this.focus(field);
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.type(text);
  }

  async choose(list: Locator, position: number): Promise<void> {
    await this.focus(list);
    await this.page.keyboard.press("Home");
    for (let i = 0; i < position; i++) await this.page.keyboard.press("ArrowDown");
  }

  /** Tab moves the focus to the group; arrows move inside it. */
  private async pressRadio(what: Locator): Promise<void> {
    const inGroup = (element: Element) => {
      const focused = document.activeElement;
      return focused instanceof HTMLInputElement && focused.name === (element as HTMLInputElement).name;
    };
    await this.until(what, "Tab", inGroup);
    await this.until(what, "ArrowRight", (element) => (element as HTMLInputElement).checked);
  }

  /** Presses the digit of the third to tenth target; reaches anything else by the arrow keys. */
  private async pressOnTable(what: Locator): Promise<void> {
    // Inside a field arrows and digits belong to the field, so Tab leaves it first.
    if (await this.page.evaluate(() => !!document.activeElement?.matches("input, select, textarea"))) {
      await this.focus(what);
      return this.page.keyboard.press("Enter");
    }
    const nth = await what.evaluate((element) => [...document.querySelectorAll("[data-target]")].indexOf(element));
    if (nth >= 2 && nth < 10) return this.page.keyboard.press(String((nth + 1) % 10));
    await this.until(what, nth >= 0 ? "ArrowRight" : "ArrowLeft", (element) => element === document.activeElement);
    await this.page.keyboard.press("Enter");
  }

  private focus(what: Locator): Promise<void> {
    return this.until(what, "Tab", (element) => element === document.activeElement);
  }

  private async until(what: Locator, key: string, reached: (element: Element) => boolean): Promise<void> {
    for (let i = 0; i < MAX_KEY_PRESSES; i++) {
      if (await what.evaluate(reached)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${key} never comes to ${what}`);
  }
}
