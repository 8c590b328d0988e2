/** Reactions: an emoji over the person who sent it, for a moment; and the buttons to send one. */
import { useEffect, useState } from "react";
import { limits } from "../protocol/types";
import type { Reaction } from "../state/store";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { useTable } from "./context";
import "./reactions.css";

/** Milliseconds that a reaction stays. */
const REACTION_MS = 2600;

/** The reaction of a seat's player; `null` for the reactions of spectators. */
export function SeatReaction({ seat }: { seat: number | null }) {
  const { snapshot, info, fade } = useTable();
  const seatOf = ({ from }: Reaction) => info.players.find(({ id }) => id === from)?.seat ?? null;
  return snapshot.reactions
    .filter((reaction) => seatOf(reaction) === seat)
    .map((reaction) => <ReactionBubble key={reaction.id} reaction={reaction} onDone={fade} />);
}

function ReactionBubble({ reaction, onDone }: { reaction: Reaction; onDone: (id: number) => void }) {
  const { info } = useTable();
  useEffect(() => {
    const timer = setTimeout(() => onDone(reaction.id), REACTION_MS);
    return () => clearTimeout(timer);
  }, [reaction.id, onDone]);
  const who = [...info.players, ...info.spectators].find(({ id }) => id === reaction.from)?.name ?? "";
  return (
    <span className="reaction-over" role="status" aria-label={text.table.reacted(isolateName(who), reaction.emoji)}>
      <span aria-hidden="true">{reaction.emoji}</span>
    </span>
  );
}

export function ReactionPicker() {
  const { act } = useTable();
  const [open, setOpen] = useState(false);
  return (
    <span className="reaction-picker" data-keep>
      <button
        type="button"
        className="reaction-open"
        aria-label={text.table.react}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="8.6" />
          <path d="M8.4 14.2c1.9 2.6 5.3 2.6 7.2 0M9.1 9.7v.1M14.9 9.7v.1" />
        </svg>
      </button>
      {open && (
        <span className="reaction-row" role="group" aria-label={text.table.react}>
          {limits.reactions.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className="reaction"
              aria-label={emoji}
              onClick={() => {
                act({ type: "react", reaction: emoji });
                setOpen(false);
              }}
            >
              {emoji}
            </button>
          ))}
        </span>
      )}
    </span>
  );
}
