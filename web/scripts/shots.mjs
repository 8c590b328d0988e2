// Pictures of gallery fixtures at several sizes, for eyes: node scripts/shots.mjs [--size phone,desktop] [--scheme dark] [name …]
// Needs the development server (npm run dev) and a Chromium (CHROMIUM, else Debian's).
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";

const SIZES = { phone: [360, 740], tablet: [820, 1180], desktop: [1440, 900], wall: [3840, 2160] };
const args = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : args.splice(at, 2)[1];
};
const sizes = option("size", Object.keys(SIZES).join(",")).split(",");
const scheme = option("scheme", "dark");
const base = option("base", "http://127.0.0.1:5173");
const out = option("out", "shots");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
await mkdir(out, { recursive: true });
let names = args;
if (names.length === 0) {
  const page = await browser.newPage();
  await page.goto(`${base}/gallery`);
  await page.waitForSelector("li a");
  names = await page.$$eval("li a", (links) => links.map((link) => link.textContent));
  await page.close();
}
for (const size of sizes) {
  const [width, height] = SIZES[size];
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: size === "phone",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.log(size, message.text()));
  page.on("pageerror", (error) => console.log(size, error.message));
  for (const name of names) {
    await page.goto(name.startsWith("/") ? base + name : `${base}/gallery/${name}`);
    await page.waitForSelector("main, ul");
    await page.evaluate(() => document.fonts.ready);
    // Sizes are measured after the first frame; a picture is taken when two in a row agree.
    for (let before = "", now = "x"; before !== now; ) {
      before = now;
      await page.waitForTimeout(350);
      now = await page.evaluate(() =>
        [...document.querySelectorAll("[style]")].map((e) => e.getAttribute("style")).join(),
      );
    }
    const file = `${out}/${name.replaceAll("/", "_")}-${size}${scheme === "dark" ? "" : "-light"}.png`;
    await page.screenshot({ path: file, timeout: 120_000 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) console.log(`${name} at ${size}: wider than the screen`);
  }
  await context.close();
}
await browser.close();
