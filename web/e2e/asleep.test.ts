/** A page that was offline, or asleep with its device, for an hour comes back by itself. The tests drive its clock. */
import { expect, inject, onTestFinished, test } from "vitest";
import { text } from "../src/text/catalogue";
import { CuttableProxy } from "./support/cuttableProxy";
import { visitor } from "./support/group";
import { gameNamed, type Person } from "./support/person";
import { GameDriver, readDecision } from "./support/player";

const highLow = await gameNamed("High/Low");
const HOUR_MS = 3_600_000;

/** A person at a table, whose network can be cut and whose page has a clock that the test drives. */
async function atTable(): Promise<{ ann: Person; proxy: CuttableProxy }> {
  const proxy = await CuttableProxy.to(inject("server"));
  onTestFinished(() => proxy.close());
  const ann = await visitor("Ann", { server: proxy.url });
  await ann.page.clock.install();
  await ann.make(highLow);
  await ann.start();
  await expect.poll(() => readDecision(ann)).not.toBeNull();
  return { ann, proxy };
}

const lost = (ann: Person) => ann.page.getByText(text.connection.lost);

/** The table is connected: the server takes an answer, and the next decision opens. */
async function expectBack(ann: Person): Promise<void> {
  await lost(ann).waitFor({ state: "hidden" });
  const driver = new GameDriver([ann]);
  const moved = () => [...driver.moves.values()].some((moves) => moves > 0);
  await driver.until(moved);
}

test("a page that was offline for an hour comes back by itself, and the game goes on", async () => {
  const { ann, proxy } = await atTable();
  proxy.cut();
  await lost(ann).waitFor();
  await ann.page.clock.fastForward(HOUR_MS);
  await lost(ann).waitFor();
  proxy.restore();
  // The pause between two attempts is never longer than this.
  await ann.page.clock.fastForward(20_000);
  await expectBack(ann);
});

test("a page that slept for an hour notices that its connection is dead, and comes back", async () => {
  const { ann, proxy } = await atTable();
  // A device that sleeps learns nothing of a connection that dies meanwhile.
  proxy.freeze();
  await ann.page.clock.fastForward(HOUR_MS);
  proxy.thaw();
  await ann.page.clock.fastForward(10_000);
  await expectBack(ann);
});
