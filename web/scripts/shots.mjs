// Takes screenshots of gallery fixtures at several sizes:
//   node scripts/shots.mjs [--size phone,desktop] [--scheme dark] [name …]
// Needs the development server (npm run dev) and a Chromium (CHROMIUM, else Debian's).
import { mkdir } from "node:fs/promises";
import { fixtures, launch, options } from "./browser.mjs";

const SIZES = { phone: [360, 740], tablet: [820, 1180], desktop: [1440, 900], wall: [3840, 2160] };
const {
  size: wanted,
  scheme,
  base,
  out,
  rest,
} = options({
  size: Object.keys(SIZES).join(","),
  scheme: "dark",
  base: "http://127.0.0.1:5173",
  out: "shots",
});
const sizes = wanted.split(",");
const browser = await launch();
await mkdir(out, { recursive: true });
const names = rest.length > 0 ? rest : await fixtures(browser, base);
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
    // Sizes are measured after the first frame, so the screenshot waits until two readings agree.
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
