/** Small things before a seat: piles with their count, and dice. */
import { memo } from "react";
import { Card, isReading } from "../cards/Card";
import { Cup, Die } from "../cards/Die";
import type { ZoneView } from "../protocol/types";
import { text } from "../text/catalogue";
import { useChoosing, useSurroundings, useTable } from "./context";
import { inPlay } from "./DiceTray";
import { Hit } from "./Hit";
import { LookHit } from "./Pile";

/** The top card, small, with a count. Nothing while it is empty. */
export const MiniPile = memo(function MiniPile(props: { zone: number; shown: ZoneView | undefined; large?: boolean }) {
  const { zone, shown, large = false } = props;
  const { table, face, theme, rem } = useSurroundings();
  const { stateOf } = useChoosing();
  const layout = table.zones[zone];
  if (!shown || !layout || shown.content === "nothing") return null;
  const count = "count" in shown.content ? shown.content.count : shown.content.cards.length;
  if (count === 0) return null;
  const top = "cards" in shown.content ? shown.content.cards[shown.content.cards.length - 1] : undefined;
  const width = (large ? 2.3 : 1.55) * rem;
  // A card to be read is too small to read here; its back says as much.
  const topFace = face(top?.face);
  const drawn = shown.turned || isReading(topFace) ? undefined : topFace;
  const state = stateOf({ kind: "pile", zone });
  const inner = (
    <>
      <Card face={drawn} theme={theme} width={width} />
      <span className="mini-count">{count}</span>
    </>
  );
  const label = text.table.pile(layout.title, count);
  const idle = state === "idle" ? { role: "img", "aria-label": label } : {};
  const open = state === "idle" && top !== undefined && !shown.turned;
  return (
    <span className={`mini-pile is-${state}`} data-zone={zone} title={label}>
      <span className="pile-drawn" {...idle}>
        {inner}
      </span>
      {state !== "idle" && <Hit target={{ kind: "pile", zone }} state={state} label={label} />}
      {open && <LookHit zone={zone} title={layout.title} />}
    </span>
  );
});

/** The dice that belong to a seat; those of nobody are in the middle. */
export function SeatDice({ seat }: { seat: number }) {
  const { table, view } = useTable();
  return table.dice.map((layout, dice) => {
    const own = inPlay(layout, view.dice[dice], seat);
    if (own.length === 0) return null;
    const faces = own.map((element) => view.dice[dice]?.faces[element] ?? null);
    if (faces.every((face) => face === null)) {
      return (
        <span key={layout.id} className="seat-dice" role="img" aria-label={text.table.cup}>
          <Cup />
        </span>
      );
    }
    // Not rolled, or all lost: nothing to see.
    if (layout.low > 0 && faces.every((face) => face === 0)) return null;
    return (
      <span key={layout.id} className="seat-dice">
        {own.map((element) => (
          <span key={element} className="mini-die">
            <Die face={view.dice[dice]?.faces[element] ?? null} low={layout.low} high={layout.high} />
          </span>
        ))}
      </span>
    );
  });
}
