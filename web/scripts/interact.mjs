// Uses mouse, finger and keyboard on gallery fixtures in a real browser: node scripts/interact.mjs
// Needs the development server. Each printed line is one behaviour; the script stops at the first failure.
import assert from "node:assert/strict";
import { launch } from "./browser.mjs";

const base = process.env.BASE ?? "http://127.0.0.1:5173";
const browser = await launch();
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Opens a fixture, runs the steps, and returns the actions that the page wanted to send. */
async function check(behaviour, fixture, device, steps) {
  const context = await browser.newContext({ ...device, reducedMotion: "reduce" });
  const page = await context.newPage();
  const sent = [];
  page.on("console", (message) => {
    if (message.text().startsWith("send ")) sent.push(JSON.parse(message.text().slice(5)));
  });
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(`${base}/gallery/${fixture}`);
  await page.waitForSelector("[data-decision]");
  await page.waitForTimeout(400);
  const settle = () => page.waitForTimeout(80);
  const tap = async (selector) => {
    const box = await page.locator(selector).first().boundingBox();
    await page.touchscreen.tap(box.x + 10, box.y + 20);
    await settle();
  };
  await steps({ page, sent, settle, tap, chosen: () => page.locator(".is-chosen").count() });
  console.log(`ok  ${behaviour}`);
  await context.close();
}

const edge = { position: { x: 12, y: 40 } };

await check("a click plays a card", "trick", desktop, async ({ page, sent, settle }) => {
  await page.click(".hand .is-open .hit >> nth=1", edge);
  await settle();
  assert.deepEqual(sent[0].parts, [{ card: 2 }]);
});
await check("a dimmed card says why", "trick", desktop, async ({ page, sent }) => {
  await page.click(".hand .is-blocked .hit >> nth=2", { ...edge, force: true });
  assert.match(await page.textContent(".decision-reason"), /follow suit/);
  assert.equal(sent.length, 0);
});
await check(
  "a tap selects, elsewhere clears, the same tap again plays",
  "trick",
  phone,
  async ({ page, sent, settle, tap, chosen }) => {
    await tap(".hand .is-open .hit");
    assert.equal(await chosen(), 1);
    await page.touchscreen.tap(180, 330);
    await settle();
    assert.equal(await chosen(), 0);
    await tap(".hand .is-open .hit");
    await tap(".hand .is-chosen .hit");
    assert.deepEqual(sent[0].parts, [{ card: 1 }]);
  },
);
await check("arrows move the focus, Enter plays", "trick", desktop, async ({ page, sent, settle }) => {
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^2 of 13: /);
  await page.keyboard.press("Enter");
  await settle();
  assert.deepEqual(sent[0].parts, [{ card: 2 }]);
});
await check("a digit selects, Escape clears", "trick", desktop, async ({ page, sent, settle, chosen }) => {
  await page.keyboard.press("3");
  await settle();
  assert.equal(await chosen(), 1);
  await page.keyboard.press("Escape");
  await settle();
  assert.equal(await chosen(), 0);
  assert.equal(sent.length, 0);
});
await check("a set is selected as a set", "sets", desktop, async ({ page, sent, settle, chosen }) => {
  await page.click(".hand .is-open .hit >> nth=1", edge);
  assert.equal(await chosen(), 3);
  await page.click(".decision-controls >> text=Play");
  await settle();
  assert.equal(sent[0].parts[0].cards.length, 3);
});
await check("a pile first, then the call", "grid", desktop, async ({ page, sent, settle }) => {
  assert.equal(await page.isDisabled("text=Higher"), true);
  await page.click(".grid .is-open .hit >> nth=2");
  await page.click("text=Higher");
  await settle();
  assert.deepEqual(sent[0].parts, [{ number: 4 }, { number: 0 }]);
});
await check(
  "numbered slots fill the prompt, are reordered by dragging, and submit at the right count",
  "reading",
  desktop,
  async ({ page, sent, settle }) => {
    const play = ".decision-controls >> text=Play";
    await page.click(".hand-reading .hit >> nth=3");
    assert.equal(await page.isDisabled(play), true);
    await page.click(".hand-reading .hit >> nth=0");
    assert.match(await page.textContent(".prompt-panel"), /letter to the moon.*pigeon/);
    const [one, two] = [
      await page.locator(".slot >> nth=0").boundingBox(),
      await page.locator(".slot >> nth=1").boundingBox(),
    ];
    await page.mouse.move(one.x + 60, one.y + 20);
    await page.mouse.down();
    await page.mouse.move(two.x + 60, two.y + 20, { steps: 6 });
    await page.mouse.up();
    assert.match(await page.textContent(".prompt-panel"), /pigeon.*letter to the moon/);
    await page.click(play);
    await settle();
    assert.deepEqual(sent[0].parts, [{ cards: [1, 4] }]);
  },
);
await check("a card is drawn from a face-down fan", "unseen", phone, async ({ sent, tap }) => {
  await tap(".unseen-fan .hit");
  await tap(".unseen-fan .is-chosen .hit");
  assert.deepEqual(sent[0].parts, [{ number: 0 }]);
});
await check("dice are kept", "cups", desktop, async ({ page, sent, settle }) => {
  await page.click(".tray-die .hit >> nth=1");
  await page.click(".tray-die .hit >> nth=3");
  await page.click("text=Throw the others");
  await settle();
  assert.deepEqual(sent[0].parts, [{ number: 0b1010 }]);
});
await check("a player is chosen at the table", "cups", desktop, async ({ page, sent, settle }) => {
  await page.click(".seat-plate .hit >> nth=1");
  await settle();
  assert.deepEqual(sent[0].parts, [{ number: 2 }]);
});
await check("the score sheet is beside the table where there is room", "sheet", desktop, async ({ page }) => {
  assert.equal(await page.locator("aside .score-sheet tbody tr").count(), 8);
  assert.equal(await page.locator(".score-sheet-open").count(), 0);
  const [sheet, felt] = [
    await page.locator(".score-sheet-aside").boundingBox(),
    await page.locator(".felt").boundingBox(),
  ];
  assert.ok(felt.x + felt.width <= sheet.x);
});
await check("on a phone a button opens it", "sheet", phone, async ({ page, settle }) => {
  assert.equal(await page.locator(".score-sheet").count(), 0);
  await page.locator(".score-sheet-open").tap();
  await settle();
  assert.equal(await page.locator("[role=dialog] .score-sheet thead th").count(), 6);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".score-sheet").count(), 0);
});
await check("sets on the table cover no seat", "melds", desktop, async ({ page }) => {
  const boxes = await page
    .locator(".middle-piles .pile, .answer")
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
  const seats = await page
    .locator(".seat-plate")
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
  assert.ok(boxes.length === 10 && seats.length === 3);
  for (const a of [
    ...seats,
    await page
      .locator(".decision-prompt")
      .boundingBox()
      .then((b) => ({ ...b, left: b.x, top: b.y, right: b.x + b.width, bottom: b.y + b.height })),
  ]) {
    for (const b of boxes) assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
  }
});
await check("what is picked survives other players' moves", "reading", phone, async ({ page, tap, settle }) => {
  await tap(".hand-reading .hit");
  await page.evaluate(() => {
    const { view } = globalThis.store.get();
    globalThis.store.apply({
      seq: view.seq + 1,
      cause: { move: { seat: 2 } },
      events: [{ status: { lines: [[{ text: "Round 5" }]] } }],
    });
    globalThis.store.show({ ...globalThis.store.get().view });
  });
  await settle();
  assert.match(await page.textContent(".slot"), /pigeon/);
});
await browser.close();
