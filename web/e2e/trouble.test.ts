/** When something goes wrong, the page says so and what to do, and nothing picked or typed is lost. */
import { expect, onTestFinished, test, vi } from "vitest";
import { text } from "../src/text/catalogue";
import { CuttableProxy } from "./support/cuttableProxy";
import { gather, visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, type OpenDecision, readDecision } from "./support/player";
import { Server } from "./support/server";
import { handOf, nameInLabel, openChat } from "./support/table";

const donkey = await gameNamed("Donkey");
const dalmuti = await gameNamed("The Great Dalmuti");
const oldMaid = await gameNamed("Old Maid");
const against = await gameNamed("Cards Against Humanity");

async function proxyTo(server: string): Promise<CuttableProxy> {
  const proxy = await CuttableProxy.to(server);
  onTestFinished(() => proxy.close());
  return proxy;
}

const sharedServer = async () => (await visitor("nobody")).server;
const picked = (question: OpenDecision | null) =>
  question?.targets.filter(({ pressed }) => pressed).map(({ label }) => label) ?? [];
const lost = ({ page }: Person) => page.getByRole("status").filter({ hasText: text.connection.lost });

/** Returns a person who has to pick cards, with the decision. */
async function waitForCardDecision(people: Person[]): Promise<[Person, OpenDecision]> {
  const questions = () => Promise.all(people.map(readDecision));
  await expect.poll(async () => (await questions()).some(Boolean), { timeout: 15_000 }).toBe(true);
  const all = await questions();
  const at = all.findIndex(Boolean);
  return [people[at] as Person, all[at] as OpenDecision];
}

for (const { how, sendsWholeView } of [
  { how: "the server sends the missed batches", sendsWholeView: false },
  { how: "the server sends a whole view", sendsWholeView: true },
]) {
  test(`the page reports a connection that is lost during a selection, after which ${how}; the selection survives and is played`, async () => {
    const proxy = await proxyTo(await sharedServer());
    const { people } = await gather(dalmuti, {
      people: ["Ann", "Ben", "Cleo"],
      devices: { Ann: "touch", Ben: "mouse", Cleo: "touch" },
      server: proxy.url,
    });
    const [person, question] = await waitForCardDecision(people);
    const before = (await handOf(person)).length;
    // A set with several cards, so that more than one card is picked.
    const sameCard = question.targets.find(({ label }, i) =>
      question.targets.some((o, j) => j !== i && nameInLabel(o.label) === nameInLabel(label)),
    );
    await person.device.press(person.page.locator("[data-target]").nth(sameCard?.at ?? 0));
    await expect.poll(async () => picked(await readDecision(person)).length).toBeGreaterThan(0);
    const chosen = picked(await readDecision(person));
    if (sendsWholeView) await person.page.evaluate(forgetWhatWasSeen);
    const received = person.received.length;
    proxy.cut();
    await lost(person).waitFor();
    expect(picked(await readDecision(person))).toEqual(chosen);
    proxy.restore();
    await lost(person).waitFor({ state: "hidden", timeout: 20_000 });
    const views = person.received.slice(received).filter((message) => /"sync":\{"view"/.test(message));
    expect(views.length > 0).toBe(sendsWholeView);
    expect(picked(await readDecision(person))).toEqual(chosen);
    await person.press(text.table.play);
    await expect.poll(async () => (await handOf(person)).length).toBe(before - chosen.length);
  });
}

/** Runs in the page: from now on the page joins as if it had no view yet. */
function forgetWhatWasSeen(): void {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    const message = JSON.parse(String(data));
    delete message.action?.last;
    send.call(this, JSON.stringify(message));
  };
}

test("a selection survives a server that dies and comes back, and is played afterwards", async () => {
  const server = await Server.start();
  onTestFinished(() => server.stop());
  const { people } = await gather(donkey, {
    people: ["Ann", "Ben"],
    devices: { Ann: "touch", Ben: "touch" },
    server: server.url,
  });
  const [person, { targets }] = await waitForCardDecision(people);
  await person.press(text.table.dismiss);
  await person.device.press(person.page.locator("[data-target]").nth(targets[0]?.at ?? 0));
  await expect.poll(async () => picked(await readDecision(person)).length).toBe(1);
  const [chosen] = picked(await readDecision(person));
  await server.kill();
  for (const one of people) await lost(one).waitFor();
  await server.restart();
  for (const one of people) await lost(one).waitFor({ state: "hidden", timeout: 20_000 });
  expect(picked(await readDecision(person))).toEqual([chosen]);
  await person.device.press(person.page.getByRole("button", { name: chosen ?? "", exact: true }));
  await expect.poll(async () => (await handOf(person)).length).toBe(25);
});

