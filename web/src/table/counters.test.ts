import { expect, test } from "vitest";
import type { TableDefinition, View } from "../protocol/types";
import { splitStatus } from "./counters";

const reader = { nameOf: (seat: number) => `Seat ${seat}`, faces: [] };
const table = { counters: [{ label: "Pot" }, { label: "In the stock", zone: 3 }] } as unknown as TableDefinition;

test("the first status lines are counters, and the others stay lines", () => {
  const status = [[{ text: "Pot: 40" }], [{ text: "In the stock: " }, { text: "12" }], [{ text: "Round 2" }]];
  expect(splitStatus(table, { status } as unknown as View, reader)).toEqual({
    counters: [
      { label: "Pot", value: "40", zone: undefined },
      { label: "In the stock", value: "12", zone: 3 },
    ],
    lines: [[{ text: "Round 2" }]],
  });
});

test("a table without counters has only lines", () => {
  const status = [[{ text: "Round 2" }]];
  const split = splitStatus({} as TableDefinition, { status } as unknown as View, reader);
  expect(split).toEqual({ counters: [], lines: status });
});
