// The way back from the compact form of a batch (docs/protocol.md). Twin of crates/protocol/src/compact/expand.rs;
// vectors/compact.json holds both to the same answers.

/** `[seq, cause, events, clocks?]` */
export type WireBatch = [seq: number, cause: WireCause, events: WireEvent[], clocks?: [decision: number, ms: number][]];
/** `"start"`, the seat that moved, or `[kind of input, seat?]` */
export type WireCause = "start" | number | [kind: string, seat?: number];
/** A letter, then what the event needs. */
export type WireEvent = [letter: string, ...rest: any[]];
export type WireLine = string | (string | number | [face: number] | { w: string })[];

export interface ExpandedBatch {
  batch: Batch;
  /** Milliseconds left by decision, when the batch was sent. */
  clocks: [number, number][];
}

export function expandBatch(wire: WireBatch): ExpandedBatch {
  const [seq, cause, events, clocks] = wire;
  return { batch: { seq, cause: expandCause(cause), events: events.map(expandEvent) }, clocks: clocks ?? [] };
}

function expandCause(cause: WireCause): Cause {
  if (cause === "start") return "start";
  if (typeof cause === "number") return { move: { seat: cause } };
  return { input: { kind: cause[0], seat: cause[1] ?? null } };
}

export function expandEvent(e: WireEvent): Event {
  switch (e[0]) {
    case "m":
      return { moved: { from: e[1], to: e[2], count: e[3], gone: e[4] ?? [], came: (e[5] ?? []).map(expandPlaced) } };
    case "z":
      return { zone: { zone: e[1], view: { content: expandContent(e[2]), turned: e[3] === 1 } } };
    case "c":
      return { cards: { zone: e[1], cards: e[2].map(expandCard) } };
    case "t":
      return { turned: { zone: e[1], turned: e[2] === 1 } };
    case "x":
      return { shuffled: { zone: e[1] } };
    case "v":
      return { value: { var: e[1], element: e[2], value: e[3] } };
    case "d":
      return { dice: { dice: e[1], element: e[2], face: e[3] } };
    case "r":
      return { rolled: { dice: e[1], elements: e[2] } };
    case "p":
      return { phase: { phase: e[1] } };
    case "l":
      return { lead: { seat: e[1] } };
    case "k":
      return { paused: { paused: e[1] === 1 } };
    case "i":
      return { seat: { seat: e[1], view: expandSeat(e) } };
    case "h":
      return { highlights: { handles: e[1] } };
    case "s":
      return { status: { lines: e[1].map(expandLine) } };
    case "w":
      return { waiting: { waiting: e[1].map(expandWaiting) } };
    case "q":
      return { decision: { decision: e[1] === null ? null : expandDecision(e[1]) } };
    case "a":
      return { announced: { text: expandLine(e[1]), kind: e[2] } };
    case "e":
      return { revealed: { text: e[1] === null ? null : expandLine(e[1]), zone: e[2], faces: e[3] } };
    case "o":
      return { outcome: { outcome: e[1] } };
    default:
      throw new Error(`unknown event ${e[0]}`);
  }
}

export function expandLine(line: WireLine): Line {
  if (typeof line === "string") return [{ text: line }];
  return line.map((piece): Piece => {
    if (typeof piece === "string") return { text: piece };
    if (typeof piece === "number") return { seat: piece };
    if (Array.isArray(piece)) return { face: piece[0] };
    return { written: piece.w };
  });
}

function expandCard(card: any): CardView {
  if (typeof card === "number") return { handle: card };
  const [handle, face, by, written] = card;
  return without({ handle, face, written, by });
}

function expandPlaced([at, card]: [number, any]): Placed {
  return { at, card: expandCard(card) };
}

function expandContent(content: any): Content {
  if (content === null) return "nothing";
  if (typeof content === "number") return { count: content };
  return { cards: content.map(expandCard) };
}

function expandSeat(e: any): SeatView {
  const flags: number = e[2];
  return {
    playing: (flags & 1) !== 0,
    present: (flags & 2) !== 0,
    person: (flags & 4) !== 0,
    pending: (flags & 8) !== 0,
    turn: (flags & 16) !== 0,
    badges: (e[3] ?? []).map(([kind, label, value]: any) =>
      without({ kind, label: optionalLine(label), value: optionalLine(value) }),
    ),
    status: (e[4] ?? []).map(([word, label]: any) => without({ word, label: optionalLine(label) })),
  };
}

function expandWaiting([seat, decision, prompt, clock]: any): Waiting {
  const runs = clock ? { decision: clock[0], seconds: clock[1] } : undefined;
  return without({ seat, decision, prompt: optionalLine(prompt), clock: runs });
}

export function expandDecision([id, prompt, alternatives]: any): DecisionView {
  return without({ id, prompt: optionalLine(prompt), alternatives: alternatives.map(expandAlternative) });
}

function expandAlternative([index, name, label, legal, parts, combinations]: any): AlternativeView {
  return without({ name, label: expandLine(label), index, legal: legal === 1, parts: parts.map(expandPart), combinations });
}

function expandPart(p: any): PartView {
  return { name: p[0], kind: expandKind(p) };
}

function expandKind(p: any): PartKindView {
  switch (p[1]) {
    case "card":
      return { card: { options: p[2], blocked: (p[3] ?? []).flatMap(expandBlocked) } };
    case "unseen":
      return { unseen: { zone: p[2], count: p[3] } };
    case "cards":
      return { cards: { low: p[2], high: p[3], options: p[4], ordered: p[5] === 1 } };
    case "sets":
      return { sets: { options: p[2] } };
    case "number":
      return { number: without({ low: p[2], high: p[3], only: p[4] }) };
    case "pile":
      return { pile: { options: p[2] } };
    case "player":
      return { player: { options: p[2] } };
    case "value":
      return { value: { options: p[2] } };
    case "yesno":
      return { yesno: { options: p[2] } };
    case "text":
      return { text: { most: p[2] } };
    case "dice":
      return { dice: without({ dice: p[2], first: p[3], count: p[4], only: p[5] }) };
    default:
      throw new Error(`unknown part ${p[1]}`);
  }
}

function expandBlocked([reason, ...handles]: any): Blocked[] {
  return handles.map((handle: number) => without({ handle, reason: optionalLine(reason) }));
}

function optionalLine(line: WireLine | null | undefined): Line | undefined {
  return line === null || line === undefined ? undefined : expandLine(line);
}

/** Absent fields are left out of views, so they are left out here too. */
function without<T extends object>(value: T): T {
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined || value[key] === null) delete value[key];
  }
  return value;
}
