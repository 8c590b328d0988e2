import { expect, test } from "vitest";
import { filledText, formatDate, joinNames, lineText } from "./line";

const reader = {
  nameOf: (seat: number) => ["Ann", "Bob"][seat] ?? "?",
  faces: [{ deck: "d", template: "pips", label: "7♠" }],
};

test("writes seats and cards by name, and a player's text unchanged", () => {
  const line = [{ seat: 1 }, { text: " plays " }, { face: 0 }, { text: ": " }, { written: "<b>hi</b>" }];
  expect(lineText(line, reader)).toBe("Bob plays 7♠: <b>hi</b>");
  expect(lineText(null, reader)).toBe("");
});

test("isolates a player's text with right-to-left letters from the words around it", () => {
  const line = [{ text: "It was " }, { written: "חמור 7" }, { text: " 8 times" }];
  expect(lineText(line, reader)).toBe("It was \u2068חמור 7\u2069 8 times");
});

test.each([
  ["Our town is twinned with _____.", ["A goose."], "Our town is twinned with A goose."],
  ["_____ and _____?", ["One.", "Two."], "One and Two?"],
  ["_____ and _____?", ["One."], "One and _____?"],
  ["What now?", ["Nothing.", "All."], "What now? Nothing. All."],
])("%s", (prompt, answers, expected) => {
  expect(filledText(prompt, answers)).toBe(expected);
});

test("joins names to a list", () => {
  const others = (n: number) => `${n} others`;
  expect(joinNames(["Ann"], " and ", others)).toBe("Ann");
  expect(joinNames(["Ann", "Bob"], " and ", others)).toBe("Ann and Bob");
  expect(joinNames(["A", "B", "C", "D", "E"], " and ", others)).toBe("A, B and 3 others");
});

test("formats the date of an unfinished table", () => {
  expect(formatDate(new Date(2024, 2, 5, 7, 9).getTime())).toBe("03/05/24 07:09");
});
