import { expect, test } from "vitest";
import { splitShout } from "./shoutWords";

const reader = { nameOf: (seat: number) => (seat === 0 ? "Ann" : "Mr. X"), faces: [] };

test("a short first sentence is large, and the rest explains it", () => {
  expect(splitShout([{ text: "CUT! " }, { seat: 0 }, { text: " cuts" }], reader)).toEqual({
    head: "CUT!",
    rest: "Ann cuts",
  });
  expect(splitShout([{ text: "War!" }], reader)).toEqual({ head: "War!", rest: "" });
});

test("a name is never large instead of what was said", () => {
  expect(splitShout([{ seat: 0 }, { text: ": last card!" }], reader)).toEqual({ head: "last card!", rest: "Ann" });
  expect(splitShout([{ seat: 1 }, { text: " shoots the moon!" }], reader).head).not.toBe("Mr.");
});
