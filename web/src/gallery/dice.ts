/** Fixtures with dice: one die, hidden cups, a score sheet. */
import { decide, type Fixture, freshHandles, say, shown, snapshot } from "./build";
import { makeDice, seatPlayers } from "./people";

/** One die in the middle, which belongs to no player. */
export function oneDie(): Fixture {
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
export function cups(): Fixture {
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
export function sheet(): Fixture {
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
