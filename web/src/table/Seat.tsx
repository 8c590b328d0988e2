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
import { MiniGroup } from "./MiniGroup";
import { MiniPile, SeatDice } from "./MiniPile";
import type { ZoneGroup } from "./placement";
import { SeatReaction } from "./Reactions";
import {
  fewHeldCards,
  heldCard,
  heldCardSpreadOver,
  heldCardTurn,
  maxHeldCardsDrawn,
  plateBadges,
  uncountedCards,
} from "./sizes";
import "./seat.css";
// These come after `seat.css`, because they override it.
import "./seatPiles.css";
import "./seatScreens.css";

export interface SeatProps {
  seat: number;
  held: number[];
  inFront: number[];
  before: ZoneGroup[];
  style?: React.CSSProperties;
  /** `ring`: a seat round the table. `chip`: a chip in a strip. */
  size?: "ring" | "chip";
}

export function Seat({ seat, held, inFront, before, style, size = "ring" }: SeatProps) {
  const { game, view, table, info, reader, stateOf, narrow } = useTable();
  const shown = view.seats[seat];
  if (!shown) return null;
  const badges = listBadges(table, view, seat, isPresented(game));
  const player = info.players.find((p) => p.seat === seat);
  const state = stateOf({ kind: "player", seat });
  const name = reader.nameOf(seat);
  const isOut = shown.status.some(({ word }) => word === "out") || !shown.playing;
  const isSafe = !isOut && shown.status.some(({ word }) => word === "safe");
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
  const classes = `seat seat-${size} ${shown.turn ? "has-turn" : ""} ${isOut ? "is-out" : ""} ${isSafe ? "is-safe" : ""} is-${state}`;
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
        {size === "ring" && before.map((group) => <MiniGroup key={group.id} group={group} />)}
        {size === "ring" && inFront.map((zone) => <MiniPile key={zone} zone={zone} shown={view.zones[zone]} />)}
        <SeatDice seat={seat} />
      </span>
    </section>
  );
}

/** Returns how many badges are drawn beside the name. The others are drawn below the plate. */
function ringPlateBadges(badges: BadgeView[], narrow: boolean): number {
  const isLong = badges.length > 1 || badges.some(({ kind }) => kind === "title" || kind === "letters");
  return narrow && isLong ? 0 : plateBadges(narrow);
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
      {!bot && <PresenceSign presence={away ? "away" : online ? "online" : "offline"} />}
    </span>
  );
});

/** The shapes differ as much as the colours: a disc, a crescent, a cross. */
const PRESENCE_SHAPES = {
  online: "M6 1.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 1 0 0-8.8Z",
  away: "M7.2 1.3A4.8 4.8 0 1 0 10.7 8 4.1 4.1 0 0 1 7.2 1.3Z",
  offline: "M3.2 1.5 6 4.3 8.8 1.5 10.5 3.2 7.7 6 10.5 8.8 8.8 10.5 6 7.7 3.2 10.5 1.5 8.8 4.3 6 1.5 3.2Z",
};

function PresenceSign({ presence }: { presence: keyof typeof PRESENCE_SHAPES }) {
  return (
    <svg className={`dot ${presence}`} viewBox="0 0 12 12" aria-hidden="true" data-presence={presence}>
      <path d={PRESENCE_SHAPES[presence]} />
    </svg>
  );
}

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
  const { table, face, theme, rem, narrow, openOverlay } = useEnvironment();
  if (!content || content === "nothing") return null;
  const cards = visibleCards(content);
  const count = cardCount(content);
  // A written card is one card more than others hold, so the number would tell who has written.
  const isUncounted = "count" in content && table.faces.some(({ blank }) => blank);
  const drawn = isUncounted ? Math.min(count, uncountedCards) : Math.min(count, maxHeldCardsDrawn);
  const seen = cards.length > 0 && cards.every((card) => card.face !== undefined && !isTextCard(face(card.face)));
  const isFew = seen && count <= fewHeldCards;
  const amount = isFew ? "few" : "many";
  const width = heldCard(narrow)[amount] * rem;
  return (
    <div className={`held ${isFew ? "is-few" : seen ? "is-seen" : ""}`} data-zone={zone}>
      <span role="img" aria-label={isUncounted ? text.table.handOf(name) : text.table.cardsOf(name, count)}>
        {Array.from({ length: drawn }, (_, i) => {
          const along = drawn > 1 ? i / (drawn - 1) - 0.5 : 0;
          const spread = Math.min(1, drawn / heldCardSpreadOver[amount]);
          const turn = heldCardTurn[amount];
          const style = {
            transform: `translateX(calc(${along * spread} * var(--fan))) rotate(${along * turn * spread}deg)`,
          };
          return seen ? (
            <span key={String(i)} className="mini-face" style={style}>
              <Card face={face(cards[i]?.face)} written={cards[i]?.written} theme={theme} width={width} />
            </span>
          ) : (
            <span key={String(i)} className="mini-back" style={style} data-face="down" />
          );
        })}
        {count > 0 && !isFew && !isUncounted && <span className="held-count">{count}</span>}
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
