/** Another player's seat: name, connection, cards, badges, status, and whether it is their turn. */
import { memo } from "react";
import { Card, isTextCard } from "../cards/Card";
import type { BadgeView, Content, PlayerInfo } from "../protocol/types";
import { cardCount, visibleCards } from "../state/content";
import { text } from "../text/catalogue";
import { initial } from "../text/isolate";
import { lineText } from "../text/line";
import { isPresented, listBadges } from "./badges";
import { useEnvironment, useTable } from "./context";
import { HitArea } from "./HitArea";
import { MiniPile, SeatDice } from "./MiniPile";
import { SeatReaction } from "./Reactions";
import { fewHeldCards, heldCard, heldCardSpreadOver, heldCardTurn, maxHeldCardsDrawn } from "./sizes";
import "./seat.css";

export interface SeatProps {
  seat: number;
  held: number[];
  inFront: number[];
  style?: React.CSSProperties;
  /** `ring`: a seat round the table. `small`: a chip round the table. `chip`: a chip in a strip. */
  size?: "ring" | "small" | "chip";
}

export function Seat({ seat, held, inFront, style, size = "ring" }: SeatProps) {
  const { game, view, table, info, reader, stateOf, narrow } = useTable();
  const shown = view.seats[seat];
  if (!shown) return null;
  const badges = listBadges(table, view, seat, isPresented(game));
  const player = info.players.find((p) => p.seat === seat);
  const state = stateOf({ kind: "player", seat });
  const name = reader.nameOf(seat);
  const isOut = shown.status.some(({ word }) => word === "out" || word === "safe") || !shown.playing;
  const badgesOnPlate = size === "ring" ? ringPlateBadges(badges, narrow) : badges.length;
  const plate = (
    <>
      <Avatar name={name} player={player} person={shown.person} present={shown.present} />
      <span className="seat-words">
        <span className="seat-name">
          <bdi>{name}</bdi>
        </span>
        {badgesOnPlate > 0 && (
          <span className="seat-badges">
            <Badges badges={badges.slice(0, badgesOnPlate)} />
          </span>
        )}
      </span>
    </>
  );
  const kind = size === "small" ? "seat-ring seat-chip" : `seat-${size}`;
  const classes = `seat ${kind} ${shown.turn ? "has-turn" : ""} ${isOut ? "is-out" : ""} is-${state}`;
  return (
    <section className={classes} style={style} data-seat={seat} aria-label={seatLabel(name, shown.turn)}>
      <SeatReaction seat={seat} />
      {size === "ring" &&
        held.map((zone) => <HeldCards key={zone} zone={zone} content={view.zones[zone]?.content} name={name} />)}
      <div className="seat-plate">
        {plate}
        {state !== "idle" && (
          <HitArea target={{ kind: "player", seat }} state={state} label={text.table.choosePlayer(name)} />
        )}
      </div>
      <span className="seat-notes">
        <Badges badges={badges.slice(badgesOnPlate)} />
        {shown.pending && <span className="seat-status">{text.table.joining}</span>}
        {shown.status.map(({ word, label }) => (
          <span key={word} className={`seat-status status-${word}`}>
            {label ? lineText(label, reader) : word}
          </span>
        ))}
        {size === "ring" && inFront.map((zone) => <MiniPile key={zone} zone={zone} shown={view.zones[zone]} />)}
        <SeatDice seat={seat} />
      </span>
    </section>
  );
}

/** How many badges fit beside the name: two, or on a phone one short badge. The others are drawn below the plate. */
function ringPlateBadges(badges: BadgeView[], narrow: boolean): number {
  if (!narrow) return 2;
  const isLong = badges.length > 1 || badges.some(({ kind }) => kind === "title" || kind === "letters");
  return isLong ? 0 : 1;
}

const seatLabel = (name: string, turn: boolean) => (turn ? `${name}, ${text.table.turnOf(name)}` : name);

/**
 * A disc with the first letter of the name, or a robot's head for a bot. The dot shows the connection by colour and
 * by shape.
 */
