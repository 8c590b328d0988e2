/** Who may come in and who may chat: the lock, requests to the lead, removed spectators, refused names. */
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { expectAccessible } from "./support/axe";
import { gather, visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { openChat, openMenu } from "./support/table";

const donkey = await gameNamed("Donkey");
const LOCKED = "This table is locked: nobody new can come in.";

/** The lead sets who may come in. */
async function setDoor(lead: Person, door: keyof typeof text.door.choices): Promise<void> {
  const menu = await openMenu(lead);
  await lead.press(text.door.choices[door], "radio");
  await menu.getByText(text.door.notes[door]).waitFor();
  await expectAccessible(lead.page);
  await lead.press(text.panel.close);
}

/** Opens the link and gives a name, whatever page follows. */
async function knock(person: Person, code: string): Promise<void> {
  await person.open(code);
  await person.giveName();
}

/** Comes as a spectator. */
async function watch(person: Person, code: string): Promise<void> {
  await person.page.goto(`${person.server}/t/${code}?watch`);
  await person.seated();
}

const waits = ({ page }: Person) => page.getByRole("heading", { name: text.door.waitTitle });
const asks = (lead: Person, name: string) =>
  lead.page.getByRole("region", { name: text.door.askers }).getByText(`${name} ${text.door.wantsToJoin}`);

test("a locked table admits no new and no removed person, but its players can come back", async () => {
  const { host, named, code } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"], devices: { Ann: "touch" } });
  await setDoor(host, "locked");
  await openMenu(host);
  await host.press(text.panel.kick("Cleo"));
  await host.press(text.panel.kickYes);
  await host.press(text.panel.close);
  await named("Cleo").page.getByRole("alert").waitFor();
  for (const name of ["Cleo", "Zoe"]) {
    const stranger = await visitor(name);
    // The link says that the table is locked before it asks for a name.
    await stranger.open(code);
    await stranger.page.getByRole("alert").getByText(LOCKED).waitFor();
  }
  const ben = named("Ben");
  const menu = await openMenu(ben);
  await menu.getByText(text.door.forOthers.locked).waitFor();
  await ben.page.reload();
  await ben.atTable();
  await setDoor(host, "open");
  const zoe = await visitor("Zoe");
  await watch(zoe, code);
});

test("the lead admits or declines people who ask; admitted people come in by themselves, others read the refusal", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann", "Ben"], devices: { Ann: "keyboard" }, lobby: true });
  await setDoor(host, "ask");
  const dan = await visitor("Dan", { device: "touch" });
  await knock(dan, code);
  await waits(dan).waitFor();
  await expectAccessible(dan.page);
  await asks(host, "Dan").waitFor();
  await expectAccessible(host.page);
  await host.press(text.door.letInWhom("Dan"));
  await dan.seated();
  await asks(host, "Dan").waitFor({ state: "hidden" });
  const eve = await visitor("Eve");
  await knock(eve, code);
  await waits(eve).waitFor();
  // The menu has the same list.
  await openMenu(host);
  await host.press(text.door.declineWhom("Eve"));
  await eve.page.getByRole("alert").getByText("You were not let in to this table.").waitFor();
  const zoe = await visitor("Zoe");
  await knock(zoe, code);
  await waits(zoe).waitFor();
  await zoe.press(text.door.giveUp);
  await zoe.page.getByRole("heading", { name: text.home.games }).waitFor();
});

test("the lead mutes and removes a spectator", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann", "Ben"], devices: { Ann: "touch" } });
  const eve = await visitor("Eve");
  await eve.home();
  await eve.page.evaluate(() => localStorage.setItem("baize.name", "Eve"));
  await watch(eve, code);
  const menu = await openMenu(host);
  await menu.getByRole("listitem", { name: "Eve" }).waitFor();
  await host.press(text.panel.muteWhom("Eve", false));
  await menu.getByText(text.panel.muted).waitFor();
  await host.press(text.panel.muteWhom("Eve", true));
  await expectAccessible(host.page);
  await host.press(text.panel.kick("Eve"));
  await host.press(text.panel.kickYes);
  await eve.page
    .getByRole("alert")
    .getByText(text.home.refusals["seat/kicked"] ?? "")
    .waitFor();
  await menu.getByRole("listitem", { name: "Eve" }).waitFor({ state: "hidden" });
});

test("with the chat for players only, a spectator can read it and sees why there is no field", async () => {
  const { host, named, code } = await gather(donkey, { people: ["Ann", "Ben"] });
  const eve = await visitor("Eve", { device: "touch" });
  await watch(eve, code);
  const chat = await openChat(eve);
  await chat.getByRole("textbox").waitFor();
  await openMenu(host);
  await host.press(text.door.playersOnly, "checkbox");
  await chat.getByRole("note").getByText(text.door.chatPlayersOnly).waitFor();
  expect(await chat.getByRole("textbox").count()).toBe(0);
  const bens = await openChat(named("Ben"));
  await named("Ben").device.write(bens.getByRole("textbox", { name: text.panel.write }), "hello Eve");
  await named("Ben").press(text.panel.send);
  await chat.getByText("hello Eve").waitFor();
  await host.press(text.door.playersOnly, "checkbox");
  await chat.getByRole("textbox").waitFor();
});

test("an invisible or confusable name is refused with a reason; right-to-left letters are allowed", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann"], lobby: true });
  const dana = await visitor("דנה");
  await dana.open(code);
  const field = dana.page.getByRole("textbox", { name: text.name.label });
  for (const [name, why] of [
    ["\u2800", "at least one letter, digit or sign"],
    ["Аnn", "Somebody at this table has that name"],
    ["Dana\u202e", "right-to-left letters are welcome"],
  ] as const) {
    await field.fill(name);
    await dana.press(text.name.go);
    await dana.page.getByRole("alert").getByText(why).waitFor();
  }
  await dana.giveName();
  await dana.seated();
  const shown = host.page.getByRole("main").locator("bdi", { hasText: "דנה" });
  await shown.first().waitFor();
});
