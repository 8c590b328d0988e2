/** donkey.md, "Deal" and "Visualizations": one test for each line of the lists. */
import { expect, test } from "vitest";
import { text } from "../src/text/catalogue";
import { Pointer } from "./support/device";
import { gather, visitor } from "./support/group";
import { isHoveredThroughout, lowerEdge } from "./support/hover";
import { gameNamed, type Person, PHONE } from "./support/person";
import { GameDriver, readDecision, type Strategy } from "./support/player";
import {
  cardCountOf,
  cloth,
  distance,
  handOf,
  inTheMiddle,
  isBetweenSegments,
  logOf,
  middle,
  nameInLabel,
  ownCards,
  ownPlace,
  readPlayedCards,
  seatOf,
} from "./support/table";

const donkey = await gameNamed("Donkey");
const SUITS = ["diamonds", "clubs", "hearts", "spades"];
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"];
const ACE = "ace of spades";

const rankOf = (card: string) => RANKS.indexOf(card.split(" of ")[0] ?? "");
const suitOf = (card: string) => SUITS.indexOf(card.split(" of ")[1] ?? "");
const isCard = (name: string) => rankOf(name) >= 0 && suitOf(name) >= 0;

const notice = ({ page }: Person) => page.getByRole("status").filter({ hasText: "Ace of Spades" });
/** The seats in the order of the window, which is the playing order beginning after the viewer. */
const around = ({ page }: Person) => page.locator("[data-seat]");

test("donkey.md, Deal: each seat shows the letters of its player and a green or red dot", async () => {
  const { host: ann, people } = await gather(donkey, {
    people: ["Ann", "Ben"],
    bots: 1,
    table: { fields: { "The word that loses": "DO" } },
  });
  const ben = people[1] as Person;
  const letters = ann.page.getByRole("main").getByRole("img", { name: /^(D|DO)$/ });
  expect(await letters.count()).toBe(0);
  const dot = seatOf(ann, "Ben")
    .getByRole("img", { name: new RegExp(`^(${text.table.online}|${text.table.offline})$`) })
    .locator("[aria-hidden]")
    .last();
  const green = await dot.evaluate((element) => getComputedStyle(element).fill);
  await new GameDriver(people).until(async () => (await letters.count()) > 0);
  expect(await letters.first().getAttribute("aria-label")).toBe("D");
  await ben.page.close();
  await seatOf(ann, "Ben").getByRole("img", { name: text.table.offline }).waitFor();
  const red = await dot.evaluate((element) => getComputedStyle(element).fill);
  const [r = 0, g = 0] = (red.match(/[\d.]+/g) ?? []).map(Number);
  const [gr = 0, gg = 0] = (green.match(/[\d.]+/g) ?? []).map(Number);
  expect(r, red).toBeGreaterThan(g);
  expect(gg, green).toBeGreaterThan(gr);
});

test("donkey.md, Deal: the viewer sits at the bottom centre, the others in playing order round the table", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"], bots: 2 });
  const first = await around(people[0] as Person).evaluateAll((seats) =>
    seats.map((s) => s.getAttribute("aria-label")?.split(",")[0] ?? ""),
  );
  const order = ["Ann", ...first];
  for (const viewer of people) {
    const me = order.indexOf(viewer.name);
    const expected = [1, 2, 3].map((step) => order[(me + step) % 4]);
    // The log stands beside the table in a window of this width.
    const ground = viewer.page.locator(".table-ground");
    const [{ x: centre }, width] = [await middle(ground), (await ground.boundingBox())?.width ?? 0];
    expect(width).toBeGreaterThan(900);
    const own = await middle(ownPlace(viewer));
    expect(Math.abs(own.x - centre)).toBeLessThan(width * 0.1);
    const [left, top, right] = await Promise.all(expected.map((name) => middle(seatOf(viewer, name ?? ""))));
    if (!left || !top || !right) throw new Error("three others");
    for (const place of [left, top, right]) expect(place.y).toBeLessThan(own.y);
    expect(left.x - centre).toBeLessThan(-width * 0.1);
    expect(right.x - centre).toBeGreaterThan(width * 0.1);
    expect(Math.abs(top.x - centre)).toBeLessThan(width * 0.1);
    expect(top.y).toBeLessThan(Math.min(left.y, right.y));
  }
});

