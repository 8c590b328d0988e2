import { expect, test } from "vitest";
import { dieName } from "./Die";

test("a side of a die is called by its word, or by its number", () => {
  const omen = { low: 1, high: 3, faces: [{ word: "sun" }, { word: "sun" }, { word: "rain", sign: "☂" }] };
  expect([1, 2, 3].map((face) => dieName(omen, face))).toEqual(["sun", "sun", "rain"]);
  expect(dieName({ low: 1, high: 6 }, 4)).toBe("4");
});