test("a move that is made without a connection is sent once, when the connection is back", async () => {
  const proxy = await proxyTo(await sharedServer());
  // The host must stay connected, because without the host the table would be paused when the move arrives.
  const { people, named } = await gather(donkey, { people: ["Ann", "Ben"], servers: { Ben: proxy.url } });
  const [ann, ben] = [named("Ann"), named("Ben")];
  const [first] = await waitForCardDecision(people);
  if (first === ben) await ben.press(text.table.dismiss);
  else {
    const opening = new GameDriver([ann]);
    await opening.until(() => opening.moves.size > 0);
  }
  await expect.poll(() => readDecision(ben)).not.toBeNull();
  proxy.cut();
  await lost(ben).waitFor();
  await ben.device.press(ben.page.locator("[data-target]").first());
  proxy.restore();
  await expect.poll(async () => (await handOf(ben)).length, { timeout: 20_000 }).toBe(25);
  expect(await ben.page.getByRole("alert").count()).toBe(0);
});

test("text that is typed for a blank card survives a server that dies and comes back", async () => {
  const server = await Server.start();
  onTestFinished(() => server.stop());
  const { people } = await gather(against, {
    people: ["Ann", "Ben", "Cleo"],
    server: server.url,
    table: { fields: { "Blank cards for each player, to write on": "1" } },
  });
  const askedFor = async (prompt: RegExp) => {
    const all = await Promise.all(people.map(readDecision));
    return people.find((_, i) => prompt.test(all[i]?.prompt ?? ""));
  };
  const judge = await vi.waitUntil(() => askedFor(/draw a prompt/), { timeout: 15_000 });
  await judge.press("Draw a prompt");
  const writer = await vi.waitUntil(() => askedFor(/^Answer with/), { timeout: 15_000 });
  const field = writer.page.getByRole("textbox", { name: "Write a card" });
  if (!(await field.count())) await writer.press(/^Write a card/);
  await writer.device.write(field, "a kettle with opinions");
  await server.kill();
  await lost(writer).waitFor();
  expect(await field.inputValue()).toBe("a kettle with opinions");
  await server.restart();
  await lost(writer).waitFor({ state: "hidden", timeout: 20_000 });
  expect(await field.inputValue()).toBe("a kettle with opinions");
  await writer.press("Write a card");
  await writer.page.getByRole("button", { name: /a kettle with opinions$/ }).waitFor();
});

test("a chat message that is written without a connection is kept and sent once, when the connection is back", async () => {
  const proxy = await proxyTo(await sharedServer());
  const { host, people } = await gather(oldMaid, { people: ["Ann", "Ben"], servers: { Ben: proxy.url }, lobby: true });
  const ben = people[1] as Person;
  const [log, panel] = [(await openChat(host)).getByRole("log"), await openChat(ben)];
  const field = panel.getByRole("textbox", { name: text.panel.write });
  proxy.cut();
  await log.getByText("Ben disconnected").waitFor();
  await ben.device.write(field, "Still here?");
  await ben.press(text.panel.send);
  expect(await field.inputValue()).toBe("Still here?");
  proxy.restore();
  await log.getByText("Ben Still here?").waitFor({ timeout: 20_000 });
  await expect.poll(() => field.inputValue()).toBe("");
  expect(await log.getByText("Still here?").count()).toBe(1);
});

test("a chat message that is sent too fast is refused with a reason and stays in the field", async () => {
  const { host } = await gather(oldMaid, { people: ["Ann"], lobby: true });
  const panel = await openChat(host);
  const field = panel.getByRole("textbox", { name: text.panel.write });
  const refused = panel.getByRole("alert");
  for (let line = 1; line <= 20 && !(await refused.count()); line++) {
    await host.device.write(field, `line ${line}`);
    await host.press(text.panel.send);
    await expect.poll(async () => (await refused.count()) > 0 || (await field.inputValue()) === "").toBe(true);
  }
  expect(await refused.textContent()).toMatch(/\w+ \w+/);
  expect(await field.inputValue()).toMatch(/^line \d+$/);
});

