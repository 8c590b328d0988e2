/** The words that players wrote on cards and that the viewer can read, each with a button to report them. */
import type { TableInfo, View } from "../protocol/types";
import type { Send } from "../shell/useAction";
import { writtenCards } from "../state/content";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { ReportButton } from "./Report";

export function WrittenWords({ view, info, send }: { view: View; info: TableInfo; send: Send }) {
  const cards = writtenCards(view);
  if (cards.length === 0) return null;
  return (
    <section aria-label={text.report.cards}>
      <p className="watchers">{text.report.cards}</p>
      <ul className="people written-words">
        {cards.map(({ handle, written = "", by }) => {
          const words = isolateName(written);
          const name = info.players.find(({ seat }) => by !== undefined && seat === by)?.name;
          return (
            <li key={handle}>
              <span className="person-name">
                <bdi>{written}</bdi>
                {name && (
                  <small>
                    <bdi>{name}</bdi>
                  </small>
                )}
              </span>
              <ReportButton
                about={{ kind: "card", handle }}
                label={text.report.card(words)}
                question={text.report.cardSure(words)}
                send={send}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
