import { expect, test } from "vitest";
import type { LogStep, Narration } from "../protocol/types";
import { addSegment, EMPTY_LOG } from "../state/log";
import type { BatchSegment } from "../state/segments";
import { addTold, groupByRound } from "./logRounds";

const line = (text: string, kind: Narration["kind"] = "move"): Narration => ({ after: 0, kind, text: [{ text }] });
const segment = (seq: number, seat: number, narrations: Narration[]): BatchSegment => ({
  seq,
  cause: { move: { seat } },
  events: [],
  isContinuation: false,
  narrations,
});
const step = (seq: number, seat: number, ...narrations: Narration[]): LogStep => ({ seq, at: seq, seat, narrations });
const texts = (steps: LogStep[], seat?: number) =>
  groupByRound(steps, seat).map(({ title, lines, newFrom }) => ({
    title: title?.text,
    lines: lines.map(({ narration, count }) => `${JSON.stringify(narration.text[0])} ${count}`),
    newFrom,
  }));

test("the segments of a batch become one step, and a segment without words adds none", () => {
  let log = addSegment(EMPTY_LOG, segment(4, 1, [line("one")]), 10);
  log = addSegment(log, segment(4, 1, [line("two")]), 11);
  log = addSegment(log, segment(5, 0, []), 12);
  expect(log.steps).toEqual([{ seq: 4, at: 10, seat: 1, narrations: [line("one"), line("two")] }]);
});

test("what the server tells again is added once, in order, by this browser's clock, and not before the screen shows it", () => {
  const live = addSegment(EMPTY_LOG, segment(7, 1, [line("live")]), 5000);
  const told = {
    game: "g",
    now: 2000,
    earlier: true,
    steps: [step(6, 0, line("before")), step(7, 1, line("live")), step(8, 1)],
  };
  const log = addTold(live, told, 7, 5000);
  expect(log.steps.map(({ seq }) => seq)).toEqual([6, 7]);
  expect(log.steps[0]?.at).toBe(3006);
  expect(log).toMatchObject({ earlier: true, stale: false });
});

test("lines are grouped by round, and equal lines that follow each other become one", () => {
  const steps = [
    step(1, 0, line("deal", "rules"), line("Round 1", "round"), line("draws")),
    step(2, 1, line("draws")),
    step(3, 2, line("draws"), line("plays")),
    step(4, 0, line("Round 2", "round"), line("draws")),
  ];
  expect(texts(steps)).toEqual([
    { title: undefined, lines: ['{"text":"deal"} 1'], newFrom: null },
    { title: [{ text: "Round 1" }], lines: ['{"text":"draws"} 3', '{"text":"plays"} 1'], newFrom: null },
    { title: [{ text: "Round 2" }], lines: ['{"text":"draws"} 1'], newFrom: null },
  ]);
});

test("a mark stands before the first line since the viewer's last move, and is not folded away", () => {
  const steps = [step(1, 0, line("draws")), step(2, 1, line("draws")), step(3, 0, line("draws"))];
  expect(texts(steps, 1)).toEqual([
    { title: undefined, lines: ['{"text":"draws"} 2', '{"text":"draws"} 1'], newFrom: 1 },
  ]);
  expect(texts(steps, 0)[0]?.newFrom).toBeNull();
  expect(texts(steps, 2)[0]?.newFrom).toBeNull();
});

test("a long log is bounded", () => {
  let log = EMPTY_LOG;
  for (let seq = 1; seq < 1200; seq++) log = addSegment(log, segment(seq, 0, [line(`${seq}`)]), seq);
  expect(log.steps.length).toBe(900);
  expect(log.earlier).toBe(true);
});
