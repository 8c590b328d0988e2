/** The time that is left for a decision, if it has a clock. */
import { useEffect, useState } from "react";
import { text } from "../text/catalogue";
import { useTable } from "./context";

export function Clock({ decision }: { decision: number }) {
  const until = useTable().snapshot.deadlines[decision];
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [until]);
  if (until === undefined) return null;
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <span className={`clock ${seconds <= 5 ? "is-short" : ""}`} role="timer">
      {text.table.clock(seconds)}
    </span>
  );
}
