/**
 * Fixtures for the gallery: moments at a table as the server would show them, for everything that can be drawn and
 * chosen. For development only.
 */
import type { CardFace, CardView } from "../protocol/types";
import {
  card,
  cards,
  decide,
  type Fixture,
  freshHandles,
  type PlayerSpec,
  say,
  shown,
  snapshot,
  standardFaces,
  type ZoneSpec,
} from "./build";

const people: PlayerSpec[] = [
  { name: "Ada" },
  { name: "Cassie" },
  { name: "Otto" },
  { name: "Biscuit", bot: "easy" },
  { name: "Margarethe", presence: "disconnected" },
  { name: "Waffles", bot: "difficult" },
  { name: "Jun", presence: "away" },
  { name: "Priya" },
];

/** The first so many people, each with what their seat shows. */
const seatPlayers = (players: number, seat: (i: number) => PlayerSpec["seat"]): PlayerSpec[] =>
  people.slice(0, players).map((player, i) => ({ ...player, seat: seat(i) }));

/** The viewer's own hand, and the number of cards that each other player holds. */
const hands = (own: CardView[], others: number[]): ZoneSpec[] => [
  { zone: "hand", shape: "fan", owner: 0, content: { cards: own } },
  ...others.map((count, i): ZoneSpec => ({ zone: "hand", shape: "fan", owner: i + 1, content: { count } })),
];
/** Numbers for the other players, in the order of their seats after the viewer. */
const counts = (others: number, count: (i: number) => number) => Array.from({ length: others }, (_, i) => count(i));

const numberIndex = (i: number) => [{ value: i + 1, label: String(i + 1) }];

/** Dice with six faces, by owner. */
const makeDice = (id: string, title: string, owners: (number | null)[]) => ({
  dice: [{ id, title, low: 1, high: 6, elements: owners.map(() => []), owners }],
});

const tricks = {
  id: "tricks",
  name: "Tricks",
  description: "Follow suit, or take it all.",
  theme: { cloth: "green", back: "weave", emblem: "♠" },
  notes: ["Whoever can't follow suit ends the trick."],
};

