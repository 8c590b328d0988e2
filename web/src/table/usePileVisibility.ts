/**
 * Hides stocks that are dealt out and stay empty. A face-down pile that nobody's cards have ever come to since this
 * page was opened is a stock; without cards it says nothing. A pile that is refilled, a pile of face-up cards, and a
 * pile that the decision is about keep their outline.
 */
import { useRef } from "react";
import { cardCount } from "../state/content";
import { useTable } from "./context";

export function usePileVisibility(): (zone: number) => boolean {
  const { view, stateOf } = useTable();
  const counts = useRef(new Map<number, number>());
  const refilled = useRef(new Set<number>());
  view.zones.forEach(({ content }, zone) => {
    const count = cardCount(content);
    if (count > (counts.current.get(zone) ?? count)) refilled.current.add(zone);
    counts.current.set(zone, count);
  });
  return (zone) => {
    const content = view.zones[zone]?.content;
    if (!content || content === "nothing") return false;
    if (!("count" in content) || content.count > 0 || refilled.current.has(zone)) return true;
    return stateOf({ kind: "pile", zone }) !== "idle";
  };
}
