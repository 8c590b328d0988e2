// What axe finds on every page of the gallery, at phone and desktop size: node scripts/axe.mjs [name …]
// Needs the development server. Fails on anything serious.
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const base = process.env.BASE ?? "http://127.0.0.1:5173";
const source = await readFile("node_modules/axe-core/axe.min.js", "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
let names = process.argv.slice(2);
if (names.length === 0) {
  const page = await browser.newPage();
  await page.goto(`${base}/gallery`);
  await page.waitForSelector("li a");
  names = await page.$$eval("li a", (links) => links.map((link) => link.textContent));
}
let serious = 0;
for (const scheme of ["dark", "light"]) {
  const page = await browser.newPage({
    viewport: { width: 820, height: 1180 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
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
        `${name} (${scheme}): ${id}, ${nodes.length} × ${nodes[0].target} ${nodes[0].failureSummary.split("\n")[1] ?? ""}`,
      );
    }
  }
  await page.close();
}
await browser.close();
console.log(`${serious} serious findings`);
process.exit(serious > 0 ? 1 : 0);
