/**
 * The words that players wrote on cards or that came with somebody's pack, as far as the viewer can read them, each with a button to report
 * them. The server's own packs are the operator's words, so nobody needs to report them.
 */
import type { CardFace, TableInfo, View } from "../protocol/types";
import type { Send } from "../shell/useAction";
import { packWords, writtenCards } from "../state/content";
import { isolateName } from "../text/isolate";
import { reportText } from "../text/reportCatalogue";
import { ReportList } from "./ReportList";

interface WrittenWordsProps {
  view: View;
  info: TableInfo;
  faces: readonly CardFace[];
  send: Send;
}

export function WrittenWords({ view, info, faces, send }: WrittenWordsProps) {
  const nameAt = (by?: number) => info.players.find(({ seat }) => by !== undefined && seat === by)?.name;
  const written = writtenCards(view).map(({ handle, written = "", by }) => ({ handle, words: written, by }));
  const ofPacks = info.uploadedPacks ? packWords(view, faces).map((card) => ({ ...card, by: undefined })) : [];
  const items = [...written, ...ofPacks].map(({ handle, words, by }) => {
    const isolated = isolateName(words);
    return {
      about: { kind: "card", handle } as const,
      key: handle,
      words,
      below: nameAt(by),
      label: reportText.card(isolated),
      question: reportText.cardSure(isolated),
    };
  });
  return <ReportList title={reportText.cards} items={items} send={send} />;
}
