/** A button must not move away from under a mouse at its edge. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { gather } from "./support/group";
import { isHoveredThroughout, lowerEdge } from "./support/hover";
import { gameNamed, Person } from "./support/person";

const pig = await gameNamed("Pig");

/** Returns the texts of the visible buttons that move away from under a mouse at their lower edge. */
async function slipping(person: Person, within: Locator): Promise<string[]> {
  const slipped: string[] = [];
  for (const button of await within.getByRole("button").filter({ visible: true }).all()) {
    if (await button.isDisabled()) continue;
    await button.scrollIntoViewIfNeeded();
    await person.page.mouse.move(2, 2);
    const { x, y } = await button.evaluate(lowerEdge);
    // The mouse comes from below, so that it reaches the edge before the middle.
    await person.page.mouse.move(x, y + 30);
    await person.page.mouse.move(x, y);
    if (!(await button.evaluate(isHoveredThroughout))) slipped.push((await button.innerText()).split("\n")[0] ?? "");
  }
  return slipped;
}

test("a mouse at the lower edge of a button on the first page stays on it", async () => {
  const ann = await Person.named("Ann", { context: { reducedMotion: "no-preference" } });
  try {
    await ann.home();
    await ann.page.getByRole("button", { name: pig.name }).first().waitFor();
    expect(await slipping(ann, ann.page.locator("main"))).toEqual([]);
  } finally {
    await ann.leave();
  }
});

test("a mouse at the lower edge of a button in the lobby or at the table stays on it", async () => {
  const { people, host } = await gather(pig, { people: ["Ann", "Ben"], lobby: true, motion: true });
  expect(await slipping(host, host.page.locator("main"))).toEqual([]);
  await host.start();
  const decisions = people.map((person) => ({ person, decision: person.page.locator("[data-decision]") }));
  const asked = decisions.map(({ person, decision }) => decision.waitFor().then(() => ({ person, decision })));
  const { person, decision } = await Promise.any(asked);
  expect(await slipping(person, decision)).toEqual([]);
});
