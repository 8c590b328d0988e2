import { expect, test } from "vitest";
import { initial, isolateName } from "./isolate";

test("isolates a name with right-to-left letters, and changes no other name", () => {
  expect(isolateName("Ann")).toBe("Ann");
  expect(isolateName("Zoë 👩‍👧")).toBe("Zoë 👩‍👧");
  expect(isolateName("דנה")).toBe("\u2068דנה\u2069");
  expect(isolateName("Ann مريم")).toBe("\u2068Ann مريم\u2069");
});

test("the initial is the first whole character, isolated or not", () => {
  expect(initial("ann")).toBe("A");
  expect(initial(isolateName("דנה"))).toBe("ד");
  expect(initial("👩‍👧 Eve")).toBe("👩‍👧");
  expect(initial("")).toBe("?");
});
