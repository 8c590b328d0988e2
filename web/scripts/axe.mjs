// Runs axe on every page of the gallery, at phone and desktop size: node scripts/axe.mjs [name …]
// Needs the development server. Fails on anything serious.
import { readFile } from "node:fs/promises";
import { fixtures, launch } from "./browser.mjs";

const base = process.env.BASE ?? "http://127.0.0.1:5173";
const source = await readFile("node_modules/axe-core/axe.min.js", "utf8");
const browser = await launch();
const given = process.argv.slice(2);
const names = given.length > 0 ? given : await fixtures(browser, base);
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };
let serious = 0;
for (const [size, scheme] of [
  ["phone", "dark"],
  ["phone", "light"],
  ["desktop", "dark"],
  ["desktop", "light"],
]) {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme: scheme, reducedMotion: "reduce" });
  for (const name of names) {
    await page.goto(`${base}/gallery/${name}`);
    await page.waitForSelector("main");
    await page.waitForTimeout(400);
    await page.evaluate(source);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, impact, nodes } of violations) {
      if (impact !== "serious" && impact !== "critical") continue;
      serious += 1;
      console.log(
        `${name} (${size}, ${scheme}): ${id}, ${nodes.length} × ${nodes[0].target} ${nodes[0].failureSummary.split("\n")[1] ?? ""}`,
      );
    }
  }
  await page.close();
}
await browser.close();
console.log(`${serious} serious findings`);
process.exit(serious > 0 ? 1 : 0);
