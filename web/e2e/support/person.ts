/** A person with a browser of their own: a name, a window, and a device. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject, vi } from "vitest";
import type { Definition } from "../../src/protocol/types";
import { text } from "../../src/text/catalogue";
import { packsText } from "../../src/text/packsCatalogue";
import { type Device, type DeviceName, device } from "./device";

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface PersonOptions {
  device?: DeviceName;
  /** The server, or a proxy in front of it. */
  server?: string;
  context?: BrowserContextOptions;
  /** The games have not been explained to this browser yet. */
  isNew?: boolean;
}

export interface TableOptions {
  /** The id of a preset; ignored for games that do not have it. */
  preset?: string;
  /** Only these packs, by name. */
  packs?: string[];
  /** Links of packs that are in no list. */
  packLinks?: string[];
  /** Numbers and texts, by the title of their option. */
  fields?: Record<string, string>;
  switches?: string[];
}

let browser: Promise<Browser> | undefined;
let addresses = 0;

/** Everybody whose window is open; a failure report shows all of them. */
export const openPeople = new Set<Person>();

export class Person {
  readonly console: string[] = [];
  /** Messages from the server, in order. */
  readonly received: string[] = [];
  page!: Page;
  device!: Device;

  private constructor(
    readonly name: string,
    readonly context: BrowserContext,
    readonly server: string,
    private readonly by: DeviceName,
  ) {}

  static async named(name: string, options: PersonOptions = {}): Promise<Person> {
    const by = options.device ?? "mouse";
    browser ??= chromium.connect(inject("browser"));
    addresses += 1;
    const address = `10.${process.pid % 200}.${addresses >> 8}.${addresses & 255}`;
    const context = await (await browser).newContext({
      ...(by === "touch" ? PHONE : DESKTOP),
      reducedMotion: "reduce",
      extraHTTPHeaders: { "x-forwarded-for": address },
      ...options.context,
    });
    if (!options.isNew) {
      const explained = await gameIds(options.server ?? inject("server"));
      await context.addInitScript(
        (kept) => localStorage.getItem("baize.play") ?? localStorage.setItem("baize.play", kept),
        JSON.stringify({ explained }),
      );
    }
    const person = new Person(name, context, options.server ?? inject("server"), by);
    await person.newWindow();
    openPeople.add(person);
    return person;
  }

