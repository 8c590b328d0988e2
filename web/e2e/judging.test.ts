/** platform.md, "Multi-Card Submission UI" and "Anonymized Judging": one test for each line of the lists. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Event, expandBatch, type TableDefinition, type WireBatch } from "../src/protocol/types";
import { text } from "../src/text/catalogue";
import { gather, type TableGroup } from "./support/group";
import { uploadPack } from "./support/pack";
import { gameNamed, type Person } from "./support/person";
import { drawPrompt, GameDriver, readDecision, type Strategy } from "./support/player";
import { Server } from "./support/server";
import { nameInLabel } from "./support/table";

const game = await gameNamed("Cards Against Humanity");

/** Prompts that take two answers, so that the order matters. */
const pack = {
  id: "pairs",
  name: "Pairs",
  cards: {
    prompt: Array.from({ length: 40 }, (_, i) => ({ text: `Day ${i + 1}: first _____, then _____.` })),
    answer: Array.from({ length: 120 }, (_, i) => ({ text: `thing ${i + 1}` })),
  },
};

describe.sequential("prompts that take two answers", () => {
  let server: Server;
  let group: TableGroup;
  let judge: Person;
  let writers: Person[];
  /** The answer of each player in this round, in order. */
  const submitted = new Map<string, [string, string]>();

  beforeAll(async () => {
    server = await Server.start();
    const link = await uploadPack(server, pack);
    group = await gather(game, {
      people: ["Ann", "Ben", "Cleo", "Dora"],
      devices: { Dora: "touch" },
      server: server.url,
      table: { packs: [pack.name], packLinks: [link] },
      lasting: true,
    });
    await newRound();
  });
  afterAll(async () => {
    await group?.close();
    await server?.stop();
  });

  const play = ({ page }: Person) =>
    page.locator("[data-decision]").getByRole("button", { name: text.table.play, exact: true });
  const slots = ({ page }: Person) => page.locator("[data-decision] ol > li");
  const promptOf = ({ page }: Person) => page.getByRole("group", { name: text.table.prompt }).innerText();
  /** The texts of the cards in hand that can be picked. */
  const cards = async (person: Person) =>
    (await readDecision(person))?.targets.map(({ label }) => nameInLabel(label)) ?? [];
  const card = ({ page }: Person, words: string) =>
    page.getByRole("button", { name: new RegExp(`^\\d+ of \\d+: (play )?${words}$`) });
  /** The answers that a person sees, in order. */
  const shown = ({ page }: Person) =>
    page
      .getByRole("list", { name: "Answer", exact: true })
      .getByRole("listitem")
      .evaluateAll((all) =>
        all.map((item) => ({
          number: (item as HTMLElement).innerText.trim().split("\n")[0] ?? "",
          words: [...item.querySelectorAll<HTMLElement>("[data-face=up]")].map((card) => card.innerText.trim()),
          label: item.querySelector("button")?.getAttribute("aria-label") ?? "",
          zone: Number((item as HTMLElement).dataset.zone),
        })),
      );

  /** Draws a prompt; then the other players have a decision. */
  async function newRound(): Promise<void> {
    submitted.clear();
    judge = await drawPrompt(group.people);
    writers = group.others(judge);
    for (const writer of writers) await play(writer).waitFor();
  }

  /** Lets the judge decide. */
  async function judges(strategy?: Strategy): Promise<void> {
    const decides = async () => /best answer/.test((await readDecision(judge))?.prompt ?? "");
    await vi.waitUntil(decides, { timeout: 15_000 });
    const play = new GameDriver([judge], strategy);
    await play.until(() => play.moves.size > 0);
  }

  async function submit(person: Person): Promise<void> {
    const [first = "", second = ""] = await cards(person);
    if (!submitted.has(person.name)) {
      await person.device.press(card(person, first));
      await person.device.press(card(person, second));
      submitted.set(person.name, [first, second]);
    }
    await person.device.press(play(person));
    await play(person).waitFor({ state: "hidden" });
  }

  test("platform.md, Multi-Card Submission UI: numbered slots show which card goes where", async () => {
    const [writer] = writers as [Person];
    await expect.poll(() => slots(writer).count()).toBe(2);
    expect(await slots(writer).evaluateAll((all) => all.map((s) => s.getAttribute("aria-label")))).toEqual([
      text.table.slotEmpty(1),
      text.table.slotEmpty(2),
    ]);
    const [, second = "", third = ""] = await cards(writer);
    await writer.device.press(card(writer, third));
    await writer.device.press(card(writer, second));
    const filled = () => slots(writer).evaluateAll((all) => all.map((s) => s.textContent));
    await expect.poll(filled).toEqual([expect.stringMatching(`^1.*${third}`), expect.stringMatching(`^2.*${second}`)]);
    expect(await promptOf(writer)).toMatch(new RegExp(`first ${third}, then ${second}\\.`));
    submitted.set(writer.name, [third, second]);
  });

  test("platform.md, Multi-Card Submission UI: dragging changes the order, and so do arrow keys", async () => {
    const [writer] = writers as [Person];
    const [first, second] = submitted.get(writer.name) ?? ["", ""];
    const grips = writer.page.getByRole("button", { name: /^Slot \d: / });
    const [from, to] = await Promise.all([grips.nth(0).boundingBox(), grips.nth(1).boundingBox()]);
    if (!from || !to) throw new Error("two slots");
    await writer.page.mouse.move(from.x + 20, from.y + from.height / 2);
    await writer.page.mouse.down();
    await writer.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    await writer.page.mouse.up();
    await expect.poll(() => promptOf(writer)).toMatch(new RegExp(`first ${second}, then ${first}\\.`));
    await grips.nth(0).focus();
    await writer.page.keyboard.press("ArrowRight");
    await expect.poll(() => promptOf(writer)).toMatch(new RegExp(`first ${first}, then ${second}\\.`));
    await grips.nth(0).focus();
    await writer.page.keyboard.press("ArrowRight");
    submitted.set(writer.name, [second, first]);
  });

  test("platform.md, Multi-Card Submission UI: the answer can be sent only with the right number of cards", async () => {
    const [, writer] = writers as [Person, Person];
    const [first = "", second = ""] = await cards(writer);
    expect(await play(writer).isDisabled()).toBe(true);
    await writer.device.press(card(writer, first));
    await expect.poll(() => card(writer, first).getAttribute("aria-pressed")).toBe("true");
    expect(await play(writer).isDisabled()).toBe(true);
    await writer.device.press(card(writer, second));
    await expect.poll(() => play(writer).isEnabled()).toBe(true);
    submitted.set(writer.name, [first, second]);
  });

  test("platform.md, Multi-Card Submission UI: the order is clear while judging", async () => {
    for (const writer of writers) await submit(writer);
    for (const viewer of group.people) {
      await expect.poll(async () => (await shown(viewer)).length, { timeout: 15_000 }).toBe(3);
      const pairs = (await shown(viewer)).map(({ words }) => words);
      expect(pairs.map((pair) => pair.join("/")).sort()).toEqual(
        [...submitted.values()].map((pair) => pair.join("/")).sort(),
      );
    }
    // The judge also hears the answers in order, and reads them in the sentence.
    const [first] = await shown(judge);
    expect(first?.label).toBe(text.table.position(1, 3, first?.words.join(" / ") ?? ""));
  });

  test("platform.md, Anonymized Judging: the answers have display indices 1, 2, 3, the same for everyone", async () => {
    const orders = await Promise.all(group.people.map(shown));
    for (const order of orders) {
      expect(order.map(({ number }) => number)).toEqual(["1", "2", "3"]);
      // The indices that the server has given: its zones are in the order of their indices.
      const zones = order.map(({ zone }) => zone);
      expect(zones).toEqual(zones.toSorted((a, b) => a - b));
      expect(order.map(({ words }) => words)).toEqual(orders[0]?.map(({ words }) => words));
    }
  });

  test("platform.md, Anonymized Judging: only indices and cards are sent to clients, nobody's name with them", async () => {
    for (const person of group.people) {
      const reveal = (await events(person)).flatMap((event) =>
        "moved" in event && event.moved.to !== null ? [event.moved] : [],
      );
      const texts = new Set([...submitted.values()].flat());
      const came = reveal.flatMap(({ came }) => came.map(({ card }) => card));
      expect(came.length).toBeGreaterThan(0);
      for (const { by } of came) expect(by).toBeUndefined();
      // The accessible text does not connect an answer with a person either.
      const sentText = await person.page.getByRole("list", { name: "Answer", exact: true }).ariaSnapshot();
      for (const { name } of group.people) expect(sentText).not.toContain(name);
      expect(texts.size).toBe(6);
    }
  });

  test("platform.md, Anonymized Judging: the server keeps whose answer is whose, also over a crash", async () => {
    const before = await shown(judge);
    await server.kill();
    for (const { page } of group.people) await page.getByText(text.connection.lost).waitFor();
    await server.restart();
    for (const { page } of group.people)
      await page.getByText(text.connection.lost).waitFor({ state: "hidden", timeout: 20_000 });
    // A new window has only what the server sends now.
    await judge.page.reload();
    await judge.atTable();
    await expect.poll(() => shown(judge)).toEqual(before);
    expect(judge.received.join("\n")).not.toMatch(/"owner"|"author"/);
  });

  test("platform.md, Anonymized Judging: the index the judge picks is resolved to the player who wins", async () => {
    const [, chosen] = await shown(judge);
    const words = chosen?.words ?? [];
    const winner = [...submitted].find(([, pair]) => pair.join() === words.join())?.[0];
    await judges(({ targets, buttons }) => {
      const [pick] = buttons;
      if (pick && targets.some(({ pressed }) => pressed)) return { button: pick };
      const target = targets.find(({ label }) => label === chosen?.label);
      return target && { target };
    });
    for (const { page } of group.people) {
      await page
        .getByText(new RegExp(`^${winner} wins: .*first ${words[0]}, then ${words[1]}`))
        .first()
        .waitFor();
    }
  });

  test("platform.md, Anonymized Judging: the answers are shuffled: their order is not that of the seats or of submitting", async () => {
    // One order in six equals that of the seats, but not in ten rounds in a row.
    const same: boolean[] = [];
    while (same.every(Boolean) && same.length < 10) {
      await newRound();
      for (const writer of writers) await submit(writer);
      await expect.poll(async () => (await shown(judge)).length, { timeout: 15_000 }).toBe(3);
      const order = (await shown(judge)).map(({ words }) => words.join());
      same.push(order.join("|") === writers.map(({ name }) => submitted.get(name)?.join()).join("|"));
      await judges();
    }
    expect(same).toContain(false);
  });

  /** All events of the batches that a person received. */
  async function events(person: Person): Promise<Event[]> {
    const messages = person.messages();
    const address = /"table":"(\/api\/definitions\/[^"]+)"/.exec(JSON.stringify(messages))?.[1];
    const { texts } = (await (await fetch(`${server.url}${address}`)).json()) as TableDefinition;
    const batches = messages.flatMap(({ type, b }) =>
      type === "event" && b ? [expandBatch(b as unknown as WireBatch, texts).batch] : [],
    );
    return batches.flatMap(({ events }) => events);
  }
});
