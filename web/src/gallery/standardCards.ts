/** Fixtures with standard playing cards: tricks, hands to draw from, grids of piles, melds. */
import type { CardView } from "../protocol/types";
import {
  card,
  cards,
  decide,
  type Fixture,
  freshHandles,
  say,
  shown,
  snapshot,
  standardFaces,
  type ZoneSpec,
} from "./build";
import { counts, hands, numberIndex, seatPlayers } from "./people";

const tricks = {
  id: "tricks",
  name: "Tricks",
  description: "Follow suit, or take it all.",
  theme: { cloth: "green", back: "weave", emblem: "♠" },
  notes: ["Whoever can't follow suit ends the trick."],
};

/** Cards that lie towards their players, dimmed cards with a reason, letters at the seats. */
export function trickTable(
  name: string,
  players: number,
  hand: string,
  options: { asked?: boolean; trick?: [string, number][]; announcements?: [string, string][] } = {},
): Fixture {
  freshHandles();
  const held = shown(cards(hand));
  const trick = (options.trick ?? []).flatMap(([label, by]) => shown([card(label)], by));
  const led = options.trick?.[0]?.[0].slice(-1);
  const suitOf = (c: CardView) => standardFaces[c.face ?? 0]?.attributes?.suit;
  const follows = held.filter((c) => !led || suitOf(c) === led);
  const legal = follows.length > 0 ? follows : held;
  const letters = ["SN", "", "SNA", "S", "SNAI", "", "SNA", "S"];
  const seats = seatPlayers(players, (i) => ({
    turn: options.asked === false ? i === 2 : i === 0,
    badges: [{ kind: "letters", value: say(letters[i] ?? "") }],
    status: i === 5 ? [{ word: "out", label: say("Out of the round") }] : [],
  }));
  const zones: ZoneSpec[] = [
    ...hands(
      held,
      counts(players - 1, (i) => (i === 4 ? 0 : 5 + ((i * 3) % 9))),
    ),
    { zone: "trick", shape: "towards", content: { cards: trick } },
    { zone: "waste", title: "Discards", shape: "pile", content: { cards: shown(cards("4♣ 8♣ J♣ 2♣ 6♦ 7♦ 9♦ Q♦")) } },
  ];
  return {
    name,
    snapshot: snapshot({
      game: tricks,
      faces: standardFaces,
      players: seats,
      zones,
      view: {
        status: [say("Round 3")],
        highlights: trick.slice(1, 2).map((c) => c.handle),
        ...(options.asked === false
          ? { waiting: [{ seat: 2, decision: 1, prompt: say("Play a card") }] }
          : {
              decision: decide("Play a card", [
                "play",
                "Play",
                {
                  card: {
                    options: legal.map((c) => c.handle),
                    blocked: held
                      .filter((c) => !legal.includes(c))
                      .map((c) => ({ handle: c.handle, reason: say(`You still hold ${led}: follow suit`) })),
                  },
                },
              ]),
            }),
      },
      announcements: (options.announcements ?? []).map(([kind, text], i) => ({ id: 100 + i, kind, line: say(text) })),
    }),
  };
}

export const all52 = standardFaces
  .slice(0, 52)
  .map((f) => f.label)
  .join(" ");
export const thirteen = "3♦ 6♦ 9♦ K♦ 2♣ 8♣ Q♣ 4♥ 7♥ J♥ A♥ 5♠ 10♠";

/** Another player's hand to draw from, and piles in front of the seats. */
export function unseen(): Fixture {
  freshHandles();
  const seats = seatPlayers(5, (i) => ({
    turn: i === 0,
    status: i === 3 ? [{ word: "safe", label: say("Safe") }] : [],
  }));
  const laid = ["3♦ 3♠ 10♥ 10♦", "K♥ K♠", "A♦ A♥ 7♠ 7♦ 2♦ 2♥", "J♠ J♥ 4♦ 4♥ 9♣ 9♦", "5♠ 5♥"];
  return {
    name: "unseen",
    snapshot: snapshot({
      game: { id: "unseen", name: "Unseen", theme: { cloth: "purple", back: "rays", emblem: "♛" } },
      faces: standardFaces,
      players: seats,
      zones: [
        ...hands(shown([...cards("A♠ 4♣ 6♥ 8♦ Q♦"), 52]), [9, 6, 0, 7]),
        ...laid.map(
          (pairs, owner): ZoneSpec => ({
            zone: "laid",
            title: "Pairs",
            shape: "pile",
            owner,
            content: { cards: shown(cards(pairs)) },
          }),
        ),
      ],
      view: {
        status: [say("Ada draws from Cassie")],
        decision: decide("Draw a card from Cassie", ["draw", "", { unseen: { zone: 1, count: 9 } }]),
      },
    }),
  };
}

