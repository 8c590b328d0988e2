/** Dice on the table: those of nobody in the middle, or one player's own. Tapped to be kept or thrown again. */
import { useEffect, useState } from "react";
import { Die } from "../cards/Die";
import { text } from "../text/catalogue";
import { useTable } from "./context";

export function DiceTray({ owner = null }: { owner?: number | null }) {
  const { table, view, snapshot, stateOf, point } = useTable();
  const [thrown, setThrown] = useState(0);
  const { batch } = snapshot;
  useEffect(() => {
    if (batch?.events.some((event) => "rolled" in event)) setThrown(batch.seq);
  }, [batch]);
  const trays = table.dice.map((layout, dice) => {
    const elements = layout.owners.flatMap((of, element) => (of === owner ? [element] : []));
    return { layout, dice, elements };
  });
  return trays
    .filter(({ elements }) => elements.length > 0)
    .map(({ layout, dice, elements }) => (
      <div key={layout.id} className="dice-tray" aria-label={layout.title} role="group">
        {elements.map((element) => {
          const face = view.dice[dice]?.faces[element] ?? null;
          const state = stateOf({ kind: "die", dice, element });
          const label =
            face === null
              ? text.table.dieHidden
              : face === 0 && layout.low > 0
                ? text.table.dieUnrolled
                : text.table.die(String(face));
          const drawn = <Die face={face} low={layout.low} high={layout.high} />;
          const key = `${element}.${thrown}`;
          if (state === "idle") {
            return (
              <span key={key} className={`tray-die ${thrown ? "thrown" : ""}`} role="img" aria-label={label}>
                {drawn}
              </span>
            );
          }
          return (
            <button
              key={key}
              type="button"
              className={`tray-die is-${state} ${thrown ? "thrown" : ""}`}
              data-target="die"
              aria-pressed={state === "chosen"}
              aria-label={label}
              onClick={() => point({ kind: "die", dice, element })}
            >
              {drawn}
            </button>
          );
        })}
      </div>
    ));
}
