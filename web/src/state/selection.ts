/**
 * What a person has picked so far for an open decision, and what can be done with it.
 *
 * A selection holds the things that were picked (cards, a pile, a seat, …), not an alternative: the same card may
 * fit several alternatives, and each of them is asked whether it fits (`fitting`). Everything here is pure, knows no
 * game, and follows only what the decision offers.
 */
import type {
  AlternativeView,
  Answer,
  Chosen,
  DecisionView,
  FaceId,
  Handle,
  Line,
  PartKindView,
} from "../protocol/types";

export interface Selection {
  decision: number;
  /** In the order picked. */
  cards: Handle[];
  /** A face-down card, by position in a zone. */
  unseen: { zone: number; position: number } | null;
  /** A zone instance. */
  pile: number | null;
  player: number | null;
  /** Picked dice of one variable, by element. */
  dice: { dice: number; elements: number[] } | null;
  /** Values, numbers and yes/no, by `alternative.part`. */
  scalars: Record<string, number>;
  /** What was typed, by `alternative.part`. Kept while the decision is open, also over a lost connection. */
  texts: Record<string, string>;
}

/** Something on the table that can be pointed at. */
export type Target =
  | { kind: "card"; handle: Handle }
  | { kind: "unseen"; zone: number; position: number }
  | { kind: "pile"; zone: number }
  | { kind: "player"; seat: number }
  | { kind: "die"; dice: number; element: number };

/** How a target stands towards the open decision. */
export type TargetState = "idle" | "open" | "chosen" | "blocked";

/** The face of a card, for sets: any cards with the same faces will do. */
export type FaceOf = (handle: Handle) => FaceId | undefined;

export interface Fit {
  values: (Chosen | null)[];
  /** All parts are answered, nothing picked is left over, and the combination is legal. */
  complete: boolean;
}

export function emptySelection(decision: number): Selection {
  return { decision, cards: [], unseen: null, pile: null, player: null, dice: null, scalars: {}, texts: {} };
}

export const scalarKey = (alternative: number, part: number): string => `${alternative}.${part}`;

export function isEmpty(selection: Selection): boolean {
  return (
    selection.cards.length === 0 &&
    selection.unseen === null &&
    selection.pile === null &&
    selection.player === null &&
    selection.dice === null &&
    Object.keys(selection.scalars).length === 0
  );
}

/** Takes what is picked away, but not what was typed. */
export function cleared(selection: Selection): Selection {
  return { ...emptySelection(selection.decision), texts: selection.texts };
}

/**
 * The selection after the view has changed: what can still be picked stays picked. This is what lets a selection
 * survive other players' moves and a reconnect. Another decision begins with nothing.
 */
export function carried(selection: Selection, decision: DecisionView | undefined, faceOf: FaceOf): Selection {
  if (!decision) return isEmpty(selection) && selection.decision === 0 ? selection : emptySelection(0);
  if (selection.decision !== decision.id) return emptySelection(decision.id);
  const open = (target: Target) => targetState(decision, emptySelection(decision.id), target, faceOf) === "open";
  const cards = selection.cards.filter((handle) => open({ kind: "card", handle }));
  const { unseen, pile, player } = selection;
  const kept = {
    cards: cards.length === selection.cards.length ? selection.cards : cards,
    unseen: unseen && open({ kind: "unseen", ...unseen }) ? unseen : null,
    pile: pile !== null && open({ kind: "pile", zone: pile }) ? pile : null,
    player: player !== null && open({ kind: "player", seat: player }) ? player : null,
  };
  const same = kept.cards === selection.cards && kept.unseen === unseen && kept.pile === pile && kept.player === player;
  // The same object, so that nothing is drawn anew for it.
  return same ? selection : { ...selection, ...kept };
}

export function targetState(
  decision: DecisionView | undefined,
  selection: Selection,
  target: Target,
  faceOf: FaceOf,
): TargetState {
  if (!decision) return "idle";
  if (isChosen(selection, target)) return "chosen";
  let state: TargetState = "idle";
  for (const alternative of decision.alternatives) {
    for (const part of alternative.parts) {
      if (offers(part.kind, target, faceOf)) {
        if (alternative.legal) return "open";
        state = "blocked";
      } else if (refuses(part.kind, target)) {
        state = "blocked";
      }
    }
  }
  return state;
}

/** Why a card may not be picked, as the rules word it. */
export function blockedReason(decision: DecisionView | undefined, handle: Handle): Line | null {
  for (const alternative of decision?.alternatives ?? []) {
    for (const { kind } of alternative.parts) {
      if (!("card" in kind)) continue;
      const found = kind.card.blocked.find((blocked) => blocked.handle === handle);
      if (found?.reason) return found.reason;
    }
  }
  return null;
}

