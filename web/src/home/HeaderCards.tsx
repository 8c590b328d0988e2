/** Two small fans of cards in the header of the first page. */
import { Card } from "../cards/Card";
import { Symbols } from "../cards/Symbols";
import type { CardFace } from "../protocol/types";
import { useViewport } from "../table/useSize";

export default function HeaderCards() {
  const { rem, width } = useViewport();
  if (width < 900) return null;
  const fan = (signs: string[], side: string) => (
    <span className={`head-cards ${side}`} aria-hidden="true">
      {signs.map((sign) => (
        <Card key={sign} face={standardFace(sign)} theme={{ back: "weave", emblem: "" }} width={6.2 * rem} />
      ))}
    </span>
  );
  return (
    <>
      <Symbols />
      {fan(["10♥", "K♠", "A♥"], "left")}
      {fan(["Q♦", "J♣", "7♠"], "right")}
    </>
  );
}

const standardFace = (sign: string): CardFace => ({
  deck: "",
  template: "pips",
  label: sign,
  attributes: { rank: sign.slice(0, -1), suit: sign.slice(-1) },
});
