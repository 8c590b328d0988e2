/** Dice on the table: those of nobody in the middle, or one player's own. Tapped to be kept or thrown again. */
import { useEffect, useState } from "react";
import { Die } from "../cards/Die";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { Hit } from "./Hit";

export function DiceTray({ owner = null }: { owner?: number | null }) {
  const { table, view, snapshot, stateOf } = useTable();
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
          const idle = state === "idle" ? { role: "img", "aria-label": label } : {};
          return (
            <span key={key} className={`tray-die is-${state} ${thrown ? "thrown" : ""}`} {...idle}>
              {drawn}
              {state !== "idle" && <Hit target={{ kind: "die", dice, element }} state={state} label={label} />}
            </span>
          );
        })}
      </div>
    ));
}