/** Cards that lie towards their players, dimmed cards with a reason, letters at the seats. */
function trickTable(
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

const all52 = standardFaces
  .slice(0, 52)
  .map((f) => f.label)
  .join(" ");
const thirteen = "3♦ 6♦ 9♦ K♦ 2♣ 8♣ Q♣ 4♥ 7♥ J♥ A♥ 5♠ 10♠";

/** Another player's hand to draw from, and piles in front of the seats. */
function unseen(): Fixture {
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
function pileGrid(name: string, players: number, ended: boolean): Fixture {
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

const TITLES = [
  "Sovereign",
  "Chancellor",
  "Admiral",
  "Duchess",
  "Ambassador",
  "Captain",
  "Goldsmith",
  "Brewer",
  "Baker",
  "Fiddler",
  "Gardener",
  "Turnip peeler",
  "Jester",
];
const numberFaces = TITLES.map((title, i) => ({
  deck: "cards",
  template: "number",
  label: String(i + 1),
  number: i + 1,
  title,
  attributes: { value: String(i + 1) },
}));
/** A game's own decks: suits with pips, colours with numbers, titles, words alone. */
const ownFaces: CardFace[] = [
  ...["coins", "cups", "swords", "batons", "stars", "moons", "peaks", "combs"].flatMap((suit, place) =>
    ["1", "2", "5", "7", "10", "knave", "12"].map((rank) => ({
      deck: "cards",
      template: "pips",
      label: `${rank} of ${suit}`,
      attributes: { rank, suit },
      sign: { word: suit, place },
      details: suit,
    })),
  ),
  ...["red", "green", "blue", "yellow"].map((word, place) => ({
    deck: "colours",
    template: "number",
    label: `${word} ${place + 7}`,
    number: place + 7,
    attributes: { colour: word, value: String(place + 7) },
    sign: { word, place },
    details: word,
  })),
  ...["coins", "cups", "swords", "batons"].map((word, place) => ({
    deck: "titles",
    template: "number",
    label: `8 of ${word}`,
    number: 8,
    title: place === 3 ? "Knave of the woods" : "Knave",
    attributes: { suit: word, value: "8" },
    sign: { word, place },
    ...(place === 3 ? {} : { details: word }),
  })),
  ...["oak", "elm"].map((word, place) => ({
    deck: "words",
    template: "number",
    label: `${word} tall`,
    attributes: { tree: word, size: "tall" },
    sign: { word, place },
    details: `${word}, tall`,
  })),
];

function ownCards(name: string): Fixture {
  freshHandles();
  const named = (label: string) => ownFaces.findIndex((face) => face.label === label);
  const labels = [
    "1 of coins",
    "5 of cups",
    "7 of swords",
    "10 of batons",
    "knave of stars",
    "2 of moons",
    "12 of peaks",
  ];
  const held = shown([...labels, "7 of combs"].map(named));
  return {
    name,
    snapshot: snapshot({
      game: { id: "own", name: "Own cards", theme: { cloth: "red", back: "rays", emblem: "☀" } },
      faces: ownFaces,
      players: seatPlayers(3, (i) => ({ turn: i === 0 })),
      zones: [
        ...hands(
          held,
          counts(2, () => 5),
        ),
        {
          zone: "board",
          title: "Table",
          shape: "row",
          content: { cards: shown(["red 7", "green 8", "blue 9", "yellow 10"].map(named)) },
        },
        {
          zone: "court",
          title: "Court",
          shape: "row",
          content: { cards: shown(["coins", "cups", "swords", "batons"].map((suit) => named(`8 of ${suit}`))) },
        },
        {
          zone: "words",
          title: "Words",
          shape: "row",
          content: { cards: shown(["oak tall", "elm tall", "2 of coins", "knave of cups"].map(named)) },
        },
      ],
    }),
  };
}

const RANKS = ["Sovereign", "Regent", "Trader", "Trader", "Servant", "Last Servant"];

/** Sets of one number, titles and statuses at the seats, a ranking. */
function numberSets(name: string, ended: boolean): Fixture {
  freshHandles();
  const values = [2, 4, 4, 5, 6, 6, 6, 7, 8, 8, 9, 9, 9, 9, 10, 10, 11, 11, 12, 12, 12, 13];
  const held = shown(values.map((v) => v - 1));
  const of = (v: number) => held.filter((c) => c.face === v - 1).map((c) => c.handle);
  const [jester] = of(13);
  const statuses: Record<number, [string, string]> = { 2: ["passed", "Passed"], 5: ["out", "Out of the round"] };
  const seats = seatPlayers(6, (i) => ({
    turn: !ended && i === 0,
    badges: [
      { kind: "title", label: say(RANKS[(i + 2) % 6] ?? "") },
      { kind: "score", label: say("Total"), value: say(String(3 + ((i * 5) % 7))) },
    ],
    status: [statuses[i] ?? []].flatMap(([word, label]) => (word && label ? [{ word, label: say(label) }] : [])),
  }));
  const trick = shown([8, 8, 8], 1);
  const sets = [of(6), [...of(4), jester ?? 0], of(8).slice(0, 0)].filter((s) => s.length === 3);
  return {
    name,
    snapshot: snapshot({
      game: { id: "sets", name: "Sets", theme: { cloth: "wood", back: "rays", emblem: "♚" } },
      faces: numberFaces,
      players: seats,
      zones: [
        ...hands(
          ended ? [] : held,
          counts(5, (i) => (i === 4 || ended ? 0 : 8 + ((i * 5) % 9))),
        ),
        { zone: "trick", shape: "towards", content: { cards: trick } },
        { zone: "history", title: "Earlier plays", shape: "pile", content: { cards: shown([11, 11, 10, 10, 9, 9]) } },
      ],
      view: {
        status: [say("Round 2 of 3")],
        highlights: trick.map((c) => c.handle),
        decision: ended
          ? undefined
          : decide("Beat 3 × 9, or pass", ["play", "Play", { sets: { options: sets } }], ["pass", "Pass"]),
        outcome: ended
          ? {
              kind: "ranking",
              winners: [2],
              losers: [5],
              ranks: [2, 3, 1, 4, 5, 6],
              banner: say("Otto won the last round"),
            }
          : undefined,
      },
    }),
  };
}

const ANSWERS = [
  "A suspiciously confident pigeon.",
  "The quiet one from accounts.",
  "Forty-two unread emails marked urgent.",
  "A strongly worded letter to the moon.",
  "Grandmother's secret trapdoor.",
  "One perfectly ripe avocado.",
  "The committee for the renaming of committees, sub-section B, third floor.",
  "Interpretive dance.",
  "A badger with opinions.",
  "Lukewarm applause.",
];
const PROMPTS = [
  "Our town is twinned with _____, and its chief export is _____.",
  "The robot can feel only one thing, and that is _____.",
];
const readFaces = [
  ...PROMPTS.map((text, i) => ({
    deck: "prompts",
    template: "prompt",
    label: text,
    text,
    attributes: { pick: String(2 - i) },
  })),
  ...ANSWERS.map((text) => ({ deck: "answers", template: "text", label: text, text })),
];

/** Prompts with blanks, cards with text, answers to judge, a card to write on. */
function reading(name: string, players: number, phase: "answer" | "judge" | "write"): Fixture {
  freshHandles();
  const judge = phase === "judge" ? 0 : 2;
  const crowd = Array.from(
    { length: players },
    (_, i) =>
      people[i] ?? {
        name:
          ["Finn", "Noor", "Sol", "Ivy", "Theo", "Mika", "Lotte", "Ravi", "Zoe", "Kit", "Uma", "Bo"][i - 8] ??
          `Guest ${i}`,
      },
  );
  const seats = crowd.map(
    (player, i): PlayerSpec => ({
      ...player,
      seat: {
        turn: phase === "judge" ? i === judge : i !== judge && i % 3 !== 1,
        badges: [
          { kind: "score", value: say(String((i * 3) % 5)) },
          ...(i === judge ? [{ kind: "title", label: say("Judge") }] : []),
        ],
        status: phase !== "judge" && i % 3 === 1 && i !== judge ? [{ word: "submitted", label: say("Answered") }] : [],
      },
    }),
  );
  const held = shown([2, 3, 4, 5, 6, 7, 8]);
  const shownAnswers = phase === "judge" ? Math.min(players - 1, 5) : 0;
  const zones: ZoneSpec[] = [
    { zone: "prompt_stock", title: "Prompts", shape: "pile", content: { count: 58 } },
    { zone: "stock", title: "Answers", shape: "pile", content: { count: 261 } },
    { zone: "used", title: "Used answers", shape: "pile", content: { count: 12 } },
    { zone: "prompt", shape: "slots", content: { cards: shown([0]) } },
    ...hands(
      held,
      counts(players - 1, () => 7),
    ),
    ...Array.from(
      { length: 8 },
      (_, i): ZoneSpec => ({
        zone: "shown",
        shape: "row",
        index: numberIndex(i),
        content: { cards: i < shownAnswers ? shown([2 + ((i * 2) % 10), 3 + ((i * 2) % 9)]) : [] },
      }),
    ),
  ];
  const first = 5 + players - 1;
  return {
    name,
    snapshot: snapshot({
      game: { id: "reading", name: "Reading", theme: { cloth: "slate", back: "plain", emblem: "✎" } },
      faces: readFaces,
      players: seats,
      zones,
      view: {
        status: [say("Round 4")],
        decision:
          phase === "judge"
            ? decide("Pick the best answer", [
                "choose",
                "Pick",
                {
                  pile: {
                    options: Array.from({ length: shownAnswers }, (_, i): [number, number] => [i + 1, first + i]),
                  },
                },
              ])
            : decide(
                "Answer with 2",
                ["play", "Play", { cards: { low: 2, high: 2, options: held.map((c) => c.handle), ordered: true } }],
                ...(phase === "write"
                  ? [["write", "Write a card", { text: { most: 120 } }] as [string, string, { text: { most: number } }]]
                  : []),
              ),
      },
    }),
  };
}

/** One die in the middle, which belongs to no player. */
function oneDie(): Fixture {
  freshHandles();
  return {
    name: "die",
    snapshot: snapshot({
      game: { id: "die", name: "Die", theme: { cloth: "red", back: "dots", emblem: "⚀" } },
      faces: [],
      players: seatPlayers(4, (i) => ({ turn: i === 0, badges: [{ kind: "score", value: say(String(12 + i * 17)) }] })),
      zones: [],
      table: makeDice("die", "Die", [null]),
      view: {
        dice: [{ faces: [5] }],
        status: [say("14 points in this turn")],
        decision: decide("Roll or hold?", ["roll", "Roll"], ["hold", "Hold 14"]),
      },
    }),
  };
}

/** Hidden cups, dice to keep, and a bid. */
function cups(): Fixture {
  freshHandles();
  const players = 4;
  return {
    name: "cups",
    snapshot: snapshot({
      game: { id: "cups", name: "Cups", theme: {} },
      faces: [],
      players: seatPlayers(players, (i) => ({ turn: i === 0 })),
      zones: [],
      table: makeDice(
        "cup",
        "Cup",
        Array.from({ length: 5 * players }, (_, i) => Math.floor(i / 5)),
      ),
      view: {
        dice: [{ faces: Array.from({ length: 5 * players }, (_, i) => (i < 5 ? ([2, 5, 6, 1, 3][i] ?? 1) : null)) }],
        decision: decide(
          "Keep dice, bid, or challenge",
          ["keep", "Throw the others again", { dice: { dice: 0, first: 0, count: 5 } }],
          ["bid", "Bid", { number: { low: 1, high: 20 } }, { number: { low: 1, high: 6 } }],
          ["challenge", "Challenge", { player: { options: [1, 2, 3] } }],
        ),
      },
    }),
  };
}

const ROWS = ["Low", "High", "Odd", "Even", "Three alike", "A run of four", "A run of five", "Anything"];

/** A score sheet, dice to roll again, and lines to choose from. */
function sheet(): Fixture {
  freshHandles();
  const lines = ROWS.map((label) => ({ deck: "lines", template: "name", label, title: label }));
  const open = shown([2, 4, 5, 7]);
  return {
    name: "sheet",
    snapshot: snapshot({
      game: { id: "sheet", name: "Sheet", theme: { cloth: "blue", back: "dots", emblem: "⚅" } },
      faces: lines,
      players: seatPlayers(6, (i) => ({
        turn: i === 0,
        badges: [
          { kind: "score", value: say(String(40 + i * 17)) },
          ...ROWS.map((row, n) => ({
            kind: "row",
            label: say(row),
            ...((n + i) % 3 === 0 ? {} : { value: say(String((n * 7 + i * 5) % 31)) }),
          })),
        ],
      })),
      zones: [{ zone: "open", title: "Open lines", shape: "fan", owner: 0, content: { cards: open } }],
      table: makeDice("five", "Five", [null, null, null, null, null]),
      view: {
        dice: [{ faces: [2, 5, 6, 1, 3] }],
        status: [say("Round 2 of 8"), say("Roll 2 of 3")],
        decision: decide(
          "Choose dice to roll again, or score a line",
          ["again", "Roll again", { dice: { dice: 0, first: 0, count: 5 } }],
          ["score", "Score", { card: { options: open.map((c) => c.handle), blocked: [] } }],
        ),
      },
    }),
  };
}

/** Many sets in the middle beside stock and discards: more than fit at full size. */
function melds(): Fixture {
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

const withInfo = (fixture: Fixture, name: string, info: object): Fixture => ({
  name,
  snapshot: { ...fixture.snapshot, info: { ...fixture.snapshot.info, ...info } as never },
});

export const fixtures: Fixture[] = [
  ownCards("own-cards"),
  trickTable("trick", 4, thirteen, {
    trick: [
      ["7♦", 2],
      ["Q♦", 3],
    ],
  }),
  trickTable("trick-8", 8, "6♦ 9♦ K♦ 2♣ 8♣ 4♥ 5♠", {
    trick: [
      ["7♠", 4],
      ["Q♠", 5],
      ["3♠", 6],
      ["10♠", 7],
    ],
  }),
  trickTable("trick-waiting", 6, thirteen, {
    asked: false,
    trick: [
      ["A♠", 0],
      ["4♠", 1],
    ],
    announcements: [["notice", "You hold the Ace of Spades: you open the round."]],
  }),
  trickTable("trick-shout", 3, "2♣ A♥", {
    asked: false,
    trick: [
      ["7♦", 1],
      ["Q♦", 2],
      ["3♣", 0],
    ],
    announcements: [["shout", "BANG! Ada ends it and Otto picks up 3 cards"]],
  }),
  trickTable("hand-1", 2, "A♠"),
  trickTable("hand-26", 2, all52.split(" ").slice(0, 26).join(" ")),
  trickTable("hand-52", 2, all52),
  unseen(),
  pileGrid("grid", 3, false),
  pileGrid("grid-8", 8, false),
  pileGrid("grid-end", 3, true),
  numberSets("sets", false),
  numberSets("sets-end", true),
  reading("reading", 5, "answer"),
  reading("reading-20", 20, "write"),
  reading("reading-judge", 6, "judge"),
  oneDie(),
  sheet(),
  melds(),
  cups(),
  withInfo(trickTable("x", 4, thirteen, { asked: false }), "paused", { status: "paused", paused: "hostAbsent" }),
];
