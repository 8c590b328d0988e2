/**
 * The work of a game designer: `baize dev FILE`, a mistake, its correction, and the same seats with the new version.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { text } from "../src/text/catalogue";
import { workshopText } from "../src/text/workshopCatalogue";
import { visitor } from "./support/group";
import { Server } from "./support/server";
import { openMenu } from "./support/table";

const GAME = `game "Coin"
players 2..4

state
  score[player]: 0..9 = 0

repeat 3 times
  circle p from first player
    ask p "Go on"
      go "Go"
        score[p] += 1

end ranking by score highest first
`;

test("mistakes in a changed file are shown at the table and on its page, and the lead restarts when they are corrected", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baize-games-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "coin.baize");
  await writeFile(file, GAME);
  const server = await Server.workshop(file);
  onTestFinished(() => server.stop());

  const ann = await visitor("Ann", { server: server.url });
  await ann.page.goto(`${server.url}/dev`);
  await ann.page.getByRole("status").getByText(workshopText.fine("Coin")).waitFor();
  await ann.device.press(ann.page.getByRole("button", { name: `${text.home.withFriends}: Coin` }));
  await ann.device.write(ann.page.getByRole("textbox", { name: text.name.label }), "Ann");
  await ann.press(text.home.create);
  await ann.addBots(1);
  await ann.start();
  const desk = await visitor("Dora", { server: server.url });
  await desk.page.goto(`${server.url}/dev`);

  await writeFile(file, GAME.replace("score[p] += 1", "skore[p] += 1"));
  // The designer sees the mistake at the table, on the page of the file, and in the terminal.
  for (const { page } of [ann, desk]) {
    const problem = page.getByRole("listitem").filter({ hasText: "line 11, column 9" });
    await problem.waitFor();
    expect(await problem.locator("mark").innerText()).toBe("skore");
    expect(await problem.innerText()).toContain("score");
  }
  await ann.page.getByText(text.newRules.mistakes).waitFor();
  await desk.page.getByRole("status").getByText(workshopText.broken(1)).waitFor();
  expect(server.log.join("")).toMatch(/coin\.baize:11:9/);
  // The game goes on meanwhile, and the notice can be dismissed.
  await ann.press(text.newRules.later);
  await ann.page.getByText(text.newRules.mistakes).waitFor({ state: "hidden" });
  await ann.press("Go");

  await writeFile(file, GAME.replace('"Coin"', '"Coin II"').replace("+= 1", "+= 2"));
  await ann.page.getByText(text.newRules.there).waitFor();
  await ann.press(text.newRules.restart);
  await ann.press(text.table.yes);
  await ann.page.getByRole("heading", { level: 1, name: "Coin II" }).waitFor();
  await ann.press("Go");
  await openMenu(ann);
  expect(await ann.page.getByText(text.newRules.there).count()).toBe(0);
  await desk.page.getByRole("status").getByText(workshopText.fine("Coin II")).waitFor();
});
