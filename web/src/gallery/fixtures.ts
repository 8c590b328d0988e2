/**
 * Fixtures for the gallery: moments at a table as the server would show them, for everything that can be drawn and
 * chosen. For development only.
 */
import type { Fixture } from "./build";
import { cups, oneDie, sheet } from "./dice";
import { numberSets, ownCards } from "./ownDecks";
import { all52, melds, pileGrid, thirteen, trickTable, unseen } from "./standardCards";
import { reading } from "./textCards";

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