/** Where a target stands among its like in the open decision: the second of nine piles. Null where that says nothing. */
export function positionIn(decision: DecisionView | undefined, target: Target): { at: number; of: number } | null {
  for (const { parts } of decision?.alternatives ?? []) {
    for (const { kind } of parts) {
      if (target.kind === "pile" && "pile" in kind) {
        const at = kind.pile.options.findIndex(([, zone]) => zone === target.zone);
        if (at >= 0) return { at: at + 1, of: kind.pile.options.length };
      }
      if (target.kind === "player" && "player" in kind) {
        const at = kind.player.options.indexOf(target.seat);
        if (at >= 0) return { at: at + 1, of: kind.player.options.length };
      }
      if (target.kind === "die" && "dice" in kind && kind.dice.dice === target.dice) {
        const at = target.element - kind.dice.first;
        if (at >= 0 && at < kind.dice.count) return { at: at + 1, of: kind.dice.count };
      }
    }
  }
  return null;
}

/** The alternative that pointing at a card would answer, if there is just one and it takes just one thing. */
export function answeredBy(decision: DecisionView | undefined, handle: Handle, faceOf: FaceOf): AlternativeView | null {
  const target: Target = { kind: "card", handle };
  const offering = (decision?.alternatives ?? []).filter(
    (a) => a.legal && a.parts.some(({ kind }) => offers(kind, target, faceOf)),
  );
  const only = offering[0];
  return only && offering.length === 1 && only.parts.every(({ kind }) => takesOne(kind)) ? only : null;
}

/** Zones whose cards the decision is about, so that the rest of a hand can be dimmed with them. */
export function concernsCards(decision: DecisionView | undefined): boolean {
  return !!decision?.alternatives.some((a) => a.parts.some(({ kind }) => isCardPart(kind)));
}

/** What is picked after pointing at a target. */
export function tapped(decision: DecisionView, selection: Selection, target: Target, faceOf: FaceOf): Selection {
  const state = targetState(decision, selection, target, faceOf);
  if (state === "idle" || state === "blocked") return selection;
  switch (target.kind) {
    case "card":
      return { ...selection, cards: tappedCards(decision, selection.cards, target.handle, faceOf) };
    case "unseen":
      return {
        ...selection,
        unseen: state === "chosen" ? null : { zone: target.zone, position: target.position },
      };
    case "pile":
      return { ...selection, pile: state === "chosen" ? null : target.zone };
    case "player":
      return { ...selection, player: state === "chosen" ? null : target.seat };
    case "die": {
      const { dice, element } = target;
      const before = selection.dice?.dice === dice ? selection.dice.elements : [];
      const elements = state === "chosen" ? before.filter((other) => other !== element) : [...before, element];
      return { ...selection, dice: elements.length === 0 ? null : { dice, elements } };
    }
  }
}

/** How an alternative is answered by what is picked. */
export function fitting(alternative: AlternativeView, selection: Selection, faceOf: FaceOf): Fit {
  const assigned = assign(alternative, selection.cards, faceOf);
  const values = alternative.parts.map(({ kind }, at): Chosen | null => {
    if ("card" in kind) {
      const handle = assigned?.[at]?.[0];
      return handle === undefined ? null : { card: handle };
    }
    if ("cards" in kind) {
      const cards = assigned?.[at] ?? [];
      const { low, high } = kind.cards;
      return cards.length >= low && cards.length <= high && (cards.length > 0 || low === 0) ? { cards } : null;
    }
    if ("sets" in kind) {
      const cards = assigned?.[at] ?? [];
      const exact = kind.sets.options.some((option) => sameFaces(option, cards, faceOf));
      return exact ? { cards } : null;
    }
    if ("unseen" in kind) {
      const { unseen } = selection;
      return unseen?.zone === kind.unseen.zone ? { number: unseen.position } : null;
    }
    if ("pile" in kind) {
      const option = kind.pile.options.find(([, zone]) => zone === selection.pile);
      return option ? { number: option[0] } : null;
    }
    if ("player" in kind) {
      const { player } = selection;
      return player !== null && kind.player.options.includes(player) ? { number: player } : null;
    }
    if ("dice" in kind) {
      const { dice, first, count, only } = kind.dice;
      const picked = selection.dice?.dice === dice ? selection.dice.elements : [];
      if (picked.some((element) => element < first || element >= first + count)) return null;
      const mask = picked.reduce((bits, element) => bits | (1 << (element - first)), 0);
      return !only || only.includes(mask) ? { number: mask } : null;
    }
    if ("text" in kind) {
      const text = (selection.texts[scalarKey(alternative.index, at)] ?? "").trim();
      return text.length > 0 && [...text].length <= kind.text.most ? { text } : null;
    }
    const value = selection.scalars[scalarKey(alternative.index, at)];
    return value !== undefined && scalarOptions(kind).includes(value) ? { number: value } : null;
  });
  const leftOver = alternative.parts.some(({ kind }) => isCardPart(kind)) && assigned === null;
  const complete =
    alternative.legal && !leftOver && values.every((value) => value !== null) && isLegalTogether(alternative, values);
  return { values, complete };
}

