/** The texts of the replay page, apart from `catalogue.ts` so that the first load does not contain them. */
import { plural } from "./catalogue";

export const replayText = {
  title: "Replay",
  back: "One step back",
  forward: "One step forward",
  first: "To the beginning",
  last: "To the end",
  play: "Play",
  pause: "Pause",
  speed: "Speed",
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  none: "There is no replay of this table. Only finished games have one.",
  hands: "All hands",
  fairness: {
    open: "Fairness",
    title: "Was it dealt fairly?",
    working: "Recomputing every shuffle and roll…",
    fair: "Yes: everything that can be recomputed here came out as it was shown.",
    unfair: "No: something here does not follow from what was promised.",
    seedFits: "The secret number told at the end is the one whose fingerprint was shown before the deal.",
    seedWrong: "The secret number told at the end does not fit its fingerprint.",
    promiseKept: "That fingerprint is the one this browser was shown before the deal.",
    promiseBroken: "That fingerprint is not the one this browser was shown before the deal.",
    notThere: "This browser did not play, so it can't say which fingerprint was shown before the deal.",
    shareUsed: "What this browser added to the shuffles was used.",
    shareMissing: "What this browser added to the shuffles was not used.",
    recomputed: (shuffles: number, rolls: number) =>
      [shuffles > 0 && plural(shuffles, "shuffle", "shuffles"), rolls > 0 && plural(rolls, "roll", "rolls")]
        .filter(Boolean)
        .join(" and ")
        .concat(" recomputed from it: the cards and dice came as they had to."),
    wrong: (step: number) => `Step ${step} should have come out differently.`,
    unseen: (n: number) =>
      `${plural(n, "shuffle", "shuffles")} of cards that are always shown sorted, so there is no order to compare here.`,
    more: "This page recomputes chance alone. The command `baize verify` also plays every move again by the rules.",
    commitment: "Fingerprint (commitment)",
    seed: "Secret number (seed)",
    nonceOf: (who: string) => `Added by ${who}`,
    empty: "nothing",
  },
} as const;