test("without a server the form that makes a table says so and keeps name and options; one more press makes the table", async () => {
  const proxy = await proxyTo(await sharedServer());
  const ann = await visitor("Ann", { server: proxy.url });
  await ann.home();
  await ann.device.press(ann.page.getByRole("button", { name: `${text.home.withFriends}: ${donkey.name}` }));
  const field = ann.page.getByRole("textbox", { name: text.name.label });
  await ann.device.write(field, "Ann");
  proxy.cut();
  await ann.press(text.home.create);
  await ann.page.getByRole("alert").waitFor();
  const words = (await ann.page.getByRole("alert").textContent()) ?? "";
  expect(words).not.toMatch(/fetch|TypeError|undefined/i);
  expect(words).toMatch(/again/i);
  expect(await field.inputValue()).toBe("Ann");
  proxy.restore();
  await ann.press(text.home.create);
  await ann.page.waitForURL(/\/t\//);
});

test("without a server the first page says so, and trying again shows the games", async () => {
  const proxy = await proxyTo(await sharedServer());
  const ann = await visitor("Ann", { server: proxy.url });
  await ann.make(oldMaid);
  await ann.seated();
  proxy.cut();
  await ann.press(text.end.home);
  await ann.page.getByText(text.home.noGames).waitFor();
  proxy.restore();
  await ann.press(text.home.retry);
  await ann.page.getByRole("button", { name: donkey.name }).first().waitFor();
});

test("a page that can't be drawn says so, and a reload repairs it", async () => {
  const ann = await visitor("Ann");
  let broken = true;
  await ann.page.route("**/api/games", (route) => (broken ? route.fulfill({ json: [{ id: "?" }] }) : route.continue()));
  await ann.page.goto(ann.server);
  await ann.page.getByText(text.connection.mishap).waitFor();
  broken = false;
  await ann.press(text.connection.reload);
  await ann.page.getByRole("button", { name: donkey.name }).first().waitFor();
});

test("without a server the lobby says so until the server is back", async () => {
  const proxy = await proxyTo(await sharedServer());
  const ann = await visitor("Ann", { server: proxy.url });
  await ann.make(oldMaid);
  await ann.seated();
  proxy.cut();
  await lost(ann).waitFor();
  proxy.restore();
  await lost(ann).waitFor({ state: "hidden", timeout: 20_000 });
});

/** Changes the messages that this page sends. */
async function tamper({ page }: Person, change: (message: string) => string): Promise<void> {
  await page.routeWebSocket(/\/api\/ws/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(change(String(message))));
  });
}

test("an old page that opens a table asks for a reload", async () => {
  const ann = await visitor("Ann");
  const code = await ann.make(oldMaid);
  const ben = await visitor("Ben");
  await tamper(ben, (message) => message.replace(/"v":\d+/, '"v":0'));
  await ben.open(code);
  await ben.giveName();
  await ben.page.getByText(text.connection.old).waitFor();
});

test("a page that becomes old at a table asks for a reload, and keeps its seat after it", async () => {
  const ann = await visitor("Ann");
  const ben = await visitor("Ben");
  let old = false;
  await tamper(ann, (message) => (old ? message.replace(/"v":\d+/, '"v":0') : message));
  const code = await ann.make(oldMaid);
  await ben.openAndSit(code);
  await ann.start();
  const hand = (await handOf(ann)).length;
  old = true;
  await openChat(ann);
  await ann.device.write(ann.page.getByRole("textbox", { name: text.panel.write }), "Hello?");
  await ann.press(text.panel.send);
  await ann.page.getByText(text.connection.old).waitFor();
  old = false;
  await ann.page.reload();
  await ann.atTable();
  expect((await handOf(ann)).length).toBe(hand);
});

