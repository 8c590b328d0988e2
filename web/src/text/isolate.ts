/**
 * Names, and words that players write, inside sentences. By itself such a text is shown in a `<bdi>`. Inside a string,
 * one with right-to-left letters gets Unicode isolates, so that it does not reorder the words around it.
 */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [ISOLATE, END] = ["\u2068", "\u2069"];

export const isolateName = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END}` : name);

/** The first character of a name, as people see it, for the disc of a player. */
export function initial(name: string): string {
  const plain = name.replaceAll(ISOLATE, "").replaceAll(END, "");
  // Some browsers can't split text into characters as people see them; then the initial is the first code point.
  const [first] =
    "Segmenter" in Intl ? new Intl.Segmenter().segment(plain) : [...plain].map((segment) => ({ segment }));
  return first?.segment.toUpperCase() ?? "?";
}
