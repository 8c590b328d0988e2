/** A small picture of a game's table, drawn from its definition: zones, a few cards, dice, and the cloth. */
import type { CardFace, Definition, Preview, PreviewDice, PreviewZone } from "../protocol/types";
import "./game-picture.css";

/** How many things a picture has room for. */
const MAX_HAND = 5;
const MAX_MIDDLE = 3;
const MAX_DICE = 5;
const MAX_GRID = 9;

/** The preview of a definition that an older server has made. */
const NOTHING: Preview = { zones: [], faces: [], dice: [] };

export function GamePicture({ game }: { game: Definition }) {
  const { cloth = "green", back = "plain", emblem = "" } = game.theme;
  const { zones, faces, dice } = game.preview ?? NOTHING;
  const hand = zones.find((zone) => zone.own && zone.shape === "fan") ?? zones.find((zone) => zone.own);
  const open = zones.filter((zone) => !zone.own && zone.open);
  const stock = zones.find((zone) => !zone.own && !zone.open && zone.startsFull);
  const grid = open.find((zone) => zone.count > 3);
  const shownDice = dice
    .flatMap((kind) => Array<PreviewDice>(Math.min(MAX_DICE, kind.count)).fill(kind))
    .slice(0, MAX_DICE);
  // The faces are spread over the deck: the hand takes them from the left, the middle from the right.
  const inHand = hand ? facesOf(game, hand).slice(0, MAX_HAND) : [];
  const towards = open.find((zone) => zone.shape === "towards");
  const isEmpty = faces.length === 0 && shownDice.length === 0;
  return (
    <span className="game-picture" data-cloth={cloth} aria-hidden="true">
      {faces.length > 0 && <span className="pic-emblem is-behind">{emblem}</span>}
      {inHand.length > 0 && (
        <span className="pic-fan is-far">
          {inHand.slice(0, 4).map((face) => (
            <span key={face.label} className={`pic-card pic-back back-${back}`} />
          ))}
        </span>
      )}
      <span className={`pic-middle ${inHand.length > 0 ? "" : "is-alone"}`}>
        {grid ? (
          <PicGrid zone={grid} faces={faces} />
        ) : towards ? (
          <span className="pic-trick">
            {facesOf(game, towards)
              .slice(-MAX_MIDDLE)
              .map((face) => (
                <PicCard key={face.label} face={face} />
              ))}
          </span>
        ) : (
          <>
            {stock && faces.length > 0 && <span className={`pic-card pic-back pic-stock back-${back}`} />}
            {open.slice(0, MAX_MIDDLE - 1).map((zone, i) => {
              const face = facesOf(game, zone).at(-1 - i);
              return face && <PicCard key={zone.zone} face={face} />;
            })}
          </>
        )}
        {shownDice.map((kind, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dice of a picture have no ids.
          <PicDie key={i} kind={kind} nth={i} />
        ))}
        {isEmpty && <span className="pic-emblem">{emblem}</span>}
      </span>
      {inHand.length > 0 && (
        <span className="pic-fan">
          {inHand.map((face) =>
            hand?.open ? (
              <PicCard key={face.label} face={face} />
            ) : (
              <span key={face.label} className={`pic-card pic-back back-${back}`} />
            ),
          )}
        </span>
      )}
    </span>
  );
}

/** The faces that may lie in a zone. */
export function facesOf({ slots, decks, preview }: Definition, { zone }: PreviewZone): CardFace[] {
  const types = slots.find(({ id }) => id === zone)?.allowedCardTypes;
  return (preview ?? NOTHING).faces.filter(({ deck }) => !types || types.includes(decks[deck]?.cardType ?? deck));
}

function PicGrid({ zone, faces }: { zone: PreviewZone; faces: CardFace[] }) {
  const shown = Math.min(MAX_GRID, zone.count);
  return (
    <span className="pic-grid">
      {Array.from({ length: shown }, (_, i) => {
        const face = faces[(i * 3) % faces.length];
        // biome-ignore lint/suspicious/noArrayIndexKey: the piles of a picture have no ids.
        return face ? <PicCard key={i} face={face} /> : null;
      })}
    </span>
  );
}

/** A card at the size of a thumb nail: its rank and suit, its number, or lines instead of words. */
export function PicCard({ face }: { face: CardFace }) {
  const { suit, rank } = face.attributes ?? {};
  const number = face.number ?? undefined;
  const sign = face.sign?.picture ?? face.sign?.word ?? "";
  const isRed = suit === "♥" || suit === "♦";
  if (face.template === "text" || face.template === "prompt") {
    return <span className={`pic-card pic-text ${face.template === "prompt" ? "is-prompt" : ""}`} />;
  }
  if (suit !== undefined) {
    return (
      <span className={`pic-card ${isRed ? "is-red" : ""}`}>
        <b>{rank}</b>
        <i>{suit}</i>
      </span>
    );
  }
  if (number !== undefined) {
    return (
      <span className="pic-card pic-number" data-sign={(face.sign?.place ?? 0) % 6}>
        <b>{number}</b>
      </span>
    );
  }
  return (
    <span className="pic-card pic-number" data-sign={(face.sign?.place ?? 0) % 6}>
      <b>{[...(face.title ?? (sign || face.label))].slice(0, 2).join("")}</b>
    </span>
  );
}

/** Where the dots of a die lie, by the face it shows, in quarters of its width. */
const PIPS: Record<number, [number, number][]> = {
  1: [[2, 2]],
  2: [
    [1, 1],
    [3, 3],
  ],
  3: [
    [1, 1],
    [2, 2],
    [3, 3],
  ],
  4: [
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
  ],
  5: [
    [1, 1],
    [3, 1],
    [2, 2],
    [1, 3],
    [3, 3],
  ],
  6: [
    [1, 1],
    [3, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [3, 3],
  ],
};

/** One of several dice. They show different sides: pips for one to six, else what the side says or its number. */
export function PicDie({ kind: { low, high, faces }, nth }: { kind: PreviewDice; nth: number }) {
  const sides = Math.max(1, high - low + 1);
  const side = (nth * 3 + 4) % sides;
  const pips = !faces && low === 1 && high <= 6 ? PIPS[low + side] : undefined;
  const said = pips ? "" : (faces?.[side]?.sign ?? faces?.[side]?.word ?? String(low + side));
  const size = Math.min(2.2, 4.6 / Math.max(1, [...said].length));
  return (
    <svg className="pic-die" viewBox="0 0 4 4" aria-hidden="true">
      <rect width="4" height="4" rx="0.8" />
      {pips?.map(([x, y]) => (
        <circle key={`${x}${y}`} cx={x} cy={y} r="0.4" />
      ))}
      {said && (
        <text x="2" y={2 + size * 0.35} fontSize={size} textAnchor="middle">
          {said}
        </text>
      )}
    </svg>
  );
}
