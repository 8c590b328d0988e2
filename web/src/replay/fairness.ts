/**
 * Checks from a replay whether a game was dealt fairly: the seed against the commitment, and every visible shuffle,
 * mix and roll against the seed and the players' nonces. It needs no rules, because the events show enough.
 *
 * Some uses of chance have no event, such as a random first player. If the rules file contains the word `random`, the
 * check may skip a few counters between two events; otherwise none.
 */
import type { CardView, Event, Replay, View } from "../protocol/types";
import { visibleCards } from "../state/content";
import { apply } from "../state/reduce";
import { FairChance, fromHex, sha256, toHex } from "./chance";

export interface Verdict {
  /** Whether the seed that the server revealed at the end fits the commitment from before the deal. */
  seedFits: boolean;
  /** How many shuffles and rolls the check has recomputed. */
  shuffles: number;
  rolls: number;
  /** Shuffles of zones whose order nobody sees, so that there is nothing to compare with. */
  unseen: number;
  /** The first step whose result does not follow from the seed; null if there is none. */
  wrong: number | null;
  /** The nonce of each seat, in the order in which the table used them. */
  nonces: { seat: number; text: string }[];
}

/** Upper bound on uses of chance without an event in a row. */
const MAX_SKIPPED = 12;

export function checkFairness(replay: Replay, dice: { low: number; high: number }[], ordered: boolean[]): Verdict {
  const seed = fromHex(replay.seed);
  const verdict: Verdict = {
    seedFits: seed.length === 32 && toHex(sha256(seed)) === replay.commitment,
    shuffles: 0,
    rolls: 0,
    unseen: 0,
    wrong: null,
    nonces: [],
  };
  const chance = new FairChance(seed);
  const skip = /\brandom\b/.test(replay.source) ? MAX_SKIPPED : 0;
  let next = 0;
  /** Finds the counter that gives the visible result. */
  const findCounter = (fits: (counter: number) => boolean): boolean => {
    for (let counter = next; counter <= next + skip; counter++) {
      if (!fits(counter)) continue;
      next = counter + 1;
      return true;
    }
    return false;
  };
  let view: View = replay.first;
  for (const [at, batch] of replay.batches.entries()) {
    const nonce = readNonce(replay.steps[at]);
    if (nonce) {
      chance.nonce(nonce.seat, nonce.bytes);
      verdict.nonces.push({ seat: nonce.seat, text: new TextDecoder().decode(nonce.bytes) });
    }
    const { events } = batch;
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as Event;
      let fair = true;
      if ("shuffled" in event) {
        const { zone } = event.shuffled;
        const after = orderAfterShuffle(events, i, zone);
        if (ordered[zone] && facesOf(view, zone).length < 2) {
          // A single card has only one order, but its shuffle has used a counter.
          next += 1;
        } else if (!ordered[zone] || !after) {
          // The shuffle has used a counter, but nobody sees the order of the result.
          next += 1;
          verdict.unseen += 1;
        } else {
          const before = facesOf(view, zone);
          const shown = key(after);
          fair = findCounter((counter) => key(chance.stream(counter).shuffled(before)) === shown);
          verdict.shuffles += 1;
        }
      } else if ("rolled" in event) {
        const { dice: which, elements } = event.rolled;
        const { low, high } = dice[which] ?? { low: 1, high: 6 };
        const shown = key(elements.map((element) => faceAfterRoll(view, events, i, which, element)));
        fair = findCounter((counter) => {
          const stream = chance.stream(counter);
          return key(elements.map(() => low + stream.below(high - low + 1))) === shown;
        });
        verdict.rolls += 1;
      } else {
        const mixed = findMix(view, events, i);
        if (mixed) {
          const shown = key(mixed.after);
          fair = findCounter(
            (counter) => key(chance.stream(counter).shuffled(mixed.before).slice(0, mixed.after.length)) === shown,
          );
          verdict.shuffles += 1;
        }
      }
      if (!fair) return { ...verdict, wrong: batch.seq };
      view = apply(view, event);
    }
  }
  return verdict;
}

/** The order after a shuffle, from the event that follows it. */
function orderAfterShuffle(events: Event[], from: number, zone: number): (number | null)[] | null {
  for (const event of events.slice(from + 1)) {
    if ("zone" in event && event.zone.zone === zone) return visibleCards(event.zone.view.content).map(faceOf);
    // Another event has changed the zone before its order was shown.
    if ("shuffled" in event && event.shuffled.zone === zone) return null;
    if ("moved" in event && (event.moved.from === zone || event.moved.to === zone)) return null;
  }
  return null;
}

/** The face of a die after a roll, from the events that follow the `rolled` event. */
function faceAfterRoll(view: View, events: Event[], from: number, dice: number, element: number): number | null {
  for (const event of events.slice(from + 1)) {
    if ("rolled" in event && event.rolled.dice === dice) break;
    if ("dice" in event && event.dice.dice === dice && event.dice.element === element) return event.dice.face;
  }
  return view.dice[dice]?.faces[element] ?? null;
}

/**
 * Finds piles that change places in random order: all of them move out of sight, and then all of them come back. `at`
 * is the event in which the first pile leaves.
 */
function findMix(view: View, events: Event[], at: number): { before: string[]; after: string[] } | null {
  const leaves = (event: Event | undefined) =>
    event && "moved" in event && event.moved.from !== null && event.moved.to === null ? event.moved.from : null;
  if (leaves(events[at]) === null || leaves(events[at - 1]) !== null) return null;
  const from: number[] = [];
  let i = at;
  for (let zone = leaves(events[i]); zone !== null; zone = leaves(events[i])) {
    from.push(zone);
    i += 1;
  }
  const after: string[] = [];
  for (; i < events.length; i++) {
    const event = events[i] as Event;
    if (!("moved" in event) || event.moved.from !== null || event.moved.to === null) break;
    after.push(key(event.moved.came.map(({ card }) => faceOf(card))));
  }
  if (after.length === 0) return null;
  // The engine sorts the piles by zone before it mixes them.
  const before = from.sort((a, b) => a - b).map((zone) => key(facesOf(view, zone)));
  return { before, after };
}

function readNonce(step: unknown): { seat: number; bytes: Uint8Array } | null {
  const input = (step as { Input?: { Nonce?: { seat: number; bytes: number[] } } } | undefined)?.Input;
  return input && typeof input === "object" && input.Nonce
    ? { seat: input.Nonce.seat, bytes: Uint8Array.from(input.Nonce.bytes) }
    : null;
}

const facesOf = (view: View, zone: number) => visibleCards(view.zones[zone]?.content).map(faceOf);

const faceOf = (card: CardView): number | null => card.face ?? null;

const key = (list: readonly unknown[]): string => list.join(",");
