/**
 * Holds an answer back for two seconds, in which the person can take it back. It is for answers with cards that people
 * read: a slip there shows others what somebody would have said.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, DecisionView } from "../protocol/types";
import type { TableStore } from "../state/store";

/** `decision.css` has the same number. */
const HOLD_MS = 2000;

export interface HeldAnswer {
  held: Answer | null;
  hold: (move: Answer) => void;
  takeBack: () => void;
}

/** Meanwhile the store is `sending`, so that nothing else can be answered. */
export function useHeldAnswer(store: TableStore, sendMove: (move: Answer) => void): HeldAnswer {
  const [held, setHeld] = useState<Answer | null>(null);
  const waiting = useRef<{ move: Answer; timer: ReturnType<typeof setTimeout> } | null>(null);
  const end = useCallback((): Answer | null => {
    const move = waiting.current?.move ?? null;
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    setHeld(null);
    // Another input, such as a clock, may have closed the decision.
    return move && store.get().view?.decision?.id === move.decision ? move : null;
  }, [store]);
  const sendHeld = useCallback(() => {
    const move = end();
    if (move) sendMove(move);
  }, [end, sendMove]);
  const hold = useCallback(
    (move: Answer) => {
      clearTimeout(waiting.current?.timer);
      waiting.current = { move, timer: setTimeout(sendHeld, HOLD_MS) };
      setHeld(move);
    },
    [sendHeld],
  );
  const takeBack = useCallback(() => {
    end();
    store.set({ sending: false });
  }, [end, store]);
  // Leaving or hiding the page sends the held answer: the person can't take it back any more.
  useEffect(() => {
    const onHidden = () => document.visibilityState === "hidden" && sendHeld();
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      sendHeld();
    };
  }, [sendHeld]);
  return { held, hold, takeBack };
}

/** Whether an answer is held back: one that picks cards or a pile. The client sends buttons and typed texts at once. */
export function picksCards(decision: DecisionView | undefined, { alternative }: Answer): boolean {
  const parts = decision?.alternatives.find(({ index }) => index === alternative)?.parts ?? [];
  return parts.some(({ kind }) => "card" in kind || "cards" in kind || "sets" in kind || "pile" in kind);
}
