/** A failed test leaves what everybody saw: a picture, the page as text, and the console, in `failures/`. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { present } from "./person";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const name = `${task.file.name.replace(/\W+/g, "-")} ${task.name.replace(/[^\w ]+/g, "").slice(0, 80)}`;
  const folder = fileURLToPath(new URL(`../failures/${name}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  const errors = task.result.errors?.map(({ message, stack }) => `${message}\n${stack ?? ""}`) ?? [];
  await writeFile(`${folder}error.txt`, errors.join("\n"));
  await Promise.all(
    [...present].map(async ({ name, page, console, heard }) => {
      const file = `${folder}${name}`;
      await page.screenshot({ path: `${file}.png`, timeout: 5000 }).catch(() => undefined);
      const seen = await page
        .locator("body")
        .ariaSnapshot({ timeout: 5000 })
        .catch(() => "(the page is gone)");
      const last = heard.slice(-20).map((payload) => payload.slice(0, 2000));
      await writeFile(`${file}.txt`, [page.url(), seen, "— console", ...console, "— heard", ...last].join("\n"));
    }),
  );
});
