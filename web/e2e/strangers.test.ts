/** Strangers at a table: reports, being forgotten, and packs that people find only by their link. */
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { packsText } from "../src/text/packsCatalogue";
import { reportText } from "../src/text/reportCatalogue";
import { expectAccessible } from "./support/axe";
import { gather, visitor } from "./support/group";
import { gameNamed } from "./support/person";
import { chatOf, openChat, openMenu } from "./support/table";

const donkey = await gameNamed("Donkey");
const humanity = await gameNamed("Cards Against Humanity");

test("a person can report a chat line and a name after confirming, but not their own", async () => {
  const { host: ann, named } = await gather(donkey, { people: ["Ann", "Ben"], devices: { Ben: "touch" } });
  const ben = named("Ben");
  const chat = await openChat(ann);
  await ann.device.write(chat.getByRole("textbox", { name: text.panel.write }), "You cheat, all of you");
  await ann.press(text.panel.send);
  await chat.getByText("You cheat, all of you").waitFor();
  expect(await chat.getByRole("button", { name: reportText.line("Ann") }).count()).toBe(0);
  const seen = await openChat(ben);
  await seen.getByText("You cheat, all of you").waitFor();
  await ben.press(reportText.line("Ann"));
  await expectAccessible(ben.page);
  await ben.press(text.panel.cancel);
  await ben.press(reportText.line("Ann"));
  await ben.device.press(seen.getByRole("alertdialog").getByRole("button", { name: reportText.send, exact: true }));
  await seen.getByRole("status").getByText(reportText.done).waitFor();
  await ben.press(text.panel.close);
  const menu = await openMenu(ben);
  expect(await menu.getByRole("button", { name: text.panel.more("Ben") }).count()).toBe(0);
  await ben.press(text.panel.more("Ann"));
  await ben.press(reportText.name);
  await ben.device.press(menu.getByRole("alertdialog").getByRole("button", { name: reportText.send, exact: true }));
  await menu.getByRole("status").getByText(reportText.done).waitFor();
});

test("a forgotten person is new, and the others no longer see the name", async () => {
  const { host: ann, named, code } = await gather(donkey, { people: ["Ann", "Bartholomew", "Cleo"] });
  const bart = named("Bartholomew");
  const chat = await openChat(bart);
  await bart.device.write(chat.getByRole("textbox", { name: text.panel.write }), "My telephone number is 7");
  await bart.press(text.panel.send);
  await chat.getByText("My telephone number is 7").waitFor();
  await bart.press(text.panel.close);
  const key = () => bart.page.evaluate(() => localStorage.getItem("baize.secret"));
  const before = await key();
  const menu = await openMenu(bart);
  await bart.device.press(menu.getByRole("button", { name: text.settings.title, exact: true }));
  await bart.press(text.settings.forget);
  const sure = bart.page.getByRole("alertdialog");
  await sure.getByText(text.settings.forgetSure).waitFor();
  await expectAccessible(bart.page);
  await bart.press(text.panel.cancel);
  expect(await key()).toBe(before);
  await bart.press(text.settings.forget);
  await bart.device.press(sure.getByRole("button", { name: text.settings.forget, exact: true }));
  await bart.page.waitForURL(/\?forgotten$/);
  await bart.page.getByText(text.home.refusals["seat/forgotten"] ?? "").waitFor();
  expect(await key()).not.toBe(before);
  // The first page lists no tables, and the form has no name.
  await bart.page.getByText(text.home.resumeNone).waitFor();
  await bart.device.press(bart.page.getByRole("button", { name: `${text.home.withFriends}: ${donkey.name}` }));
  expect(await bart.page.getByRole("textbox", { name: text.name.label }).inputValue()).toBe("");
  // A new visitor reads "Somebody", and the others go on.
  await ann.page.reload();
  await ann.atTable();
  const lines = (await chatOf(ann)).join("\n");
  expect(lines).toContain("Somebody left the game");
  expect(lines).toContain("(removed)");
  expect(lines).not.toMatch(/Bartholomew|telephone/);
  const people = await openMenu(ann);
  expect(await people.getByText("Bartholomew").count()).toBe(0);
  const dora = await visitor("Dora");
  await dora.page.goto(`${dora.server}/t/${code}?watch`);
  expect((await chatOf(dora)).join("\n")).not.toMatch(/Bartholomew|telephone/);
});

test("a friend plays with a pack by its link, its maker deletes it, a stranger does not find it", async () => {
  const { host, named } = await gather(humanity, { people: ["Ann", "Ben"], lobby: true });
  const ben = named("Ben");
  await host.device.press(host.page.getByText(packsText.bring, { exact: true }));
  const name = `Quiet ${Date.now()}`;
  const rows = ["type,text", "prompt,Why _____?", "answer,A spare button"];
  await host.page
    .getByLabel(packsText.file)
    .setInputFiles({ name: `${name}.csv`, mimeType: "text/plain", buffer: Buffer.from(rows.join("\n")) });
  await host.page.getByText(packsText.imported(name)).waitFor();
  // Everybody at the table sees the packs; nobody else does.
  await ben.page.getByRole("group", { name: text.lobby.packs }).getByRole("checkbox", { name }).waitFor();
  const link = await host.page.getByRole("link", { name: packsText.page(name) }).getAttribute("href");
  const address = `${host.server}${link}`;
  const cleo = await visitor("Cleo");
  await cleo.home();
  await cleo.device.press(cleo.page.getByRole("button", { name: `${text.home.withFriends}: ${humanity.name}` }));
  const packs = cleo.page.getByRole("group", { name: text.lobby.packs }).getByRole("checkbox");
  await packs.first().waitFor();
  expect(await packs.and(cleo.page.getByLabel(name)).count()).toBe(0);
  await cleo.addPack(address);
  await expect.poll(() => packs.and(cleo.page.getByLabel(name)).isChecked()).toBe(true);
  await ben.page.goto(address);
  await ben.page.getByRole("heading", { name }).waitFor();
  expect(await ben.page.getByRole("button", { name: packsText.remove }).count()).toBe(0);
  await host.page.goto(address);
  await expectAccessible(host.page);
  await host.press(packsText.remove);
  await host.device.press(host.page.getByRole("alertdialog").getByRole("button", { name: packsText.remove }));
  await host.page.getByText(packsText.removed).waitFor();
  await ben.page.reload();
  await ben.page.getByText(packsText.unknown).waitFor();
});
