/** Dice on the table: those of nobody in the middle, or one player's own. Tapped to be kept or thrown again. */
import { useEffect, useState } from "react";
import { Die } from "../cards/Die";
import type { DiceLayout, DiceView } from "../protocol/types";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { diceFit, type Size } from "./geometry";
import { HitArea } from "./HitArea";

/** Share of a die that is left free around it. */
const GAP = 0.16;

/** The dice of an owner. Of those somebody has, one that is not rolled while others are is out of play, and not shown. */
export function inPlay(layout: DiceLayout, shown: DiceView | undefined, owner: number | null): number[] {
  const own = layout.owners.flatMap((of, element) => (of === owner ? [element] : []));
  const isUp = (element: number) => shown?.faces[element] !== 0 || layout.low <= 0;
  return owner === null || !own.some(isUp) ? own : own.filter(isUp);
}

/** `room`: what the dice of nobody may take up; one's own are as large as the place for them. */
export function DiceTray({ owner = null, room }: { owner?: number | null; room?: Size }) {
  const { table, view, snapshot, stateOf, rem } = useTable();
  const [thrown, setThrown] = useState(0);
  const { segment } = snapshot;
  useEffect(() => {
    if (segment?.events.some((event) => "rolled" in event)) setThrown((times) => times + 1);
  }, [segment]);
  const trays = table.dice.map((layout, dice) => {
    return { layout, dice, elements: inPlay(layout, view.dice[dice], owner) };
  });
  const shown = trays.filter(({ elements }) => elements.length > 0);
  const sized = (count: number): React.CSSProperties | undefined => {
    if (!room) return undefined;
    const { size, columns } = diceFit(count, { ...room, height: room.height / shown.length }, 7 * rem, GAP);
    const gap = Math.round(size * GAP);
    const width = columns * size + (columns + 1) * gap;
    return { "--die": `${size}px`, gap, padding: gap, width } as React.CSSProperties;
  };
  return shown.map(({ layout, dice, elements }) => (
    <div key={layout.id} className="dice-tray" aria-label={layout.title} role="group" style={sized(elements.length)}>
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
            {state !== "idle" && <HitArea target={{ kind: "die", dice, element }} state={state} label={label} />}
          </span>
        );
      })}
    </div>
  ));
}