test("donkey.md, Deal: the 52 cards are dealt clockwise, one by one, to all players", async () => {
  const { host } = await gather(donkey, { people: ["Ann"], bots: 4 });
  const names = await around(host).evaluateAll((seats) =>
    seats.map((s) => s.getAttribute("aria-label")?.split(",")[0] ?? ""),
  );
  // While Ann has a decision nobody else moves, so everything is read at one moment.
  await host.page.locator("[data-target]").first().waitFor();
  const lying = await readPlayedCards(host);
  const counts = [
    (await handOf(host)).length,
    ...(await Promise.all(names.map((name) => cardCountOf(host, name)))),
  ].map((held, i) => held + lying.filter(({ by }) => by === (i === 0 ? "Ann" : names[i - 1])).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(52);
  // Two of five players get an eleventh card: the first two of the deal, who are neighbours.
  expect([...counts].sort()).toEqual([10, 10, 10, 11, 11]);
  const last = counts.findIndex((count, i) => count === 11 && counts[(i + 1) % 5] === 10);
  expect(counts[(last + 4) % 5]).toBe(11);
});

test("donkey.md, Deal: only the viewer sees the viewer's cards; others' cards are a fan of backs with a count", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const hands = new Map(await Promise.all(people.map(async (p) => [p.name, await handOf(p)] as const)));
  expect([...hands.values()].flat().every(isCard)).toBe(true);
  for (const viewer of people) {
    const own = hands.get(viewer.name) ?? [];
    const faces = await viewer.page.getByRole("main").locator("[data-handle]").count();
    expect(faces).toBe(own.length);
    for (const other of people.filter((p) => p !== viewer)) {
      const cards = hands.get(other.name) ?? [];
      expect(await cardCountOf(viewer, other.name)).toBe(cards.length);
      // The same for screen readers.
      expect(
        await seatOf(viewer, other.name)
          .getByRole("img", { name: / cards?$/ })
          .innerText(),
      ).toBe(`${cards.length}`);
      expect(await seatOf(viewer, other.name).locator("[data-face=down]").count()).toBe(Math.min(cards.length, 13));
      // Neither the live region nor the messages contain it.
      const told = await viewer.page.locator("body").ariaSnapshot();
      for (const card of cards) expect(told).not.toContain(`: ${card}`);
    }
  }
  const fan = await seatOf(people[0] as Person, "Ben")
    .locator("[data-face=down]")
    .evaluateAll((backs) => backs.map((b) => b.getBoundingClientRect().x));
  expect(new Set(fan).size).toBe(fan.length);
});

test("donkey.md, Deal: the viewer's cards are sorted: diamonds, clubs, hearts, spades, and 2 to ace in each", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  for (const person of people) {
    const hand = await handOf(person);
    expect(hand).toHaveLength(26);
    const places = hand.map((card) => suitOf(card) * 13 + rankOf(card));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
  }
});

test("donkey.md, Deal: the viewer's cards are readable, and each can be reached in the window, on a phone too", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"], devices: { Ben: "touch" } });
  for (const { page, name } of people) {
    const strips = await ownCards(page).evaluateAll((cards) =>
      cards.map((card) => {
        const { x, y, width, height } = card.getBoundingClientRect();
        let widest = 0;
        for (let down = y + 4; down < Math.min(innerHeight, y + height); down += 6) {
          let run = 0;
          for (let along = Math.max(0, x); along < Math.min(innerWidth, x + width); along += 2) {
            const top = document.elementFromPoint(along, down);
            run = top && card.contains(top) ? run + 2 : 0;
            widest = Math.max(widest, run);
          }
        }
        return { widest, width };
      }),
    );
    expect(strips).toHaveLength(26);
    for (const { widest, width } of strips) {
      // A thumb can hit a strip of this width, and people can read a card of this size.
      expect(widest, `${name} sees`).toBeGreaterThanOrEqual(20);
      expect(width).toBeGreaterThanOrEqual(44);
    }
  }
});

