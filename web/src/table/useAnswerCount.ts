/** Counts how many of the players who were asked at the same time have answered. */
import { useRef } from "react";
import type { View } from "../protocol/types";
import { minCountedAnswers } from "./sizes";

export interface AnswerCount {
  count: number;
  of: number;
}

/** Words of a seat that say that its player has answered. */
const ANSWERED = new Set(["submitted", "ready"]);

/** Null if few players were asked. A page that was opened meanwhile counts the answers that the rules mark at the seats. */
export function useAnswerCount(view: View): AnswerCount | null {
  const asked = useRef({ phase: view.phase, seats: new Set<number>() });
  const waiting = new Set(view.waiting.map(({ seat }) => seat));
  const marked = view.seats.flatMap(({ status }, seat) =>
    status.some(({ word }) => ANSWERED.has(word)) ? [seat] : [],
  );
  const isSameQuestion =
    asked.current.phase === view.phase && [...waiting].every((seat) => asked.current.seats.has(seat));
  if (!isSameQuestion || waiting.size === 0) asked.current = { phase: view.phase, seats: waiting };
  const all = new Set([...asked.current.seats, ...waiting, ...marked]);
  if (waiting.size === 0 || all.size < minCountedAnswers) return null;
  return { count: all.size - waiting.size, of: all.size };
}