test("the page shows why a move was refused and keeps the selection, and the move can be made again", async () => {
  const people: Person[] = [];
  let spoil = false;
  for (const one of ["Ann", "Ben", "Cleo"]) {
    const person = await visitor(one);
    await tamper(person, (message) =>
      spoil && message.includes('"move"') ? message.replace(/"cards":\[[^\]]*\]/, '"cards":[999]') : message,
    );
    people.push(person);
  }
  const [ann, ...guests] = people as [Person, ...Person[]];
  const code = await ann.make(dalmuti);
  for (const guest of guests) await guest.openAndSit(code);
  await ann.start();
  const [person, { targets }] = await waitForCardDecision(people);
  await person.device.press(person.page.locator("[data-target]").nth(targets[0]?.at ?? 0));
  await expect.poll(async () => picked(await readDecision(person)).length).toBeGreaterThan(0);
  const chosen = picked(await readDecision(person));
  const held = (await handOf(person)).length;
  spoil = true;
  await person.press(text.table.play);
  const alert = person.page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/\w+ \w+ \w+/);
  expect(picked(await readDecision(person))).toEqual(chosen);
  spoil = false;
  await person.press(text.table.play);
  await expect.poll(async () => (await handOf(person)).length).toBe(held - chosen.length);
});

test("shows the reason when a card cannot be played, and sends nothing", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const [person] = await waitForCardDecision(people);
  await person.press(text.table.dismiss);
  const held = (await handOf(person)).length;
  const dimmed = person.page.locator("button[aria-disabled=true]").first();
  await person.device.press(dimmed);
  await person.page.getByRole("alert").getByText("The Ace of Spades opens the round").waitFor();
  expect((await handOf(person)).length).toBe(held);
});

test("a full table sends a person to the first page with the reason, unfinished tables, games, and a button to watch", async () => {
  const { code } = await gather(oldMaid, { people: ["Ann"], bots: 7, lobby: true });
  const ben = await visitor("Ben");
  const own = await ben.make(donkey);
  await ben.arrive(code);
  await ben.page
    .getByRole("alert")
    .getByText(text.home.refusals["table/full"] ?? "")
    .waitFor();
  await ben.page.getByRole("button", { name: oldMaid.name }).first().waitFor();
  const grid = ben.page.getByRole("region", { name: text.home.resumeTitle });
  await grid.getByRole("button", { name: new RegExp(donkey.name) }).waitFor();
  await ben.press(text.home.watch);
  await ben.seated();
  await ben.page.goBack();
  await ben.device.press(grid.getByRole("button", { name: new RegExp(donkey.name) }));
  await ben.seated();
  expect(ben.code()).toBe(own);
});

test("a ninth player gets the reason and the games", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann"], bots: 6, lobby: true });
  const ben = await visitor("Ben");
  await ben.openAndSit(code);
  await ben.atTable();
  await host.atTable();
  const cleo = await visitor("Cleo");
  await cleo.arrive(code);
  await cleo.page.getByRole("alert").waitFor();
  await cleo.page.getByRole("heading", { name: text.home.games }).waitFor();
});

test("a finished table gives the reason and the games", async () => {
  const { people, code } = await gather(await gameNamed("High/Low"), { people: ["Ann"], table: { preset: "quick" } });
  await new GameDriver(people).toTheEnd();
  const ben = await visitor("Ben");
  await ben.arrive(code);
  await ben.page
    .getByRole("alert")
    .getByText(text.home.refusals["table/over"] ?? "")
    .waitFor();
  await ben.page.getByRole("button", { name: `${text.home.playNow}: ${donkey.name}` }).waitFor();
});

test("a taken name is refused with a reason and stays in the field, and another name is accepted", async () => {
  const { code } = await gather(oldMaid, { people: ["Ann"], lobby: true });
  const second = await visitor("ann");
  await second.open(code);
  await second.giveName();
  await second.page.getByRole("alert").waitFor();
  const field = second.page.getByRole("textbox", { name: text.name.label });
  expect(await field.inputValue()).toBe("ann");
  await second.device.write(field, "Anna");
  await second.press(text.name.go);
  await second.seated();
});

test("with too few players the lobby says how many more are needed", async () => {
  const { host, people } = await gather(against, { people: ["Ann", "Ben"], lobby: true });
  expect(await host.page.getByRole("button", { name: text.lobby.start }).isDisabled()).toBe(true);
  await host.page.getByText(text.lobby.need(1)).waitFor();
  await people[1]?.page.getByText(text.lobby.need(1)).waitFor();
});