  /** Opens another window of the same browser; the earlier one stays open. */
  async newWindow(): Promise<void> {
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(15_000);
    this.device = device(this.by, this.page);
    this.page.on("console", (message) => this.console.push(`${message.type()}: ${message.text()}`));
    this.page.on("pageerror", (error) => this.console.push(`uncaught: ${error.stack ?? error.message}`));
    this.page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => void this.received.push(String(payload))),
    );
  }

  async leave(): Promise<void> {
    openPeople.delete(this);
    await this.context.close();
  }

  press(name: string | RegExp, role: "button" | "radio" | "checkbox" = "button"): Promise<void> {
    const exact = typeof name === "string";
    return this.device.press(this.page.getByRole(role, { name, exact }));
  }

  async home(): Promise<void> {
    await this.page.goto(this.server);
    await this.page.getByRole("heading", { name: text.home.games }).waitFor();
  }

  /** Goes from the first page to the lobby of a new table, and returns its code. */
  async make(game: Pick<Definition, "name" | "presets">, options: TableOptions = {}): Promise<string> {
    await this.home();
    await this.press(`${text.home.withFriends}: ${game.name}`);
    await this.device.write(this.page.getByRole("textbox", { name: text.name.label }), this.name);
    const { packs, packLinks, preset, fields, switches } = options;
    const presets = preset && game.presets.some(({ id }) => id === preset);
    if (presets || fields || switches)
      await this.device.press(this.page.getByText(text.lobby.options, { exact: true }));
    if (presets) await this.press(text.lobby.preset[preset] ?? preset, "radio");
    for (const name of switches ?? []) await this.press(name, "checkbox");
    for (const [title, value] of Object.entries(fields ?? {})) {
      await this.device.write(this.page.getByLabel(title, { exact: true }), value);
    }
    for (const link of packLinks ?? []) await this.addPack(link);
    if (packs) await this.choosePacks(packs);
    await this.press(text.home.create);
    await this.page.waitForURL(/\/t\//);
    return this.code();
  }

  /** Adds a pack by its link in the list of a table's packs. */
  async addPack(link: string): Promise<void> {
    const field = this.page.getByRole("textbox", { name: packsText.link });
    if (!(await field.isVisible())) await this.device.press(this.page.getByText(packsText.byLink, { exact: true }));
    await this.device.write(field, link);
    await this.press(packsText.add);
    await vi.waitUntil(async () => (await field.inputValue()) === "", { timeout: 20_000 });
  }

  private async choosePacks(wanted: string[]): Promise<void> {
    const all = this.page.getByRole("group", { name: text.lobby.packs }).getByRole("checkbox");
    for (const name of wanted)
      await all.and(this.page.getByLabel(name, { exact: true })).waitFor({ state: "attached" });
    const names = await all.evaluateAll((boxes) => boxes.map((box) => box.closest("label")?.textContent ?? ""));
    // The wanted packs come first: as long as none is chosen, the official ones count as chosen.
    const order = [...names].sort((a, b) => Number(wanted.includes(b)) - Number(wanted.includes(a)));
    for (const name of order) {
      const box = all.nth(names.indexOf(name));
      if ((await box.isChecked()) !== wanted.includes(name)) await this.device.press(box);
    }
  }

  /** Goes from the first page to a table, by its code. */
  async join(code: string): Promise<void> {
    await this.home();
    await this.device.write(this.page.getByRole("textbox", { name: text.home.joinLabel }), code);
    await this.press(text.home.join);
    await this.giveName();
    await this.seated();
  }

  /** Opens a table by its link. */
  async open(code: string): Promise<void> {
    await this.page.goto(`${this.server}/t/${code}`);
  }

  /** Opens a link that may or may not lead to a seat, and gives a name if the page asks for one. */
  async arrive(code: string): Promise<void> {
    await this.open(code);
    const name = this.page.getByRole("textbox", { name: text.name.label });
    const there = this.page.getByRole("button", { name: text.panel.menu });
    await name.or(there).or(this.page.getByRole("alert")).first().waitFor();
    if (await name.count()) await this.giveName();
  }

  async giveName(): Promise<void> {
    await this.device.write(this.page.getByRole("textbox", { name: text.name.label }), this.name);
    await this.press(text.name.go);
  }

  async openAndSit(code: string): Promise<void> {
    await this.open(code);
    await this.giveName();
    await this.seated();
  }

  /** Waits for the lobby or the table. */
  async seated(): Promise<void> {
    await this.page.getByRole("button", { name: text.panel.menu }).waitFor();
  }

  code(): string {
    return /\/t\/([\w-]+)/.exec(this.page.url())?.[1] ?? "";
  }

  async addBots(count: number, level = "easy"): Promise<void> {
    const add = this.page.getByRole("group", { name: text.lobby.addBot });
    const bots = this.page.getByRole("main").getByRole("img", { name: text.table.bot });
    for (let i = 0; i < count; i++) {
      const before = await bots.count();
      await this.device.press(add.getByRole("button", { name: text.lobby.levels[level] }));
      await bots.nth(before).waitFor();
    }
  }

  /** Starts the game and waits for the table. */
  async start(): Promise<void> {
    await this.press(text.lobby.start);
    await this.atTable();
  }

  async atTable(): Promise<void> {
    await this.page.getByRole("region", { name: text.table.cloth }).waitFor();
  }

  /** The messages that the server has sent to this person. */
  messages(): { type: string; batch?: unknown[]; [key: string]: unknown }[] {
    return this.received.map((payload) => JSON.parse(payload));
  }

  /** Unexpected errors of the page. */
  faults(): string[] {
    return this.console.filter((line) => line.startsWith("uncaught") || /Content Security Policy/.test(line));
  }
}

const idsOfGames = new Map<string, Promise<string[]>>();

/** The ids of all games of a server, which is asked once. */
function gameIds(server: string): Promise<string[]> {
  const known = idsOfGames.get(server) ?? games(server).then((all) => all.map(({ id }) => id));
  idsOfGames.set(server, known);
  return known;
}

/** All games of the server. */
export async function games(server = inject("server")): Promise<Definition[]> {
  const answer = await fetch(`${server}/api/games`);
  return (await answer.json()) as Definition[];
}

export async function gameNamed(name: string): Promise<Definition> {
  const found = (await games()).find((game) => game.name === name);
  if (!found) throw new Error(`the server has no game called ${name}`);
  return found;
}
