import { expect, test } from "vitest";
import { initial, isolated } from "./isolate";

test("a name with right-to-left letters is isolated, any other stands as it is", () => {
  expect(isolated("Ann")).toBe("Ann");
  expect(isolated("Zoë 👩‍👧")).toBe("Zoë 👩‍👧");
  expect(isolated("דנה")).toBe("\u2068דנה\u2069");
  expect(isolated("Ann مريم")).toBe("\u2068Ann مريم\u2069");
});

test("the disc shows the first sign whole, isolated or not", () => {
  expect(initial("ann")).toBe("A");
  expect(initial(isolated("דנה"))).toBe("ד");
  expect(initial("👩‍👧 Eve")).toBe("👩‍👧");
  expect(initial("")).toBe("?");
});
