/** Getting people and packs to a table: the link copied, shared and as a QR code; the person's own packs. */
import { encode } from "uqr";
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { packsText } from "../src/text/packsCatalogue";
import { gather, visitor } from "./support/group";
import { gameNamed } from "./support/person";

const donkey = await gameNamed("Donkey");
const humanity = await gameNamed("Cards Against Humanity");

test("the QR code encodes the link to the table, and can be hidden again", async () => {
  const { host, code } = await gather(donkey, { people: ["Ann"], lobby: true });
  await host.press(text.lobby.qr);
  const picture = host.page.getByRole("img", { name: text.lobby.qrAlt });
  await picture.waitFor();
  // Reads the drawing square by square, like the camera of a phone.
  const dark = await picture.evaluate((svg) => {
    const size = (svg as SVGSVGElement).viewBox.baseVal.width;
    const path = svg.querySelector("path") as SVGPathElement;
    return Array.from({ length: size }, (_, y) =>
      Array.from({ length: size }, (_, x) => path.isPointInFill(new DOMPoint(x + 0.5, y + 0.5))),
    );
  });
  expect(dark).toEqual(encode(`${host.server}/t/${code}`, { border: 2 }).data);
  const { width = 0 } = (await picture.boundingBox()) ?? {};
  expect(width / dark.length).toBeGreaterThan(3);
  await host.press(text.lobby.qrHide);
  await picture.waitFor({ state: "hidden" });
});

test("a device that can share has a share button; other devices have none", async () => {
  const ann = await visitor("Ann", { device: "touch" });
  await ann.context.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(globalThis, { shared });
    Object.defineProperty(navigator, "share", { value: async (what: unknown) => void shared.push(what) });
  });
  const code = await ann.make(donkey);
  await ann.press(text.lobby.share);
  const shared = () => ann.page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared);
  await expect.poll(shared).toEqual([{ url: `${ann.server}/t/${code}`, title: text.brand }]);
  const ben = await visitor("Ben");
  await ben.context.addInitScript(() => delete (Navigator.prototype as { share?: unknown }).share);
  await ben.openAndSit(code);
  await ben.page.getByRole("button", { name: text.lobby.copy }).waitFor();
  expect(await ben.page.getByRole("button", { name: text.lobby.share }).count()).toBe(0);
});

test("the link is copied; if that is not allowed, the link is shown to be copied by hand", async () => {
  const ann = await visitor("Ann", { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const code = await ann.make(donkey);
  await ann.press(text.lobby.copy);
  await ann.page.getByRole("button", { name: text.lobby.copied }).waitFor();
  expect(await ann.page.evaluate(() => navigator.clipboard.readText())).toBe(`${ann.server}/t/${code}`);
  const ben = await visitor("Ben");
  await ben.context.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await ben.openAndSit(code);
  await ben.press(text.lobby.copy);
  expect(await ben.page.getByRole("textbox", { name: text.lobby.link }).inputValue()).toBe(`${ann.server}/t/${code}`);
});

test("a broken pack file is explained line by line; a good one is chosen and shown to everybody", async () => {
  const { host, named } = await gather(humanity, { people: ["Ann", "Ben"], lobby: true });
  const ben = named("Ben");
  await host.device.press(host.page.getByText(packsText.bring, { exact: true }));
  const file = host.page.getByLabel(packsText.file);
  const bring = (name: string, body: string) =>
    file.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(body) });
  await bring("broken.json", '{ "id": "broken", "name": "Broken", "cards": { "prompt": [{ "text": 7 }] } }');
  await host.page.getByRole("alert").waitFor();
  expect(await host.page.getByRole("list").filter({ hasText: "cards.prompt" }).getByRole("listitem").count()).toBe(1);
  const name = `Home made ${Date.now()}`;
  const rows = ["type,text", "prompt,Why _____?", "answer,A spare button", "answer,The neighbour's cat"];
  await bring(`${name}.csv`, rows.join("\n"));
  await host.page.getByText(packsText.imported(name)).waitFor();
  const box = host.page.getByRole("group", { name: text.lobby.packs }).getByRole("checkbox", { name });
  await expect.poll(() => box.isChecked()).toBe(true);
  await ben.page.reload();
  await ben.seated();
  const seen = ben.page.getByRole("group", { name: text.lobby.packs }).getByRole("checkbox", { name });
  await expect.poll(() => seen.isChecked()).toBe(true);
  expect(await seen.isDisabled()).toBe(true);
});