test("donkey.md, Visualizations: a deal is not animated, and no card flies for long", async () => {
  const still = await visitor("Ann");
  const moving = await visitor("Ben", { context: { reducedMotion: "no-preference" } });
  for (const { page } of [still, moving]) {
    await page.addInitScript(() => {
      const durations: number[] = [];
      Object.assign(globalThis, { durations });
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) {
        const made = animate.apply(this, given);
        durations.push(Number(made.effect?.getComputedTiming().endTime ?? 0));
        return made;
      };
    });
  }
  const durations = ({ page }: Person) =>
    page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations);
  const code = await still.make(donkey);
  await moving.openAndSit(code);
  await still.start();
  await moving.atTable();
  for (const person of [still, moving]) {
    expect((await handOf(person)).length).toBe(26);
    expect(await durations(person)).toEqual([]);
  }
  const play = new GameDriver([still, moving]);
  await play.until(() => play.moves.size === 2);
  expect(await durations(still)).toEqual([]);
  const travelled = await durations(moving);
  expect(travelled.length).toBeGreaterThan(0);
  expect(Math.max(...travelled)).toBeLessThanOrEqual(300);
});

test("donkey.md, Visualizations: the round starts with the cards shuffled and dealt", async () => {
  const hands = [];
  for (let table = 0; table < 2; table++) {
    const { people, host } = await gather(donkey, { people: ["Ann", "Ben"], bots: 0 });
    hands.push(await handOf(host));
    const both = (await Promise.all(people.map(handOf))).flat();
    expect(new Set(both).size).toBe(52);
  }
  expect(hands[0]).not.toEqual(hands[1]);
});

test("donkey.md, Visualizations: the player with the Ace of Spades gets a notice and can dismiss it", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  for (const person of people) {
    const holds = (await handOf(person)).includes(ACE);
    if (!holds) {
      expect(await notice(person).count()).toBe(0);
      continue;
    }
    await notice(person).waitFor();
    await person.device.press(notice(person).getByRole("button", { name: text.table.dismiss }));
    await notice(person).waitFor({ state: "hidden" });
  }
});

test("a notice goes away when it is no longer true", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben"] });
  const [first] = await Promise.all(people.map(async (p) => ((await handOf(p)).includes(ACE) ? p : null))).then((all) =>
    all.filter((person) => person !== null),
  );
  if (!first) throw new Error("nobody holds the ace");
  await notice(first).waitFor();
  // The player plays the card without dismissing the notice.
  await first.device.press(first.page.getByRole("button", { name: new RegExp(ACE) }));
  await notice(first).waitFor({ state: "hidden" });
});

/** A table at which a player with this device opens the round. */
async function opening(device: "mouse" | "touch") {
  const group = await gather(donkey, { people: ["Ann", "Ben"], devices: { Ann: device, Ben: device } });
  const [ann, ben] = group.people as [Person, Person];
  const opener = (await handOf(ann)).includes(ACE) ? ann : ben;
  return { ...group, opener, other: opener === ann ? ben : ann };
}

test("donkey.md, Visualizations: on a desktop hovering lifts a card and a click plays it", async () => {
  const { opener, other } = await opening("mouse");
  await opener.device.press(notice(opener).getByRole("button"));
  const ace = opener.page.getByRole("button", { name: new RegExp(ACE) });
  const card = opener.page.locator("[data-handle]").filter({ has: ace });
  const before = await middle(card);
  await new Pointer("mouse", opener.page).hover(ace);
  await expect.poll(async () => (await middle(card)).y).toBeLessThan(before.y - 4);
  // The card stays lifted when the mouse is at the lower edge where the card was.
  await opener.page.mouse.move(2, 2);
  await expect.poll(async () => Math.round((await middle(card)).y)).toBe(Math.round(before.y));
  const edge = await ace.evaluate(lowerEdge);
  await opener.page.mouse.move(edge.x, edge.y);
  expect(await ace.evaluate(isHoveredThroughout)).toBe(true);
  await opener.device.press(ace);
  for (const person of [opener, other])
    await expect.poll(() => readPlayedCards(person)).toEqual([{ card: ACE, by: opener.name }]);
});

