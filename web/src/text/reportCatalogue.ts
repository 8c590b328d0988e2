/** The texts of a report to the operator, which only the panels need. */
export const reportText = {
  line: (name: string) => `Report what ${name} wrote`,
  name: "Report this name",
  lineSure: (name: string) => `Send what ${name} wrote here to the people who run this server?`,
  cards: "Words on the table",
  card: (words: string) => `Report the words “${words}”`,
  cardSure: (words: string) => `Send the words “${words}” to the people who run this server?`,
  packs: "Packs that somebody uploaded",
  pack: (name: string) => `Report the pack “${name}”`,
  packSure: (name: string) => `Tell the people who run this server about the pack “${name}”?`,
  nameSure: (name: string) => `Tell the people who run this server about the name “${name}”?`,
  send: "Report",
  done: "Reported. The people who run this server will see it. Thank you.",
  failed: "Not reported. Try again in a moment.",
} as const;