/** The move an alternative would make with what is picked, if it is complete. */
export function moveOf(
  decision: DecisionView,
  alternative: AlternativeView,
  selection: Selection,
  faceOf: FaceOf,
): Answer | null {
  const { values, complete } = fitting(alternative, selection, faceOf);
  if (!complete) return null;
  return { decision: decision.id, alternative: alternative.index, parts: values.filter((v) => v !== null) };
}

/**
 * The move that pointing at a target makes by itself: there is exactly one alternative that what is picked
 * completes, and it takes one thing, so that nothing could be added. Sets and several cards wait for a button.
 */
export function moveByTap(decision: DecisionView, selection: Selection, faceOf: FaceOf): Answer | null {
  const answers = decision.alternatives.filter(
    (a) => a.parts.some(({ kind }) => isPicked(kind, selection)) && fitting(a, selection, faceOf).complete,
  );
  const only = answers[0];
  if (!only || answers.length > 1 || !only.parts.every(({ kind }) => takesOne(kind))) return null;
  return moveOf(decision, only, selection, faceOf);
}

/** Whether something was pointed at for this part; a subset of dice may be empty without that. */
function isPicked(kind: PartKindView, selection: Selection): boolean {
  if (isCardPart(kind)) return selection.cards.length > 0;
  if ("unseen" in kind) return selection.unseen !== null;
  if ("pile" in kind) return selection.pile !== null;
  if ("player" in kind) return selection.player !== null;
  return "dice" in kind && selection.dice !== null;
}

/** Values that an alternative offers for a part that is not something on the table. */
export function scalarOptions(kind: PartKindView): number[] {
  if ("number" in kind) {
    const { low, high, only } = kind.number;
    return only ?? Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
  }
  if ("value" in kind) return kind.value.options.map(([value]) => value);
  if ("yesno" in kind) return kind.yesno.options;
  return [];
}

export function isScalar(kind: PartKindView): boolean {
  return "number" in kind || "value" in kind || "yesno" in kind;
}

export function isCardPart(kind: PartKindView): boolean {
  return "card" in kind || "cards" in kind || "sets" in kind;
}

function takesOne(kind: PartKindView): boolean {
  if ("cards" in kind) return kind.cards.high === 1;
  return "card" in kind || "unseen" in kind || "pile" in kind || "player" in kind;
}

function isChosen(selection: Selection, target: Target): boolean {
  switch (target.kind) {
    case "card":
      return selection.cards.includes(target.handle);
    case "unseen":
      return selection.unseen?.zone === target.zone && selection.unseen.position === target.position;
    case "pile":
      return selection.pile === target.zone;
    case "player":
      return selection.player === target.seat;
    case "die":
      return selection.dice?.dice === target.dice && selection.dice.elements.includes(target.element);
  }
}

function offers(kind: PartKindView, target: Target, faceOf: FaceOf): boolean {
  switch (target.kind) {
    case "card": {
      const { handle } = target;
      if ("card" in kind) return kind.card.options.includes(handle);
      if ("cards" in kind) return kind.cards.options.includes(handle);
      if ("sets" in kind) {
        const face = faceOf(handle);
        return kind.sets.options.some(
          (o) => o.includes(handle) || o.some((h) => face !== undefined && faceOf(h) === face),
        );
      }
      return false;
    }
    case "unseen":
      return "unseen" in kind && kind.unseen.zone === target.zone && target.position < kind.unseen.count;
    case "pile":
      return "pile" in kind && kind.pile.options.some(([, zone]) => zone === target.zone);
    case "player":
      return "player" in kind && kind.player.options.includes(target.seat);
    case "die": {
      if (!("dice" in kind) || kind.dice.dice !== target.dice) return false;
      const { first, count, only } = kind.dice;
      const at = target.element - first;
      return at >= 0 && at < count && (!only || only.some((mask) => (mask >> at) & 1));
    }
  }
}