test("donkey.md, Visualizations: on a phone a tap selects, a tap elsewhere clears, a second tap plays", async () => {
  const { opener, other } = await opening("touch");
  await opener.device.press(notice(opener).getByRole("button"));
  const ace = opener.page.getByRole("button", { name: new RegExp(ACE) });
  const chosen = async () => (await readDecision(opener))?.targets.some(({ pressed }) => pressed);
  await opener.device.press(ace);
  await expect.poll(chosen).toBe(true);
  expect(await readPlayedCards(opener)).toEqual([]);
  const felt = await middle(cloth(opener));
  await opener.page.touchscreen.tap(felt.x, felt.y);
  await expect.poll(chosen).toBe(false);
  await opener.device.press(ace);
  await expect.poll(chosen).toBe(true);
  await opener.device.press(ace);
  await expect.poll(() => readPlayedCards(other)).toEqual([{ card: ACE, by: opener.name }]);
});

/** Checks that each played card lies in the direction of its player, as seen from the middle. */
async function lieTowardsTheirPlayers(viewer: Person): Promise<void> {
  const centre = await middle(cloth(viewer));
  const places = new Map([[viewer.name, await middle(ownPlace(viewer))]]);
  for (const seat of await around(viewer).all()) {
    places.set((await seat.getAttribute("aria-label"))?.split(",")[0] ?? "", await middle(seat));
  }
  const cards = await inTheMiddle(viewer.page).all();
  for (const [i, { card, by }] of (await readPlayedCards(viewer)).entries()) {
    const at = await middle(cards[i] as NonNullable<(typeof cards)[number]>);
    const turned = (place: { x: number; y: number }) => {
      const angle = Math.atan2(at.y - centre.y, at.x - centre.x) - Math.atan2(place.y - centre.y, place.x - centre.x);
      return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
    };
    const [nearest] = [...places].sort(([, a], [, b]) => turned(a) - turned(b));
    expect(nearest?.[0], `${card} in ${viewer.name}'s window`).toBe(by);
    expect(distance(at, centre)).toBeGreaterThan(20);
  }
}

test("donkey.md, Visualizations: a played card goes to the centre, towards its player, and all players see it", async () => {
  const { opener, people } = await opening("mouse");
  const play = new GameDriver([opener]);
  await play.until(() => play.moves.size > 0);
  for (const viewer of people) {
    await expect.poll(() => readPlayedCards(viewer)).toEqual([{ card: ACE, by: opener.name }]);
    await lieTowardsTheirPlayers(viewer);
  }
});

test("donkey.md, Visualizations: the cards of a set lie in the centre, each towards its player", async () => {
  const { people } = await gather(donkey, { people: ["Ann", "Ben", "Cleo", "Dora"] });
  await new GameDriver(people).until(async () => (await readPlayedCards(people[0] as Person)).length === 3);
  for (const viewer of people) {
    await expect.poll(async () => (await readPlayedCards(viewer)).length).toBe(3);
    expect(new Set((await readPlayedCards(viewer)).map(({ by }) => by)).size).toBe(3);
    await lieTowardsTheirPlayers(viewer);
  }
});

