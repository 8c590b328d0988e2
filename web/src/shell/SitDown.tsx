/** Offers a free seat to somebody who watches. */
import type { Definition, TableInfo, You } from "../protocol/types";
import { text } from "../text/catalogue";
import { go } from "./router";

interface SitDownProps {
  info: TableInfo;
  game: Definition;
  you: You;
}

export function SitDown({ info, game, you }: SitDownProps) {
  if (info.players.some(({ id }) => id === you.id) || you.watchingBecause === "seat/left") return null;
  const taken = info.players.filter(({ presence }) => presence !== "left").length;
  const takesNewcomers =
    info.status === "lobby" || (game.policies.newcomersPlay && ["playing", "paused"].includes(info.status));
  if (!takesNewcomers || info.starting || taken >= game.maxPlayers) return null;
  return (
    <section className="sit-down" aria-label={text.invite.sit}>
      <span>{text.invite.sitHow}</span>
      <button type="button" className="button primary small" onClick={() => go(`/t/${info.code}`)}>
        {text.invite.sit}
      </button>
    </section>
  );
}
