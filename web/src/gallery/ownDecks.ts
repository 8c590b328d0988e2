/** Fixtures with decks of a game's own: suits with pips, colours with numbers, titles, sets of one number. */
import type { CardFace } from "../protocol/types";
import { decide, type Fixture, freshHandles, say, shown, snapshot } from "./build";
import { counts, hands, seatPlayers } from "./people";

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

export function ownCards(name: string): Fixture {
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
export function numberSets(name: string, ended: boolean): Fixture {
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