test("donkey.md, Visualizations: the highest card of the led suit is highlighted as the set goes on", async () => {
  const { people, host } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  let most = 0;
  // The lowest legal card, so that a later player sometimes beats the lead.
  const seen = new Set<boolean>();
  const play = new GameDriver(people, ({ targets }) => {
    const low = [...targets].sort((a, b) => rankOf(nameInLabel(a.label)) - rankOf(nameInLabel(b.label)))[0];
    return low ? { target: low } : null;
  });
  await play.until(async () => {
    const resting = await isBetweenSegments(host);
    const lying = await readPlayedCards(host);
    most = Math.max(most, lying.length);
    const lit = await inTheMiddle(host.page)
      .and(host.page.getByRole("img", { name: new RegExp(`, ${text.table.highlighted}$`) }))
      .evaluateAll((cards) => cards.map((c) => c.getAttribute("aria-label")?.split(", ")[0]));
    const after = await readPlayedCards(host);
    const led = lying[0];
    if (!led || JSON.stringify(lying) !== JSON.stringify(after) || resting !== (await isBetweenSegments(host)))
      return false;
    // A complete set stays visible before it is taken, and then nothing is highlighted.
    if (resting) {
      expect(lit).toEqual([]);
      return false;
    }
    const followed = lying.filter(({ card }) => suitOf(card) === suitOf(led.card));
    const best = followed.sort((a, b) => rankOf(b.card) - rankOf(a.card))[0];
    expect(lit).toEqual([best?.card]);
    if (lying.length > 1) seen.add(best?.card === led.card);
    return seen.size === 2;
  });
  expect(most).toBeGreaterThan(1);
});

interface Look {
  held: Record<string, number>;
  lying: number;
}
interface Shout extends Look {
  words: string;
  animated: number;
}

test("donkey.md, Visualizations: a CUT is shown with a small animation and logged, and the cards are in the taker's hand", async () => {
  const { people, host } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"], motion: true });
  await host.page.evaluate((mine) => {
    const shouted = "[data-announced=shout]";
    const shouts: Shout[] = [];
    /** The cards that lie in the middle and the cards of each player, as the window shows them at this moment. */
    const look = (): Look => {
      const own = document.querySelector(`[aria-label="${mine}"] ul, [aria-label="${mine}"] [role=list]`);
      const held: Record<string, number> = { Ann: own?.querySelectorAll("[data-handle]").length ?? 0 };
      for (const hand of document.querySelectorAll("[data-seat] [role=img]")) {
        const [, name, count] = /^(\w+): (\d+) cards?$/.exec(hand.getAttribute("aria-label") ?? "") ?? [];
        if (name) held[name] = Number(count);
      }
      return { held, lying: document.querySelectorAll("[data-shape=towards] [data-handle]").length };
    };
    Object.assign(globalThis, { shouts, look });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (!(node instanceof HTMLElement)) continue;
          const shout = node.matches(shouted) ? node : node.querySelector<HTMLElement>(shouted);
          if (!shout) continue;
          shouts.push({
            words: shout.textContent ?? "",
            animated: shout.getAnimations({ subtree: true }).length,
            ...look(),
          });
        }
      }
    }).observe(document.body, { childList: true, subtree: true });
  }, text.table.mine);
  const look = () =>
    host.page.evaluate(() => {
      const { shouts, look } = globalThis as unknown as { shouts: Shout[]; look: () => Look };
      return { shouts, ...look() };
    });
  // Plays the same suit again and again, always the last card in the hand, so that a player soon has none of it.
  const last: Strategy = ({ targets }) => {
    const target = targets.at(-1);
    return target && { target };
  };
  await new GameDriver(people, last).until(async () => (await look()).shouts.length > 0);
  // The whole set is visible before it is taken. Both moments are read inside the window, so no move stands between.
  await expect.poll(async () => (await look()).lying).toBe(0);
  const { shouts, held } = await look();
  const cut = shouts[0] as Shout;
  expect(cut.words).toMatch(/^CUT!/);
  expect(cut.animated).toBeGreaterThan(0);
  const [, taker = "", count = ""] = /and (\w+) picks up (\d+) cards/.exec(cut.words) ?? [];
  expect(Number(count)).toBe(cut.lying);
  expect(Number(count)).toBeGreaterThan(1);
  expect(cut.held[taker]).toBeGreaterThan(0);
  expect(held[taker]).toBe((cut.held[taker] ?? 0) + Number(count));
  await logOf(host)
    .getByText(/CUT! \w+ cuts?/)
    .first()
    .waitFor();
});

