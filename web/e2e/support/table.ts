/** Reads the table in a person's window. */
import type { Locator, Page } from "playwright-core";
import { text } from "../../src/text/catalogue";
import { logText } from "../../src/text/logCatalogue";
import type { Person } from "./person";

/** Another player's seat. */
export const seatOf = ({ page }: Person, name: string): Locator =>
  page.getByRole("region", { name: new RegExp(`^${name}(,|$)`) });

/** The number of cards that another player holds, from the label of the hand. */
export async function cardCountOf(viewer: Person, name: string): Promise<number> {
  const label = await seatOf(viewer, name)
    .getByRole("img", { name: new RegExp(`^${name}: \\d+ cards?$`) })
    .getAttribute("aria-label");
  return Number(/: (\d+) cards?$/.exec(label ?? "")?.[1]);
}

/** The name of a thing in its label: "7 of spades" in "3 of 12: play 7 of spades". */
export const nameInLabel = (label: string): string =>
  label
    .replace(/^\d+ of \d+: /, "")
    .replace(/\. [^.]*\.$/, "")
    .replace(/^play /i, "");

/** The viewer's own cards by name, in order. */
export async function handOf({ page }: Person): Promise<string[]> {
  const labels = await ownCards(page).evaluateAll((cards) =>
    cards.map((card) => (card.querySelector("button") ?? card).getAttribute("aria-label") ?? ""),
  );
  return labels.map(nameInLabel);
}

/** Played cards with the names of their players. */
export async function readPlayedCards({ page }: Person): Promise<{ card: string; by: string }[]> {
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

/** Cards that lie towards the players who played them. */
export const inTheMiddle = (page: Page): Locator => page.locator("[data-shape=towards] [data-handle]");

/** Between two segments of a batch cards lie on the table and no player has a decision. */
export const isBetweenSegments = async ({ page }: Person): Promise<boolean> =>
  (await page
    .locator("[data-decision]")
    .or(page.getByText(text.table.turnOf("")))
    .count()) === 0;

export const cloth = ({ page }: Person): Locator => page.getByRole("region", { name: text.table.cloth });

/** The status in the top bar. */
export const statusOf = ({ page }: Person): Promise<string> =>
  page
    .locator("header p")
    .first()
    .textContent()
    .then((words) => words ?? "");

export const endBanner = ({ page }: Person): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("button", { name: text.end.look }) });

/** The lines of the chat panel; opens the panel and closes it again. */
export async function chatOf(person: Person): Promise<string[]> {
  const panel = await openChat(person);
  const lines = await panel.getByRole("log").locator(".chat-line").allTextContents();
  await person.press(text.panel.close);
  await panel.waitFor({ state: "hidden" });
  return lines.map((line) => line.trim());
}

/** The log beside the table of a wide window. */
export const logOf = ({ page }: Person): Locator => page.getByRole("complementary", { name: logText.title });

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
