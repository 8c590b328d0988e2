/** Installed like an app: the manifest is right, and the shell is there when the server is not. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { visitor } from "./support/party";
import { gameNamed, Person } from "./support/person";
import { Server } from "./support/server";

const game = await gameNamed("Pig");

let server: Server;
let ann: Person;
beforeAll(async () => {
  server = await Server.start();
});
afterEach(() => ann?.leave());
afterAll(() => server?.stop());

/** A visit long enough for the page to be kept by the service worker. */
async function visited(): Promise<void> {
  ann = await Person.named("Ann", { server: server.url });
  await ann.home();
  await ann.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

const games = () => ann.page.getByRole("button", { name: game.name });

test("the browser finds nothing amiss with the manifest, and would install it", async () => {
  await visited();
  const session = await ann.context.newCDPSession(ann.page);
  const { errors, url, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(new URL(url).pathname).toBe("/manifest.webmanifest");
  const manifest = JSON.parse(data ?? "");
  expect(manifest.display).toBe("standalone");
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(new URL(src, server.url));
    expect(icon.ok, src).toBe(true);
    expect(icon.headers.get("content-type")).toBe(type);
  }
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A private window, as every window of a test is, can't install anything.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});

test("without a server the first page is there, says so in plain words, and goes on when the server is back", async () => {
  await visited();
  await games().waitFor();
  await server.kill();
  await ann.page.reload();
  await ann.page.getByText(text.home.noGames).waitFor();
  await ann.page.getByRole("heading", { name: text.brand }).waitFor();
  await server.restart();
  await ann.press(text.home.retry);
  await games().waitFor();
});

test("without a server a link to a table says what is wrong, also where only home was seen before, and leads there when the server is back", async () => {
  const ben = await visitor("Ben", { server: server.url });
  const code = await ben.make(game);
  await visited();
  // What the browser keeps by itself it may forget at any time.
  const session = await ann.context.newCDPSession(ann.page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await server.kill();
  await ann.open(code);
  await ann.giveName();
  await ann.page.getByText(text.connection.noAnswer).waitFor();
  await server.restart();
  await ann.page.getByRole("button", { name: text.lobby.copy }).waitFor({ timeout: 60_000 });
});
