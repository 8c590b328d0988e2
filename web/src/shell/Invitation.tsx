/**
 * The page of a table's link for somebody without a name: the game, the host, who sits there, how many seats are left.
 * It asks for a name only if there is a seat; otherwise the first page says why not, and offers to watch.
 */
import { type FormEvent, Fragment, useEffect, useState } from "react";
import { factsOf } from "../home/facts";
import { GamePicture } from "../home/GamePicture";
import { http } from "../protocol/http";
import { myName } from "../protocol/identity";
import { type Definition, type ErrorCode, limits, type Refused, type TableCard } from "../protocol/types";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";

export interface InvitationProps {
  code: string;
  /** Why the last name was refused. */
  refused: string;
  onName: (name: string) => void;
  onWatch: () => void;
  /** Nobody new gets a seat at this table. */
  onNoSeat: (refused: Refused) => void;
  /** The gallery passes these; otherwise the page fetches them. */
  given?: { card: TableCard; game: Definition };
}

export default function Invitation({ code, refused, onName, onWatch, onNoSeat, given }: InvitationProps) {
  const [name, setName] = useState(myName());
  const [card, setCard] = useState<TableCard | null>(given?.card ?? null);
  const [game, setGame] = useState<Definition | null>(given?.game ?? null);
  useEffect(() => {
    if (given) return;
    let isCurrent = true;
    // If the table can't be looked up, the name is asked all the same: joining tells the reason.
    http.table(code).then(
      (found) => {
        if (!isCurrent) return;
        if (found.onlyWatch) return onNoSeat({ error: reasonOf(found, found.onlyWatch), text: "" });
        setCard(found);
        http.game(found.definitionId).then(
          (game) => isCurrent && setGame(game),
          () => undefined,
        );
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [code, given, onNoSeat]);
  const heading = card ? headingOf(card) : text.brand;
  useEffect(() => {
    if (!card) return;
    document.title = `${heading} · ${text.brand}`;
    return () => {
      document.title = text.brand;
    };
  }, [card, heading]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <main className="name-page" data-cloth={game?.theme.cloth ?? "green"}>
      <div className="invitation">
        <div className="invitation-picture">{game && <GamePicture game={game} />}</div>
        <div className="invitation-words">
          <h1>{heading}</h1>
          {/* The lines keep their room while they load, so that nothing jumps. */}
          <p className="game-facts">{game ? factsOf(game) : "\u00a0"}</p>
          <p className="invitation-seats">{card ? <Seats card={card} /> : "\u00a0"}</p>
        </div>
        <form className="name-form" onSubmit={submit}>
          <label className="option">
            <span>{text.name.label}</span>
            <input
              className="field"
              value={name}
              // biome-ignore lint/a11y/noAutofocus: the page asks for this and nothing else.
              autoFocus
              autoComplete="nickname"
              enterKeyHint="go"
              maxLength={limits.nameChars}
              placeholder={text.name.placeholder}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          {refused && <p role="alert">{refused}</p>}
          <button type="submit" className="button primary" disabled={name.trim() === ""}>
            {text.name.go}
          </button>
          {card?.door === "ask" && <p className="message secondary">{text.invite.ask}</p>}
          <button type="button" className="button secondary" onClick={onWatch}>
            {text.invite.justWatch}
          </button>
        </form>
      </div>
    </main>
  );
}

const headingOf = (card: TableCard): string =>
  card.host ? text.invite.heading(isolateName(card.host), card.title) : text.invite.noHost(card.title);

/** A finished game takes nobody in because it is over. */
const reasonOf = ({ status }: TableCard, why: ErrorCode): ErrorCode => (status === "ended" ? "table/over" : why);

/** Who sits there, and how many seats there are. */
function Seats({ card }: { card: TableCard }) {
  const seated = card.players.length + card.bots;
  return (
    <>
      {card.seats !== undefined && <strong>{text.invite.seats(seated, card.seats)}</strong>}
      {card.players.length > 0 && ": "}
      {card.players.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the names have an order and no ids.
        <Fragment key={at}>
          {at > 0 && ", "}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {card.bots > 0 && ` + ${text.invite.bots(card.bots)}`}
    </>
  );
}