test("announcements stand at the upper edge of a phone, one at a time, and a tap dismisses a banner", async () => {
  const { people, host } = await gather(donkey, {
    people: ["Ann", "Ben", "Cleo"],
    contexts: PHONE,
    table: { fields: { "The word that loses": "DO" } },
  });
  await host.page.evaluate(() => {
    const seen: Record<string, { reach: number; gone?: boolean }> = {};
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      // A shout ends up where the other announcements stand.
      const others = document.querySelector(".toasts")?.childElementCount ?? 0;
      if (others > 0 && document.querySelector("[data-announced=shout]")) seen.over = { reach: 0 };
      for (const kind of ["shout", "banner"]) {
        const shown = document.querySelector<HTMLElement>(`[data-announced=${kind}]`);
        if (!shown || seen[kind]) continue;
        const noted: { reach: number; gone?: boolean } = { reach: shown.getBoundingClientRect().bottom / innerHeight };
        seen[kind] = noted;
        if (kind === "shout") continue;
        shown.click();
        requestAnimationFrame(() => {
          noted.gone = !shown.isConnected;
        });
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  const seen = () =>
    host.page.evaluate(
      () => (globalThis as unknown as { seen: Record<string, { reach: number; gone?: boolean }> }).seen,
    );
  await new GameDriver(people).until(async () => (await seen()).banner?.gone !== undefined);
  const { banner, shout, over } = await seen();
  expect(over).toBeUndefined();
  expect(banner?.gone).toBe(true);
  for (const announced of [banner, shout]) expect(announced?.reach ?? 0).toBeLessThan(0.16);
});

test("the status and an announcement never cover each other and are never cut, from 360 to 1,280 pixels", async () => {
  const { people, host } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const toast = host.page.locator(".toast, .shout strong").first();
  const seen = new Set<number>();
  await new GameDriver(people).until(async () => {
    const width = [360, 600, 899, 1280].find((wanted) => !seen.has(wanted));
    if (!width) return true;
    if ((await toast.count()) === 0) return false;
    await host.page.setViewportSize({ width, height: 800 });
    const boxes = await host.page.evaluate(() => {
      const shown = [...document.querySelectorAll<HTMLElement>(".toast, .top-words h1, .top-status, .top-bar button")];
      return shown.map((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return {
          words: element.textContent,
          left,
          top,
          right,
          bottom,
          cut: element.scrollWidth > element.clientWidth + 1,
        };
      });
    });
    if (boxes.length < 4 || (await toast.count()) === 0) return false;
    expect(boxes.filter(({ cut }) => cut)).toEqual([]);
    const visible = boxes.filter(({ left, right }) => right > left);
    for (const [i, a] of visible.entries()) {
      for (const b of visible.slice(i + 1)) {
        const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        expect(apart, JSON.stringify([width, a, b])).toBe(true);
      }
    }
    seen.add(width);
    return false;
  });
  expect(seen.size).toBe(4);
});

test("donkey.md, Visualizations: completed sets form a growing discard pile at the side", async () => {
  const { people, host } = await gather(donkey, { people: ["Ann", "Ben", "Cleo"] });
  const pile = host.page.getByRole("img", { name: /^Discards/ });
  const count = async () =>
    Number(/Discards: (\d+) cards?/.exec((await pile.getAttribute("aria-label")) ?? "")?.[1] ?? 0);
  expect(await count()).toBe(0);
  const play = new GameDriver(people);
  await play.until(async () => (await count()) > 0);
  const first = await count();
  expect(first).toBe(3);
  await play.until(async () => (await count()) > first);
  await play.until(async () => (await readPlayedCards(host)).length > 0);
  const centre = await middle(cloth(host));
  const card = await middle(inTheMiddle(host.page).first());
  expect(distance(await middle(pile), centre)).toBeGreaterThan(distance(card, centre));
});
