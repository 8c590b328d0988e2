/**
 * Was it dealt fairly? Recomputed from a replay: the seed against what was promised, and every shuffle, mix and roll
 * that can be seen against the seed and the players' nonces. It needs no rules: what the events show is enough.
 *
 * Some uses of chance leave no event (a random player to begin). Where the rules file speaks of chance in that way, a
 * few counters may be skipped between what is seen; where it does not, none may.
 */
import type { CardView, Event, Replay, View } from "../protocol/types";
import { visibleCards } from "../state/content";
import { apply } from "../state/reduce";
import { FairChance, fromHex, sha256, toHex } from "./chance";

export interface Verdict {
  /** The seed told at the end is the one promised before the deal. */
  seedFits: boolean;
  /** Uses of chance that were recomputed and came out as they were shown. */
  shuffles: number;
  rolls: number;
  /** Shuffles of hands whose order is never shown, so that there is nothing to compare with. */
  unseen: number;
  /** The first step whose result is not what follows from the seed; null: there is none. */
  wrong: number | null;
  /** What each seat added, in the order in which it counted. */
  nonces: { seat: number; text: string }[];
}

/** Uses of chance without an event that are believed in a row. */
const MOST_SKIPPED = 12;

export function examine(replay: Replay, dice: { low: number; high: number }[], ordered: boolean[]): Verdict {
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
  const skip = /\brandom\b/.test(replay.source) ? MOST_SKIPPED : 0;
  let next = 0;
  /** Finds the use of chance that gives what was shown. */
  const found = (fits: (counter: number) => boolean): boolean => {
    for (let counter = next; counter <= next + skip; counter++) {
      if (!fits(counter)) continue;
      next = counter + 1;
      return true;
    }
    return false;
  };
  let view: View = replay.first;
  for (const [at, batch] of replay.batches.entries()) {
    const nonce = nonceOf(replay.steps[at]);
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
        const after = zoneAfter(events, i, zone);
        if (ordered[zone] && facesOf(view, zone).length < 2) {
          // One card has one order; but its shuffle had its counter.
          next += 1;
        } else if (!ordered[zone] || !after) {
          // It happened, so it has its counter; but its result lies in an order that nobody is shown.
          next += 1;
          verdict.unseen += 1;
        } else {
          const before = facesOf(view, zone);
          const shown = key(after);
          fair = found((counter) => key(chance.stream(counter).shuffled(before)) === shown);
          verdict.shuffles += 1;
        }
      } else if ("rolled" in event) {
        const { dice: which, elements } = event.rolled;
        const { low, high } = dice[which] ?? { low: 1, high: 6 };
        const shown = key(elements.map((element) => facesAfter(view, events, i, which, element)));
        fair = found((counter) => {
          const stream = chance.stream(counter);
          return key(elements.map(() => low + stream.below(high - low + 1))) === shown;
        });
        verdict.rolls += 1;
      } else {
        const mixed = mixAt(view, events, i);
        if (mixed) {
          const shown = key(mixed.after);
          fair = found(
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

/** What a shuffle left, told right after it. */
function zoneAfter(events: Event[], from: number, zone: number): (number | null)[] | null {
  for (const event of events.slice(from + 1)) {
    if ("zone" in event && event.zone.zone === zone) return visibleCards(event.zone.view.content).map(faceOf);
    // Anything else that touches the zone comes later: then the order it had is not told.
    if ("shuffled" in event && event.shuffled.zone === zone) return null;
    if ("moved" in event && (event.moved.from === zone || event.moved.to === zone)) return null;
  }
  return null;
}

/** A roll is told after the faces of its dice. */
function facesAfter(view: View, events: Event[], from: number, dice: number, element: number): number | null {
  for (const event of events.slice(from + 1)) {
    if ("rolled" in event && event.rolled.dice === dice) break;
    if ("dice" in event && event.dice.dice === dice && event.dice.element === element) return event.dice.face;
  }
  return view.dice[dice]?.faces[element] ?? null;
}

/**
 * Piles that change place in random order: all of them leave for nowhere, then all of them come from nowhere. Told at
 * the first that leaves.
 */
function mixAt(view: View, events: Event[], at: number): { before: string[]; after: string[] } | null {
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
  // Piles are put in order by their zone before they are mixed.
  const before = from.sort((a, b) => a - b).map((zone) => key(facesOf(view, zone)));
  return { before, after };
}

function nonceOf(step: unknown): { seat: number; bytes: Uint8Array } | null {
  const input = (step as { Input?: { Nonce?: { seat: number; bytes: number[] } } } | undefined)?.Input;
  return input && typeof input === "object" && input.Nonce
    ? { seat: input.Nonce.seat, bytes: Uint8Array.from(input.Nonce.bytes) }
    : null;
}

const facesOf = (view: View, zone: number) => visibleCards(view.zones[zone]?.content).map(faceOf);

const faceOf = (card: CardView): number | null => card.face ?? null;

const key = (list: readonly unknown[]): string => list.join(",");
