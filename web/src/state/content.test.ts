import { expect, test } from "vitest";
import type { CardView, View, ZoneView } from "../protocol/types";
import { writtenCards } from "./content";

const zone = (cards: CardView[], turned = false): ZoneView => ({ content: { cards }, turned });

test("the words of others that lie open can be reported", () => {
  const zones: ZoneView[] = [
    zone([{ handle: 1, face: 0, written: "Shown" }, { handle: 2, face: 0 }, { handle: 3 }]),
    zone([{ handle: 4, face: 0, written: "By the viewer", by: 0 }]),
    zone([{ handle: 5, face: 0, written: "By another", by: 1 }]),
    // A back on the screen must not be read in a list.
    zone([{ handle: 6, face: 0, written: "Turned" }], true),
    { content: { count: 3 }, turned: false },
    { content: "nothing", turned: false },
  ];
  const handles = (seat?: number) =>
    writtenCards({ zones, ...(seat === undefined ? {} : { seat }) } as View).map(({ handle }) => handle);
  expect(handles(0)).toEqual([1, 5]);
  expect(handles(1)).toEqual([1, 4]);
  expect(handles()).toEqual([1, 4, 5]);
});
