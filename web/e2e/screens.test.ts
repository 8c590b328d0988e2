/** Runs axe on every screen that is not part of a game, in light and in dark, on a phone and on a desktop. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { replayText } from "../src/text/replayCatalogue";
import { expectAccessible } from "./support/axe";
import { CuttableProxy } from "./support/cuttableProxy";
import { DESKTOP, gameNamed, Person, PHONE } from "./support/person";
import { openChat, openMenu } from "./support/table";

const donkey = await gameNamed("Donkey");
const against = await gameNamed("Cards Against Humanity");

describe.sequential.each([
  { scheme: "light" as const, size: PHONE },
  { scheme: "dark" as const, size: DESKTOP },
])("$scheme, $size.viewport.width pixels wide", ({ scheme, size }) => {
  let ann: Person;
  let ben: Person;
  let proxy: CuttableProxy;
  let code = "";
  const context = { ...size, colorScheme: scheme };

  beforeAll(async () => {
    ann = await Person.named("Ann", { context });
    proxy = await CuttableProxy.to(ann.server);
    await ann.leave();
    ann = await Person.named("Ann", { context, server: proxy.url });
    ben = await Person.named("Ben", { context });
  });
  afterAll(async () => {
    await ann.leave();
    await ben.leave();
    proxy.close();
  });

  afterEach(async () => {
    // Closes whatever a failed test has left open.
    for (const { page } of [ann, ben]) {
      const close = page.getByRole("button", { name: text.panel.close });
      if (await close.isVisible()) await close.click();
    }
  });

  test("home", async () => {
    await ann.home();
    await ann.page.getByRole("button", { name: donkey.name }).first().waitFor();
    await expectAccessible(ann.page);
  });

  test("the form that makes a table, with options and packs open", async () => {
    await ann.press(`${text.home.withFriends}: ${against.name}`);
    await ann.page.getByText(text.lobby.options, { exact: true }).click();
    await expectAccessible(ann.page);
  });

  test("the lobby, with the QR code, for the lead", async () => {
    code = await ann.make(donkey);
    await ann.addBots(1);
    await ann.press(text.lobby.qr);
    await ann.page.getByRole("img", { name: text.lobby.qrAlt }).waitFor();
    await expectAccessible(ann.page);
  });

  test("the form for a name, and a refused name", async () => {
    await ben.open(code);
    await ben.device.write(ben.page.getByRole("textbox", { name: text.name.label }), "Ann");
    await expectAccessible(ben.page);
    await ben.press(text.name.go);
    await ben.page.getByRole("alert").waitFor();
    await expectAccessible(ben.page);
    await ben.giveName();
  });

  test("the lobby, for a guest", async () => {
    await ben.seated();
    await expectAccessible(ben.page);
  });

  test("chat and updates", async () => {
    const panel = await openChat(ben);
    await ben.device.write(panel.getByRole("textbox"), "Hello!");
    await ben.press(text.panel.send);
    await panel.getByText("Hello!").waitFor();
    await expectAccessible(ben.page);
    await ben.press(text.panel.close);
  });

  test("the table's menu, and the confirmation dialog", async () => {
    await openMenu(ann);
    await expectAccessible(ann.page);
    await ann.press(text.panel.abandon);
    await expectAccessible(ann.page);
    await ann.press(text.panel.cancel);
  });

  test("the rules, with the options of the table", async () => {
    await openMenu(ann);
    await ann.device.press(ann.page.getByRole("dialog").getByRole("button", { name: text.panel.rules, exact: true }));
    await ann.page.getByRole("dialog", { name: text.panel.rulesOf(donkey.name) }).waitFor();
    await expectAccessible(ann.page);
    await ann.press(text.panel.close);
  });

  test("the settings", async () => {
    await openMenu(ann);
    await ann.device.press(ann.page.getByRole("dialog").getByRole("button", { name: text.settings.title }));
    await ann.page.getByRole("dialog", { name: text.settings.title }).waitFor();
    await expectAccessible(ann.page);
    await ann.press(text.panel.close);
  });

  test("a paused table without its host; and the host's own page without a connection", async () => {
    await ann.start();
    await ben.atTable();
    proxy.cut();
    await ben.page.getByRole("alertdialog").waitFor();
    await expectAccessible(ben.page);
    await ann.page.getByText(text.connection.lost).waitFor();
    await expectAccessible(ann.page);
    proxy.restore();
    await ben.page.getByRole("alertdialog").waitFor({ state: "hidden", timeout: 20_000 });
  });

  test("a table, for a spectator", async () => {
    const cleo = await Person.named("Cleo", { context });
    await cleo.page.goto(`${cleo.server}/t/${code}?watch`);
    await cleo.atTable();
    await cleo.page.getByText(text.table.spectator).first().waitFor();
    await expectAccessible(cleo.page);
    await cleo.leave();
  });

  test("the first page after a wrong link, with unfinished tables", async () => {
    await ben.open("NOSUCH");
    await ben.page.getByRole("alert").waitFor();
    await ben.page.getByRole("button", { name: /Ann, Ben/ }).waitFor();
    await expectAccessible(ben.page);
  });

  test("the end, and the replay", async () => {
    await openMenu(ann);
    await ann.press(text.panel.end);
    await ann.press(text.table.yes);
    const banner = ann.page.getByRole("dialog").filter({ hasText: text.end.look });
    await banner.waitFor();
    await ann.press(text.panel.close).catch(() => undefined);
    await expectAccessible(ann.page);
    await ann.press(text.end.replay);
    await ann.page.getByRole("navigation", { name: replayText.title }).waitFor();
    await expectAccessible(ann.page);
    expect(ann.faults()).toEqual([]);
  });
});
