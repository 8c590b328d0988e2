/**
 * What a person has picked so far for an open decision, and which moves that allows.
 *
 * A selection holds the picked things (cards, a pile, a player, …) and no alternative, because the same card may fit
 * several alternatives; `fitAlternative` checks each of them. Everything here is pure, knows no game, and uses only
 * what the decision offers.
 */
import type {
  AlternativeView,
  Answer,
  Chosen,
  DecisionView,
  FaceId,
  Handle,
  PartKindView,
  RichText,
} from "../protocol/types";

export interface PlayerSelection {
  decision: number;
  /** Handles, in the order in which the person picked them. */
  cards: Handle[];
  /** A face-down card, by its position in a zone. */
  unseen: { zone: number; position: number } | null;
  /** The number of a zone. */
  pile: number | null;
  player: number | null;
  /** The picked dice of one dice variable, by element. */
  dice: { dice: number; elements: number[] } | null;
  /** Numbers, values and yes/no answers, by `scalarKey`. */
  scalars: Record<string, number>;
  /** Typed texts, by `scalarKey`. They stay while the decision is open, even if the connection is lost. */
  texts: Record<string, string>;
}

/** Something on the table that a person can point at. */
export type Target =
  | { kind: "card"; handle: Handle }
  | { kind: "unseen"; zone: number; position: number }
  | { kind: "pile"; zone: number }
  | { kind: "player"; seat: number }
  | { kind: "die"; dice: number; element: number };

/**
 * `idle`: the decision is not about this target. `open`: it can be picked. `chosen`: it is picked. `blocked`: it
 * can't be picked.
 */
export type TargetState = "idle" | "open" | "chosen" | "blocked";

/** Returns the face of a card. A set accepts any cards with the right faces. */
export type FaceOf = (handle: Handle) => FaceId | undefined;

export interface Fit {
  values: (Chosen | null)[];
  /** Every part has an answer, every picked card belongs to a part, and the combination is legal. */
  complete: boolean;
}

export function emptySelection(decision: number): PlayerSelection {
  return { decision, cards: [], unseen: null, pile: null, player: null, dice: null, scalars: {}, texts: {} };
}

export const scalarKey = (alternative: number, part: number): string => `${alternative}.${part}`;

export function isEmpty(selection: PlayerSelection): boolean {
  return (
    selection.cards.length === 0 &&
    selection.unseen === null &&
    selection.pile === null &&
    selection.player === null &&
    selection.dice === null &&
    Object.keys(selection.scalars).length === 0
  );
}

/** Clears the picked things and keeps the typed texts. */
export function clearPicked(selection: PlayerSelection): PlayerSelection {
  return { ...emptySelection(selection.decision), texts: selection.texts };
}

/**
 * The selection with which a decision begins: of an answer with several parts, the parts that have one candidate only.
 * A part that answers the decision by itself is never picked, because nobody has decided anything yet.
 */
export function preselect(decision: DecisionView): PlayerSelection {
  const selection = emptySelection(decision.id);
  const answers = decision.alternatives.filter(({ legal, parts }) => legal && parts.length > 0);
  for (const { index, parts } of answers) {
    if (parts.length < 2) continue;
    parts.forEach(({ kind }, part) => {
      if (isScalar(kind) && scalarOptions(kind).length === 1) {
        selection.scalars[scalarKey(index, part)] = scalarOptions(kind)[0] as number;
      }
      // A thing on the table may belong to several alternatives, so it is picked only if there is no other one.
      if (answers.length > 1) return;
      if ("pile" in kind && kind.pile.options.length === 1) selection.pile = kind.pile.options[0]?.[1] ?? null;
      if ("player" in kind && kind.player.options.length === 1) selection.player = kind.player.options[0] ?? null;
      if ("card" in kind && kind.card.options.length === 1) selection.cards = [...kind.card.options];
    });
  }
  return selection;
}

/** Whether the alternative has a part for everything that is picked. */
export function acceptsSelection(alternative: AlternativeView, selection: PlayerSelection, faceOf: FaceOf): boolean {
  const { parts } = alternative;
  if (selection.cards.length > 0 && assignCards(alternative, selection.cards, faceOf) === null) return false;
  const { pile, player, unseen } = selection;
  const takes = (target: Target) => parts.some(({ kind }) => offers(kind, target, faceOf));
  return (
    (pile === null || takes({ kind: "pile", zone: pile })) &&
    (player === null || takes({ kind: "player", seat: player })) &&
    (unseen === null || takes({ kind: "unseen", ...unseen }))
  );
}