function refuses(kind: PartKindView, target: Target): boolean {
  return target.kind === "card" && "card" in kind && kind.card.blocked.some(({ handle }) => handle === target.handle);
}

function tappedCards(decision: DecisionView, cards: Handle[], handle: Handle, faceOf: FaceOf): Handle[] {
  if (cards.includes(handle)) return cards.filter((card) => card !== handle);
  const accepted = (candidate: Handle[]) =>
    decision.alternatives.some((a) => a.legal && assign(a, candidate, faceOf) !== null);
  if (cards.length > 0) {
    const added = [...cards, handle];
    if (accepted(added)) return added;
    const replaced = [...cards.slice(0, -1), handle];
    if (cards.length > 1 && !hasSets(decision) && accepted(replaced)) return replaced;
  }
  return suggestedSet(decision, handle, faceOf) ?? [handle];
}

const hasSets = (decision: DecisionView) =>
  decision.alternatives.some((a) => a.parts.some(({ kind }) => "sets" in kind));

/** With sets, the first card brings its like along: the option with most of its face, and least of others. */
function suggestedSet(decision: DecisionView, handle: Handle, faceOf: FaceOf): Handle[] | null {
  const face = faceOf(handle);
  const alike = (option: Handle[]) => option.filter((h) => faceOf(h) === face).length;
  let best: Handle[] | null = null;
  for (const alternative of decision.alternatives) {
    if (!alternative.legal) continue;
    for (const { kind } of alternative.parts) {
      if (!("sets" in kind)) continue;
      for (const option of kind.sets.options) {
        if (alike(option) === 0) continue;
        const better =
          !best || alike(option) > alike(best) || (alike(option) === alike(best) && option.length < best.length);
        if (better) best = option;
      }
    }
  }
  if (!best || best.includes(handle)) return best;
  // The option was told by other cards of the same face: the one pointed at takes the place of one of them.
  const swapped = best.findIndex((h) => faceOf(h) === face);
  return best.map((h, i) => (i === swapped ? handle : h));
}

/** Which picked cards answer which part, or null if some card finds no place. */
function assign(alternative: AlternativeView, cards: Handle[], faceOf: FaceOf): Handle[][] | null {
  const taken: Handle[][] = alternative.parts.map(() => []);
  for (const handle of cards) {
    const place = alternative.parts.findIndex(({ kind }, at) => {
      const here = taken[at] ?? [];
      if ("card" in kind) return here.length === 0 && kind.card.options.includes(handle);
      if ("cards" in kind) return here.length < kind.cards.high && kind.cards.options.includes(handle);
      if ("sets" in kind) return kind.sets.options.some((option) => within([...here, handle], option, faceOf));
      return false;
    });
    if (place < 0) return null;
    taken[place]?.push(handle);
  }
  return taken;
}

function tally(cards: Handle[], faceOf: FaceOf): Map<FaceId | string, number> {
  const counts = new Map<FaceId | string, number>();
  for (const handle of cards) {
    const face = faceOf(handle) ?? `#${handle}`;
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  return counts;
}

function within(cards: Handle[], option: Handle[], faceOf: FaceOf): boolean {
  if (cards.length > option.length) return false;
  const offered = tally(option, faceOf);
  for (const [face, count] of tally(cards, faceOf)) if ((offered.get(face) ?? 0) < count) return false;
  return true;
}

const sameFaces = (option: Handle[], cards: Handle[], faceOf: FaceOf) =>
  option.length === cards.length && within(cards, option, faceOf);

/** Whether the rules allow these answers together, where not every combination is legal. */
function isLegalTogether(alternative: AlternativeView, values: (Chosen | null)[]): boolean {
  if (!alternative.combinations) return true;
  const positions = alternative.parts.map(({ kind }, at) => positionOf(kind, values[at] ?? null));
  return alternative.combinations.some((legal) =>
    legal.every((p, at) => positions[at] === null || positions[at] === p),
  );
}

/** Position of an answer among a part's options; null where positions make no sense (several cards, text). */
function positionOf(kind: PartKindView, value: Chosen | null): number | null {
  if (value && "card" in value && "card" in kind) return kind.card.options.indexOf(value.card);
  if (!value || !("number" in value)) return null;
  const { number } = value;
  if ("pile" in kind) return kind.pile.options.findIndex(([index]) => index === number);
  if ("player" in kind) return kind.player.options.indexOf(number);
  if ("dice" in kind) return kind.dice.only ? kind.dice.only.indexOf(number) : number;
  if ("unseen" in kind) return number;
  return scalarOptions(kind).indexOf(number);
}
