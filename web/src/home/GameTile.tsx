/** A game in the list: one tap plays it against bots, another button makes a table for friends. */
import { useState } from "react";
import type { Definition } from "../protocol/types";
import { loadTable } from "../shell/TablePage";
import { text } from "../text/catalogue";
import { factsOf } from "./facts";
import { GamePicture } from "./GamePicture";
import { playNow } from "./playNow";

interface GameTileProps {
  game: Definition;
  /** The game does not fit what the visitor looks for. */
  isAside: boolean;
  wasPlayed: boolean;
  onFriends: (game: Definition) => void;
  /** Replaces the start of a game, in the gallery. */
  play?: (game: Definition) => Promise<void>;
}

export function GameTile({ game, isAside, wasPlayed, onFriends, play = playNow }: GameTileProps) {
  const [state, setState] = useState<"" | "making" | { refused: string }>("");
  const start = async () => {
    setState("making");
    // The table's scripts load while the server makes the table.
    void loadTable().catch(() => undefined);
    try {
      await play(game);
    } catch (error) {
      setState({ refused: error instanceof Error ? error.message : text.home.noGames });
    }
  };
  const isMaking = state === "making";
  return (
    <article className={`game ${isAside ? "is-aside" : ""}`}>
      <GamePicture game={game} />
      <div className="game-words">
        <p className="game-title">
          <strong>{game.name}</strong>
          {wasPlayed && <small className="game-played">{text.home.played}</small>}
        </p>
        <p className="game-facts">{factsOf(game)}</p>
        <p className="game-about">{game.description}</p>
      </div>
      <div className="game-actions">
        {/* Its area covers the whole tile. */}
        <button
          type="button"
          className="button primary small game-go"
          aria-label={`${isMaking ? text.home.dealing : text.home.playNow}: ${game.name}`}
          aria-busy={isMaking}
          disabled={isMaking}
          onClick={() => void start()}
        >
          {isMaking ? text.home.dealing : text.home.playNow}
        </button>
        <button
          type="button"
          className="button small game-friends"
          aria-label={`${text.home.withFriends}: ${game.name}`}
          onClick={() => onFriends(game)}
        >
          {text.home.withFriends}
        </button>
      </div>
      {typeof state === "object" && (
        <p className="game-refused" role="alert">
          {state.refused}
        </p>
      )}
    </article>
  );
}
