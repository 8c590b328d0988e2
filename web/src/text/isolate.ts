/**
 * Names inside sentences. A name by itself is shown in a `<bdi>`; within a label or a sentence that is one string, a name
 * with right-to-left letters stands between isolates, so that it does not turn the words around it.
 */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [ISOLATE, END] = ["\u2068", "\u2069"];

export const isolateName = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END}` : name);

/** What stands on somebody's disc: the first sign of the name, whole. */
export function initial(name: string): string {
  const plain = name.replaceAll(ISOLATE, "").replaceAll(END, "");
  // Some browsers can't tell where a sign ends; then its first part has to do.
  const [first] =
    "Segmenter" in Intl ? new Intl.Segmenter().segment(plain) : [...plain].map((segment) => ({ segment }));
  return first?.segment.toUpperCase() ?? "?";
}
