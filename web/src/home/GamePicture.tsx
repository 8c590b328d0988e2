/** A picture of a game, drawn from its theme: the cloth, two backs, and the emblem on a card. */
import type { Definition } from "../protocol/types";

export function GamePicture({ game }: { game: Definition }) {
  const { cloth = "green", back = "plain", emblem = "" } = game.theme;
  return (
    <span className="game-picture" data-cloth={cloth} aria-hidden="true">
      <span className={`picture-card picture-back back-${back}`} />
      <span className={`picture-card picture-back back-${back}`} />
      <span className="picture-card picture-face">
        <span>{emblem}</span>
      </span>
    </span>
  );
}
