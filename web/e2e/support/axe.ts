/** Checks accessibility with axe. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails if axe finds anything serious on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => {
    // A modal dims the page behind it on purpose, so that page is left out.
    const modal = document.querySelector<HTMLElement>("[aria-modal=true]");
    return (globalThis as unknown as { axe: typeof axe }).axe.run(modal ?? document);
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary, html }) => `${id}: ${target} ${html.slice(0, 200)}\n${failureSummary}`),
  );
  expect(told.join("\n")).toBe("");
}