/**
 * Returns the selection for a changed view. Whatever can still be picked stays picked, so that a selection survives
 * other players' moves and a reconnect. A new decision starts with an empty selection.
 */
export function carryOver(
  selection: PlayerSelection,
  decision: DecisionView | undefined,
  faceOf: FaceOf,
): PlayerSelection {
  if (!decision) return isEmpty(selection) && selection.decision === 0 ? selection : emptySelection(0);
  if (selection.decision !== decision.id) return preselect(decision);
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
  // Returning the same object keeps React from drawing the table again.
  return same ? selection : { ...selection, ...kept };
}

export function targetState(
  decision: DecisionView | undefined,
  selection: PlayerSelection,
  target: Target,
  faceOf: FaceOf,
): TargetState {
  if (!decision) return "idle";
  if (isSelected(selection, target)) return "chosen";
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

/** Returns the reason that the rules give for not picking a card. */
export function blockedReason(decision: DecisionView | undefined, handle: Handle): RichText | null {
  for (const alternative of decision?.alternatives ?? []) {
    for (const { kind } of alternative.parts) {
      if (!("card" in kind)) continue;
      const found = kind.card.blocked.find((blocked) => blocked.handle === handle);
      if (found?.reason) return found.reason;
    }
  }
  return null;
}

/**
 * Returns the position of a target among the options of its part, such as the second of nine piles. Null for cards,
 * whose position in the hand is read out instead.
 */
export function positionAmongOptions(
  decision: DecisionView | undefined,
  target: Target,
): { at: number; of: number } | null {
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

/**
 * Returns the alternative that pointing at a card answers, if exactly one alternative offers the card and it takes
 * nothing else.
 */
export function alternativeOfCard(
  decision: DecisionView | undefined,
  handle: Handle,
  faceOf: FaceOf,
): AlternativeView | null {
  const target: Target = { kind: "card", handle };
  const offering = (decision?.alternatives ?? []).filter(
    (a) => a.legal && a.parts.some(({ kind }) => offers(kind, target, faceOf)),
  );
  const only = offering[0];
  return only && offering.length === 1 && only.parts.every(({ kind }) => takesOne(kind)) ? only : null;
}

/** Returns the selection after a person has pointed at a target. */
export function selectTarget(
  decision: DecisionView,
  selection: PlayerSelection,
  target: Target,
  faceOf: FaceOf,
): PlayerSelection {
  const state = targetState(decision, selection, target, faceOf);
  if (state === "idle" || state === "blocked") return selection;
  switch (target.kind) {
    case "card":
      return { ...selection, cards: selectCard(decision, selection.cards, target.handle, faceOf) };
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

/** Matches the picked things with the parts of an alternative. */
export function fitAlternative(alternative: AlternativeView, selection: PlayerSelection, faceOf: FaceOf): Fit {
  const assigned = assignCards(alternative, selection.cards, faceOf);
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

/** Returns the move that the selection makes with this alternative, or null if something is missing. */
export function moveOfAlternative(
  decision: DecisionView,
  alternative: AlternativeView,
  selection: PlayerSelection,
  faceOf: FaceOf,
): Answer | null {
  const { values, complete } = fitAlternative(alternative, selection, faceOf);
  if (!complete) return null;
  return { decision: decision.id, alternative: alternative.index, parts: values.filter((v) => v !== null) };
}

/**
 * Returns the move that the selection makes without a button. There must be exactly one complete alternative, and
 * each of its parts must take one thing, so that nothing could be added. Sets and several cards always need a button.
 */
export function moveOfSelection(decision: DecisionView, selection: PlayerSelection, faceOf: FaceOf): Answer | null {
  const answers = decision.alternatives.filter(
    (a) => a.parts.some(({ kind }) => hasPickFor(kind, selection)) && fitAlternative(a, selection, faceOf).complete,
  );
  const only = answers[0];
  if (!only || answers.length > 1 || !only.parts.every(({ kind }) => takesOne(kind))) return null;
  return moveOfAlternative(decision, only, selection, faceOf);
}

/**
 * Whether the person has picked something for this part. An empty set of dice can be a complete answer, but nobody
 * has picked it.
 */
function hasPickFor(kind: PartKindView, selection: PlayerSelection): boolean {
  if (isCardPart(kind)) return selection.cards.length > 0;
  if ("unseen" in kind) return selection.unseen !== null;
  if ("pile" in kind) return selection.pile !== null;
  if ("player" in kind) return selection.player !== null;
  return "dice" in kind && selection.dice !== null;
}

/** The values that a part offers, if it asks for a number, a value or yes/no. */
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

function isSelected(selection: PlayerSelection, target: Target): boolean {
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

function selectCard(decision: DecisionView, cards: Handle[], handle: Handle, faceOf: FaceOf): Handle[] {
  if (cards.includes(handle)) return cards.filter((card) => card !== handle);
  const isAccepted = (candidate: Handle[]) =>
    decision.alternatives.some((a) => a.legal && assignCards(a, candidate, faceOf) !== null);
  if (cards.length > 0) {
    const added = [...cards, handle];
    if (isAccepted(added)) return added;
    const replaced = [...cards.slice(0, -1), handle];
    if (cards.length > 1 && !hasSets(decision) && isAccepted(replaced)) return replaced;
  }
  return suggestedSet(decision, handle, faceOf) ?? [handle];
}

const hasSets = (decision: DecisionView) =>
  decision.alternatives.some((a) => a.parts.some(({ kind }) => "sets" in kind));

/** For sets, the first card selects a whole set: the one with the most cards of the same face and the fewest others. */
function suggestedSet(decision: DecisionView, handle: Handle, faceOf: FaceOf): Handle[] | null {
  const face = faceOf(handle);
  const countAlike = (option: Handle[]) => option.filter((h) => faceOf(h) === face).length;
  let best: Handle[] | null = null;
  for (const alternative of decision.alternatives) {
    if (!alternative.legal) continue;
    for (const { kind } of alternative.parts) {
      if (!("sets" in kind)) continue;
      for (const option of kind.sets.options) {
        if (countAlike(option) === 0) continue;
        const better =
          !best ||
          countAlike(option) > countAlike(best) ||
          (countAlike(option) === countAlike(best) && option.length < best.length);
        if (better) best = option;
      }
    }
  }
  if (!best || best.includes(handle)) return best;
  // The server listed other cards of the same face, so the picked card replaces one of them.
  const swapped = best.findIndex((h) => faceOf(h) === face);
  return best.map((h, i) => (i === swapped ? handle : h));
}

/** Returns the picked cards of each part, or null if a card fits no part. */
function assignCards(alternative: AlternativeView, cards: Handle[], faceOf: FaceOf): Handle[][] | null {
  const taken: Handle[][] = alternative.parts.map(() => []);
  for (const handle of cards) {
    const place = alternative.parts.findIndex(({ kind }, at) => {
      const here = taken[at] ?? [];
      if ("card" in kind) return here.length === 0 && kind.card.options.includes(handle);
      if ("cards" in kind) return here.length < kind.cards.high && kind.cards.options.includes(handle);
      if ("sets" in kind) return kind.sets.options.some((option) => isSubset([...here, handle], option, faceOf));
      return false;
    });
    if (place < 0) return null;
    taken[place]?.push(handle);
  }
  return taken;
}

function countFaces(cards: Handle[], faceOf: FaceOf): Map<FaceId | string, number> {
  const counts = new Map<FaceId | string, number>();
  for (const handle of cards) {
    const face = faceOf(handle) ?? `#${handle}`;
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  return counts;
}

function isSubset(cards: Handle[], option: Handle[], faceOf: FaceOf): boolean {
  if (cards.length > option.length) return false;
  const offered = countFaces(option, faceOf);
  for (const [face, count] of countFaces(cards, faceOf)) if ((offered.get(face) ?? 0) < count) return false;
  return true;
}

const sameFaces = (option: Handle[], cards: Handle[], faceOf: FaceOf) =>
  option.length === cards.length && isSubset(cards, option, faceOf);

/** Whether the rules allow this combination of answers. */
function isLegalTogether(alternative: AlternativeView, values: (Chosen | null)[]): boolean {
  if (!alternative.combinations) return true;
  const positions = alternative.parts.map(({ kind }, at) => positionOf(kind, values[at] ?? null));
  return alternative.combinations.some((legal) =>
    legal.every((p, at) => positions[at] === null || positions[at] === p),
  );
}

/**
 * Returns the position of an answer among the options of its part; null for several cards and for texts, which have
 * no position.
 */
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