/** A grid of piles, some of them turned over, and a value to choose. */
export function pileGrid(name: string, players: number, ended: boolean): Fixture {
  freshHandles();
  const tops = ["7♠", "K♥", "2♦", "Q♣", "A♠", "10♥", "5♦", "J♣", "9♠"];
  const locked = ended ? [0, 1, 2, 3, 5, 6, 7, 8] : [1, 5, 6];
  const zones: ZoneSpec[] = [
    { zone: "stock", title: "Deck", shape: "pile", content: { count: ended ? 0 : 27 } },
    ...tops.map(
      (top, i): ZoneSpec => ({
        zone: "piles",
        shape: "grid",
        columns: 3,
        rows: 3,
        index: numberIndex(i),
        content: { cards: shown([...cards("3♣ 4♣ 6♣").slice(0, (i * 2) % 4), card(top)]) },
        turned: locked.includes(i),
      }),
    ),
  ];
  const open = tops.flatMap((_, i): [number, number][] => (locked.includes(i) ? [] : [[i + 1, i + 1]]));
  return {
    name,
    snapshot: snapshot({
      game: { id: "grid", name: "Grid", theme: { cloth: "blue", back: "waves", emblem: "♦" } },
      faces: standardFaces,
      players: seatPlayers(players, (i) => ({ turn: !ended && i === 0 })),
      zones,
      view: {
        status: [say(ended ? "0 cards left, 1 piles open" : "27 cards left, 6 piles open")],
        decision: ended
          ? undefined
          : decide("Choose an open pile and call the next card", [
              "call",
              "",
              { pile: { options: open } },
              {
                value: {
                  options: [
                    [0, "higher"],
                    [1, "lower"],
                  ],
                },
              },
            ]),
        outcome: ended
          ? { kind: "everyone-wins", winners: [0, 1, 2], losers: [], ranks: [1, 1, 1], banner: say("Players Win") }
          : undefined,
      },
    }),
  };
}

/** Many sets in the middle beside stock and discards: more than fit at full size. */
export function melds(): Fixture {
  freshHandles();
  const laid = [
    "9♣ 9♦ 9♥",
    "5♥ 6♥ 7♥",
    "A♠ 2♠ 3♠ 4♠",
    "K♦ K♥ K♠",
    "J♣ Q♣ K♣",
    "8♦ 9♦ 10♦ J♦",
    "3♦ 3♣ 3♥ 3♠",
    "6♣ 7♣ 8♣",
  ];
  return {
    name: "melds",
    snapshot: snapshot({
      game: { id: "melds", name: "Melds", theme: { cloth: "green", back: "weave", emblem: "♣" } },
      faces: standardFaces,
      players: seatPlayers(4, (i) => ({ turn: i === 0 })),
      zones: [
        ...hands(shown(cards("2♦ 4♦ 8♥ J♠ Q♥")), [3, 4, 5]),
        { zone: "stock", title: "Stock", shape: "pile", content: { count: 17 } },
        { zone: "discards", title: "Discards", shape: "pile", content: { cards: shown(cards("4♣ 10♠")) } },
        ...laid.map(
          (set, i): ZoneSpec => ({
            zone: "melds",
            title: "Sets",
            shape: "row",
            index: numberIndex(i),
            content: { cards: shown(cards(set)) },
          }),
        ),
      ],
      view: {
        status: [say("Deal 1")],
        decision: decide("Draw from the stock, or take 10♠", ["draw", "Draw from the stock"], ["take", "Take 10♠"]),
      },
    }),
  };
}
