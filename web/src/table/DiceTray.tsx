/**
 * Dice on the table: those that belong to no player, or those of one player. A decision may ask to pick some of them.
 */
import { useEffect, useState } from "react";
import { Die, dieName } from "../cards/Die";
import type { DiceLayout, DiceView } from "../protocol/types";
import { text } from "../text/catalogue";
import { useTable } from "./context";
import { fitDice, type Size } from "./geometry";
import { HitArea } from "./HitArea";
import { diceGap, maxDieSize } from "./sizes";

/** The dice of one owner. A player's die that is not rolled while others are is out of play, so it is left out. */
export function diceInPlay(layout: DiceLayout, shown: DiceView | undefined, owner: number | null): number[] {
  const own = layout.owners.flatMap((of, element) => (of === owner ? [element] : []));
  const isRolled = (element: number) => shown?.faces[element] !== 0 || layout.low <= 0;
  return owner === null || !own.some(isRolled) ? own : own.filter(isRolled);
}

/** `space` is the space for the dice in the middle; a player's own dice get their size from CSS. */
export function DiceTray({ owner = null, space }: { owner?: number | null; space?: Size }) {
  const { table, view, snapshot, stateOf, rem } = useTable();
  const [rollCount, setRollCount] = useState(0);
  const { segment } = snapshot;
  useEffect(() => {
    if (segment?.events.some((event) => "rolled" in event)) setRollCount((count) => count + 1);
  }, [segment]);
  const trays = table.dice.map((layout, dice) => {
    return { layout, dice, elements: diceInPlay(layout, view.dice[dice], owner) };
  });
  const shown = trays.filter(({ elements }) => elements.length > 0);
  const trayStyle = (count: number): React.CSSProperties | undefined => {
    if (!space) return undefined;
    const { size, columns } = fitDice(
      count,
      { ...space, height: space.height / shown.length },
      maxDieSize * rem,
      diceGap,
    );
    const gap = Math.round(size * diceGap);
    const width = columns * size + (columns + 1) * gap;
    return { "--die": `${size}px`, gap, padding: gap, width } as React.CSSProperties;
  };
  return shown.map(({ layout, dice, elements }) => (
    <div
      key={layout.id}
      className="dice-tray"
      aria-label={layout.title}
      role="group"
      style={trayStyle(elements.length)}
    >
      {elements.map((element) => {
        const face = view.dice[dice]?.faces[element] ?? null;
        const state = stateOf({ kind: "die", dice, element });
        const label =
          face === null
            ? text.table.dieHidden
            : face === 0 && layout.low > 0
              ? text.table.dieUnrolled
              : text.table.die(dieName(layout, face));
        const drawn = <Die face={face} layout={layout} />;
        const key = `${element}.${rollCount}`;
        const idle = state === "idle" ? { role: "img", "aria-label": label } : {};
        return (
          <span key={key} className={`tray-die is-${state} ${rollCount ? "thrown" : ""}`} {...idle}>
            {drawn}
            {state !== "idle" && <HitArea target={{ kind: "die", dice, element }} state={state} label={label} />}
          </span>
        );
      })}
    </div>
  ));
}
