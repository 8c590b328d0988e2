/**
 * After a failed test, writes to `failures/` what every person saw: a screenshot, the page as text, the console and
 * the last messages.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { openPeople } from "./person";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const name = `${task.file.name.replace(/\W+/g, "-")} ${task.name.replace(/[^\w ]+/g, "").slice(0, 80)}`;
  const folder = fileURLToPath(new URL(`../failures/${name}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  const errors = task.result.errors?.map(({ message, stack }) => `${message}\n${stack ?? ""}`) ?? [];
  await writeFile(`${folder}error.txt`, errors.join("\n"));
  await Promise.all(
    [...openPeople].map(async ({ name, page, console, received }) => {
      const file = `${folder}${name}`;
      await page.screenshot({ path: `${file}.png`, timeout: 5000 }).catch(() => undefined);
      const seen = await page
        .locator("body")
        .ariaSnapshot({ timeout: 5000 })
        .catch(() => "(the page is gone)");
      const last = received.slice(-20).map((payload) => payload.slice(0, 2000));
      await writeFile(`${file}.txt`, [page.url(), seen, "— console", ...console, "— received", ...last].join("\n"));
    }),
  );
});