export const Avatar = memo(function Avatar(props: {
  name: string;
  player: PlayerInfo | undefined;
  person: boolean;
  present: boolean;
}) {
  const { name, player, person, present } = props;
  const bot = player?.bot !== undefined || !person;
  const online = player ? player.presence === "active" : present;
  const away = player?.presence === "away";
  const words = bot ? text.table.bot : away ? text.table.away : online ? text.table.online : text.table.offline;
  const tone = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360;
  return (
    <span
      className="token"
      style={{ "--tone": tone } as React.CSSProperties}
      role="img"
      aria-label={words}
      title={words}
    >
      {bot ? <BotHead /> : <span aria-hidden="true">{initial(name)}</span>}
      {!bot && <span className={`dot ${away ? "away" : online ? "online" : "offline"}`} aria-hidden="true" />}
    </span>
  );
});

export function Badges({ badges }: { badges: BadgeView[] }) {
  const { reader } = useEnvironment();
  return badges.map((badge, i) => {
    const label = lineText(badge.label, reader);
    const value = lineText(badge.value, reader);
    const key = `${badge.kind}${String(i)}`;
    if (badge.kind === "letters") {
      if (!value) return null;
      return (
        <span key={key} className="badge badge-letters" role="img" aria-label={value}>
          {[...value].map((letter, at) => (
            <b key={`${letter}${String(at)}`}>{letter}</b>
          ))}
        </span>
      );
    }
    return (
      <span key={key} className={`badge badge-${badge.kind}`}>
        {label && <span className="badge-label">{label}</span>}
        {value && <b>{value}</b>}
      </span>
    );
  });
}

/** A small fan of backs with the count; of faces if the viewer may see them, as in a replay. */
const HeldCards = memo(function HeldCards(props: { zone: number; content: Content | undefined; name: string }) {
  const { zone, content, name } = props;
  const { face, theme, rem, narrow, openOverlay } = useEnvironment();
  if (!content || content === "nothing") return null;
  const cards = visibleCards(content);
  const count = cardCount(content);
  const drawn = Math.min(count, maxHeldCardsDrawn);
  const seen = cards.length > 0 && cards.every((card) => card.face !== undefined && !isTextCard(face(card.face)));
  const isFew = seen && count <= fewHeldCards;
  const amount = isFew ? "few" : "many";
  const width = heldCard(narrow)[amount] * rem;
  return (
    <div className={`held ${isFew ? "is-few" : seen ? "is-seen" : ""}`} data-zone={zone}>
      <span role="img" aria-label={text.table.cardsOf(name, count)}>
        {Array.from({ length: drawn }, (_, i) => {
          const along = drawn > 1 ? i / (drawn - 1) - 0.5 : 0;
          const spread = Math.min(1, drawn / heldCardSpreadOver[amount]);
          const turn = heldCardTurn[amount];
          const style = {
            transform: `translateX(calc(${along * spread} * var(--fan))) rotate(${along * turn * spread}deg)`,
          };
          return seen ? (
            <span key={String(i)} className="mini-face" style={style}>
              <Card face={face(cards[i]?.face)} theme={theme} width={width} />
            </span>
          ) : (
            <span key={String(i)} className="mini-back" style={style} data-face="down" />
          );
        })}
        {count > 0 && !isFew && <span className="held-count">{count}</span>}
      </span>
      {cards.length > 0 && (
        <button
          type="button"
          className="look-hit"
          aria-label={text.table.lookThrough(text.table.cardsOf(name, count))}
          onClick={() => openOverlay(zone)}
        />
      )}
    </div>
  );
});

function BotHead() {
  return (
    <svg viewBox="0 0 24 24" className="bot-head" aria-hidden="true">
      <path d="M12 2.5v3M6 7.5h12a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 17v-7A2.5 2.5 0 0 1 6 7.5ZM9 15.8h6" />
      <circle cx="8.6" cy="12" r="1.5" />
      <circle cx="15.4" cy="12" r="1.5" />
      <circle cx="12" cy="2.6" r="1.2" />
    </svg>
  );
}
