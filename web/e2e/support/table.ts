/** What can be read off a table in somebody's window. */
import type { Locator, Page } from "playwright-core";
import { text } from "../../src/text/catalogue";
import type { Person } from "./person";

/** Another player's place. */
export const seatOf = ({ page }: Person, name: string): Locator =>
  page.getByRole("region", { name: new RegExp(`^${name}(,|$)`) });

/** How many cards another player holds, as it is told there. */
export async function heldBy(viewer: Person, name: string): Promise<number> {
  const label = await seatOf(viewer, name)
    .getByRole("img", { name: new RegExp(`^${name}: \\d+ cards?$`) })
    .getAttribute("aria-label");
  return Number(/: (\d+) cards?$/.exec(label ?? "")?.[1]);
}

/** What something is, out of what is told about it: "3 of 12: play 7 of spades". */
export const named = (label: string): string =>
  label
    .replace(/^\d+ of \d+: /, "")
    .replace(/\. [^.]*\.$/, "")
    .replace(/^play /i, "");

/** The viewer's own cards by name, in the order in which they lie. */
export async function handOf({ page }: Person): Promise<string[]> {
  const labels = await ownCards(page).evaluateAll((cards) =>
    cards.map((card) => (card.querySelector("button") ?? card).getAttribute("aria-label") ?? ""),
  );
  return labels.map(named);
}

/** Cards that lie on the table towards their players: name of the card and of the player. */
export async function played({ page }: Person): Promise<{ card: string; by: string }[]> {
  const labels = await inTheMiddle(page).evaluateAll((cards) => cards.map((c) => c.getAttribute("aria-label") ?? ""));
  return labels.map((label) => {
    const [card = "", by = ""] = label.split(", ");
    return { card, by };
  });
}

export const middle = async (what: Locator): Promise<{ x: number; y: number }> => {
  const box = await what.boundingBox();
  if (!box) throw new Error(`${what} is not to be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export const distance = (a: { x: number; y: number }, b: { x: number; y: number }): number =>
  Math.hypot(a.x - b.x, a.y - b.y);

/** The viewer's own plate. */
export const ownPlace = ({ page }: Person): Locator => page.getByRole("group", { name: text.table.you, exact: true });

/** The cards in the viewer's hand. */
export const ownCards = (page: Page): Locator =>
  page.getByRole("region", { name: text.table.mine }).getByRole("list").locator("[data-handle]");

/** Cards that were played towards their players. */
export const inTheMiddle = (page: Page): Locator => page.locator("[data-shape=towards] [data-handle]");

/** What was just played lies there before it is taken away: nobody is waited for. */
export const isResting = async ({ page }: Person): Promise<boolean> =>
  (await page
    .locator("[data-decision]")
    .or(page.getByText(text.table.turnOf("")))
    .count()) === 0;

export const cloth = ({ page }: Person): Locator => page.getByRole("region", { name: text.table.cloth });

/** What the table's head says about the game. */
export const statusOf = ({ page }: Person): Promise<string> =>
  page
    .locator("header p")
    .first()
    .textContent()
    .then((words) => words ?? "");

export const endBanner = ({ page }: Person): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("button", { name: text.end.look }) });

/** The lines of the chat panel, which is opened for it and closed again. */
export async function chatOf(person: Person): Promise<string[]> {
  const panel = await openChat(person);
  const lines = await panel.getByRole("log").locator(".chat-line").allTextContents();
  await person.press(text.panel.close);
  await panel.waitFor({ state: "hidden" });
  return lines.map((line) => line.trim());
}

export async function openChat(person: Person): Promise<Locator> {
  await person.press(new RegExp(`^${text.panel.open}`));
  const panel = person.page.getByRole("dialog", { name: text.panel.title });
  await panel.waitFor();
  return panel;
}

export async function openMenu(person: Person): Promise<Locator> {
  await person.press(text.panel.menu);
  const panel = person.page.getByRole("dialog", { name: text.panel.people });
  await panel.waitFor();
  return panel;
}
