/** The installed app: the manifest is valid, and the app starts without the server. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { visitor } from "./support/group";
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

/** Stays on the page until the service worker has kept it. */
async function visitUntilKept(): Promise<void> {
  ann = await Person.named("Ann", { server: server.url });
  await ann.home();
  await ann.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

const games = () => ann.page.getByRole("button", { name: `${text.home.playNow}: ${game.name}` });

test("the browser accepts the manifest and would install the app", async () => {
  await visitUntilKept();
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
  // A test's window is private, and a private window can't install anything.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});

test("without a server the first page still opens, says so, and continues when the server is back", async () => {
  await visitUntilKept();
  await games().waitFor();
  await server.kill();
  await ann.page.reload();
  await ann.page.getByText(text.home.noGames).waitFor();
  await ann.page.getByRole("heading", { name: text.brand }).waitFor();
  await server.restart();
  await ann.press(text.home.retry);
  await games().waitFor();
});

test("without a server a link to a table says what is wrong, even if only the first page was visited, and works when the server is back", async () => {
  const ben = await visitor("Ben", { server: server.url });
  const code = await ben.make(game);
  await visitUntilKept();
  // The browser's own cache may lose files at any time, so the test switches it off.
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
