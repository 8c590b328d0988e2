/** The short explanation of a game: sentences of its rules, each with the cards, zones and dice that it is about. */
import type { CardFace, Definition, HowToLine, PreviewZone } from "../protocol/types";
import { facesOf, PicCard, PicDie } from "./GamePicture";
import "./how-to-play.css";

/** How many cards stand for a zone. */
const CARDS_OF_ZONE = 3;

export default function HowToPlay({ game }: { game: Definition }) {
  return (
    <ol className="how-to">
      {(game.howToPlay ?? []).map((line) => (
        <li key={line.text}>
          <Illustration game={game} line={line} />
          <p>{line.text}</p>
        </li>
      ))}
    </ol>
  );
}

function Illustration({ game, line }: { game: Definition; line: HowToLine }) {
  const { cloth = "green", back = "plain", emblem = "" } = game.theme;
  const { faces = [], dice = [] } = line;
  const zones = (line.zones ?? []).flatMap((id) => game.preview?.zones.find(({ zone }) => zone === id) ?? []);
  const kinds = dice.flatMap((name) => game.preview?.dice.find((kind) => kind.dice === name) ?? []);
  const isEmpty = faces.length + kinds.length + zones.length === 0;
  return (
    <span className="how-to-picture" data-cloth={cloth} aria-hidden="true">
      {faces.map((face) => (
        <PicCard key={face.label} face={face} />
      ))}
      {faces.length === 0 &&
        zones.slice(0, 2).map((zone) => <Zone key={zone.zone} game={game} zone={zone} back={back} />)}
      {kinds.map((kind, i) => (
        <PicDie key={kind.dice} kind={kind} nth={i} />
      ))}
      {isEmpty && <span className="pic-emblem">{emblem}</span>}
    </span>
  );
}

function Zone({ game, zone, back }: { game: Definition; zone: PreviewZone; back: string }) {
  const inZone: CardFace[] = facesOf(game, zone).slice(0, zone.shape === "pile" ? 1 : CARDS_OF_ZONE);
  return (
    <span className={`how-to-zone is-${zone.shape}`}>
      {inZone.map((face) =>
        zone.open ? (
          <PicCard key={face.label} face={face} />
        ) : (
          <span
            key={face.label}
            className={`pic-card pic-back back-${back} ${zone.shape === "pile" ? "pic-stock" : ""}`}
          />
        ),
      )}
    </span>
  );
}
