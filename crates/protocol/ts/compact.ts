// Reads the compact form of a batch (docs/protocol.md), like crates/protocol/src/compact/read.rs and spelling.rs. Shared
// test vectors make sure that both agree.

/** A flat list in the notation of spelling.rs: seq, cause, letter, fields of the event …, letter, … */
export type WireBatch = string;
/** `"start"`, the seat that moved, or `[kind of input, seat?]` */
type WireCause = "start" | number | [kind: string, seat?: number];
/** The `texts` of the table's definition. */
export type Texts = string[][];

export interface ExpandedBatch {
  batch: Batch;
  /** What happened in the batch, in words for its viewer. */
  narrations: Narration[];
  /** The id of each decision with a clock, and the milliseconds left when the batch was sent. */
  clocks: [number, number][];
}

/** Kinds of announcements; the compact form has the index. */
const ANNOUNCEMENT_KINDS = ["toast", "shout", "banner", "notice", "log"];
/** Kinds of outcomes; the compact form has the index. */
const OUTCOME_KINDS = ["winners", "losers", "ranking", "everyone-wins", "everyone-loses", "draw", "void", "everyone-scores"];

/**
 * Kinds of narrations. One number has the kind and the place in the batch: the place times `KINDS`, plus the index of
 * the kind.
 */
const NARRATION_KINDS: NarrationKind[] = ["round", "move", "rules", "announcement", "score", "session", "outcome"];
const KINDS = 8;

export function expandBatch(wire: WireBatch, texts: Texts): ExpandedBatch {
  const [seq, cause, ...rest] = new Spelled(wire).values();
  const reader = new WireReader(rest, texts);
  const events: Event[] = [];
  const narrations: Narration[] = [];
  const clocks: [number, number][] = [];
  while (!reader.done) reader.event(events, narrations, clocks);
  return { batch: { seq, cause: expandCause(cause), events }, narrations, clocks };
}

/** Reads the notation of a batch. */
class Spelled {
  private at = 0;
  /** The last text between backticks, for `~`. */
  private last: string | undefined;

  constructor(private readonly text: string) {}

  /** Reads values up to the character `end`, or to the end of the text. */
  values(end?: string): any[] {
    const found: any[] = [];
    for (;;) {
      const next = this.text[this.at];
      if (next === end) {
        this.at++;
        return found;
      }
      if (next === ",") this.at++;
      else if (next === "*" && end !== undefined) {
        this.at++;
        const [again, times] = [known(found.at(-1)), Number(this.match(NUMBER))];
        for (let n = 1; n < times; n++) found.push(again);
      } else found.push(this.value(end === undefined));
    }
  }

  private value(outside: boolean): any {
    const first = this.text[this.at] ?? "";
    if (NUMBER_BEGINS.test(first)) return Number(this.match(NUMBER));
    this.at++;
    if (first === "_") return null;
    if (first === "'") return this.match(BARE);
    if (first === "`") this.last = this.match(QUOTED).slice(0, -1).replace(/\\(.)/gs, "$1");
    if (first === "`" || first === "~") return known(this.last);
    if (first === "[") return this.values("]");
    if (first === "#") return [...this.match(DIGITS)].map((digit) => (digit === "." ? null : Number(digit)));
    if (first === "<") {
      const [number, ...holes] = this.values(">");
      return [-1 - number, ...holes];
    }
    if (first === "{") {
      const name = this.text[this.at++] ?? "";
      return { [name]: this.values("}")[0] };
    }
    if (outside && /[a-z]/i.test(first)) return first;
    throw new Error(`a batch does not say ${first}`);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = known(pattern.exec(this.text)?.[0]);
    this.at += found.length;
    return found;
  }
}

const NUMBER_BEGINS = /[-\d]/;
const NUMBER = /-?\d+/y;
const BARE = /[\d().:/%+]*/y;
const DIGITS = /[\d.]*/y;
const QUOTED = /(?:[^`\\]|\\.)*`/sy;

/** Reads a flat list from front to back. */
class WireReader {
  private at = 0;
  /** The last list of waiting players in this batch, to which a decision may refer. */
  private waiting: Waiting[] = [];

  constructor(
    private readonly rest: any[],
    private readonly texts: Texts,
  ) {}

  get done(): boolean {
    return this.at >= this.rest.length;
  }

  private next(): any {
    if (this.done) throw new Error("the batch ends too early");
    return this.rest[this.at++];
  }

  /** The next value unless it is the letter of the next event. */
  private nextBeforeLetter(): any {
    return this.done || typeof this.rest[this.at] === "string" ? undefined : this.next();
  }

  /** All values before the next letter. */
  private allBeforeLetter(): any[] {
    const all: any[] = [];
    for (let value = this.nextBeforeLetter(); value !== undefined; value = this.nextBeforeLetter()) all.push(value);
    return all;
  }

  event(events: Event[], narrations: Narration[], clocks: [number, number][]): void {
    const texts = this.texts;
    const letter = this.next();
    switch (letter) {
      case "m":
        events.push(this.moved());
        break;
      case "n":
      case "g": {
        const [from, to, first] = [place(this.next()), place(this.next()), this.next()];
        const came = this.allBeforeLetter().map((card, n) => ({ at: first + n, card: expandCard(card) }));
        const gone = letter === "g" ? came.map((placed) => placed.card.handle) : [];
        events.push({ moved: { from, to, count: came.length, gone, came } });
        break;
      }
      case "y":
        for (let from = this.nextBeforeLetter(); from !== undefined; from = this.nextBeforeLetter()) {
          events.push({ moved: { from: place(from), to: place(this.next()), count: 1, gone: [], came: [] } });
        }
        break;
      case "z": {
        const [zone, content, turned] = [this.next(), expandContent(this.next()), this.next() === 1];
        events.push({ zone: { zone, view: { content, turned } } });
        break;
      }
      case "c":
        events.push({ cards: { zone: this.next(), cards: this.next().map(expandCard) } });
        break;
      case "t":
        events.push({ turned: { zone: this.next(), turned: this.next() === 1 } });
        break;
      case "x":
        events.push({ shuffled: { zone: this.next() } });
        break;
      case "v":
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          const [first, values] = [this.next(), this.next()];
          each(values).forEach((value, n) => void events.push({ value: { var: of, element: first + n, value } }));
        }
        break;
      case "V":
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          events.push({ value: { var: of, element: 0, value: this.next() } });
        }
        break;
      case "d":
        for (let of = this.nextBeforeLetter(); of !== undefined; of = this.nextBeforeLetter()) {
          const [first, faces] = [this.next(), this.next()];
          each(faces).forEach((face, n) => void events.push({ dice: { dice: of, element: first + n, face } }));
        }
        break;
      case "R":
        for (let dice = this.nextBeforeLetter(); dice !== undefined; dice = this.nextBeforeLetter()) {
          const [first, faces] = [this.next(), this.next()];
          faces.forEach((face: number | null, n: number) => {
            events.push({ rolled: { dice, elements: [first + n] } });
            if (face !== null) events.push({ dice: { dice, element: first + n, face } });
          });
        }
        break;
      case "T": {
        const [dice, faces, elements] = [this.next(), this.next(), expandRuns(this.allBeforeLetter())];
        events.push({ rolled: { dice, elements } });
        elements.forEach((element, n) => {
          if (faces[n] !== null) events.push({ dice: { dice, element, face: faces[n] } });
        });
        break;
      }
      case "r":
        events.push({ rolled: { dice: this.next(), elements: expandRuns(this.allBeforeLetter()) } });
        break;
      case "p": {
        const phase = this.next();
        events.push({ phase: { phase: phase === null ? null : expandWord(phase, texts) } });
        break;
      }
      case "l":
        events.push({ lead: { seat: place(this.next()) } });
        break;
      case "k":
        events.push({ paused: { paused: this.next() === 1 } });
        break;
      case "i":
        events.push({ seat: { seat: this.next(), view: this.seat() } });
        break;
      case "b": {
        const [seat, more] = [this.next(), this.allBeforeLetter()];
        const from = typeof more[0] === "number" ? more.shift() : undefined;
        events.push({ badges: without({ seat, from, badges: this.badges(more) }) });
        break;
      }
      case "f": {
        let seat: any;
        for (let next = this.nextBeforeLetter(); next !== undefined; next = this.nextBeforeLetter()) {
          if (!Array.isArray(next)) seat = next;
          const [first, ...values] = Array.isArray(next) ? next : this.next();
          values.forEach((value: any, n: number) => {
            events.push({ badge: { seat: known(seat), at: first + n, value: optionalLine(value, texts) ?? null } });
          });
        }
        break;
      }
      case "j":
        events.push({ marks: { seat: this.next(), status: this.marks(this.allBeforeLetter()) } });
        break;
      case "h":
        events.push({ highlights: { handles: expandRuns(this.allBeforeLetter()) } });
        break;
      case "s":
      case "S": {
        const from = letter === "S" ? this.next() : undefined;
        events.push({ status: without({ from, lines: this.allBeforeLetter().map((line) => expandLine(line, texts)) }) });
        break;
      }
      case "w": {
        const entries = this.allBeforeLetter();
        const one = typeof entries[0] === "number";
        this.waiting = (one ? [entries] : entries).map((entry) => expandWaiting(entry, texts));
        events.push({ waiting: { waiting: this.waiting } });
        break;
      }
      case "q":
        events.push({ decision: { decision: this.decision() } });
        break;
      case "a": {
        const [text, kind] = [expandLine(this.next(), texts), this.next()];
        events.push({ announced: { text, kind: typeof kind === "string" ? kind : known(ANNOUNCEMENT_KINDS[kind]) } });
        break;
      }
      case "e": {
        const [text, zone, faces] = [this.next(), place(this.next()), this.allBeforeLetter()];
        events.push({ revealed: { text: text === -1 ? null : expandLine(text, texts), zone, faces } });
        break;
      }
      case "O":
        events.push({ outcome: { outcome: this.outcome() } });
        break;
      case "P":
        events.push({ skipped: { seat: this.next() } });
        break;
      case "K":
      case "L":
        for (let place = this.nextBeforeLetter(); place !== undefined; place = this.nextBeforeLetter()) {
          const [after, kind] = [Math.floor(place / KINDS), known(NARRATION_KINDS[place % KINDS])];
          const value = this.next();
          narrations.push({ after, kind, text: letter === "K" ? expandLine(value, texts) : expandFragments(value, texts) });
        }
        break;
      case "u":
        for (let decision = this.nextBeforeLetter(); decision !== undefined; decision = this.nextBeforeLetter()) {
          clocks.push([decision, this.next()]);
        }
        break;
      default:
        throw new Error(`unknown event ${letter}`);
    }
  }

  private outcome(): OutcomeView {
    const [kind, winners, losers, ranks, banner] = Array(5).fill(0).map(() => this.next());
    // One number is a fault, two are a score.
    const [first, most] = [this.nextBeforeLetter(), this.nextBeforeLetter()];
    return without({
      kind: typeof kind === "string" ? kind : known(OUTCOME_KINDS[kind]),
      winners,
      losers,
      ranks,
      banner: optionalLine(banner, this.texts),
      score: most === undefined ? undefined : [first, most],
      fault: most === undefined ? first : undefined,
    });
  }

  private moved(): Event {
    const [from, to] = [place(this.next()), place(this.next())];
    const second = this.nextBeforeLetter();
    if (!Array.isArray(second)) return { moved: { from, to, count: second ?? 1, gone: [], came: [] } };
    const gone = expandRuns(second);
    const came = expandCame(this.nextBeforeLetter() ?? []);
    const count = this.nextBeforeLetter() ?? Math.max(gone.length, came.length);
    return { moved: { from, to, count, gone, came } };
  }

  private seat(): SeatView {
    const flags: number = this.next();
    return {
      playing: (flags & 1) !== 0,
      present: (flags & 2) !== 0,
      person: (flags & 4) !== 0,
      pending: (flags & 8) !== 0,
      turn: (flags & 16) !== 0,
      badges: this.badges(this.next()),
      status: this.marks(this.next()),
    };
  }

  private badges(badges: any[]): BadgeView[] {
    return badges.map(([kind, label, value]: any) =>
      without({
        kind: expandWord(kind, this.texts),
        label: optionalLine(label, this.texts),
        value: optionalLine(value, this.texts),
      }),
    );
  }

  private marks(marks: any[]): StatusView[] {
    return marks.map(([word, label]) =>
      without({ word: expandWord(word, this.texts), label: optionalLine(label, this.texts) }),
    );
  }

  private decision(): DecisionView | null {
    const head = this.nextBeforeLetter();
    if (head === undefined) return null;
    const asked = typeof head === "number" ? known(this.waiting[head]) : undefined;
    const id = asked ? asked.decision : head[0];
    const prompt = asked ? asked.prompt : optionalLine(head[1], this.texts);
    const alternatives = this.allBeforeLetter().map((alternative) => expandAlternative(alternative, this.texts));
    return without({ id, prompt, alternatives });
  }
}

/** Reads a zone or a seat; -1 means none. */
function place(at: number): number | null {
  return at === -1 ? null : at;
}

function expandCause(cause: WireCause): Cause {
  if (cause === "start") return "start";
  if (typeof cause === "number") return { move: { seat: cause } };
  return { input: { kind: cause[0], seat: cause[1] ?? null } };
}

function expandWord(word: string | number, texts: Texts): string {
  return typeof word === "string" ? word : known(texts[word]?.[0]);
}

export function expandLine(line: any, texts: Texts): RichText {
  if (!Array.isArray(line)) return [{ text: expandWord(line, texts) }];
  if (!(typeof line[0] === "number" && line[0] < 0)) return line.map(expandPiece);
  const around = known(texts[-1 - line[0]]);
  if (around.length !== line.length) throw new Error("a text has other holes");
  const made: RichText = [];
  around.forEach((literal, n) => {
    if (n > 0) {
      const hole = line[n];
      if (typeof hole === "number" && hole < 0) made.push({ seat: -1 - hole });
      else if (typeof hole === "number" || typeof hole === "string") appendText(made, String(hole));
      else if (Array.isArray(hole) && hole[0] < 0) appendText(made, expandWord(-1 - hole[0], texts));
      else made.push(expandPiece(hole));
    }
    appendText(made, literal);
  });
  return made;
}

/**
 * Reads a line from the fragments that the server has split it into. A negative number stands for a text of the table.
 */
function expandFragments(fragments: any[], texts: Texts): RichText {
  const made: RichText = [];
  for (const fragment of fragments) {
    if (typeof fragment === "number" && fragment < 0) appendText(made, known(texts[-1 - fragment]?.[0]));
    else if (typeof fragment === "string") appendText(made, fragment);
    else made.push(expandPiece(fragment));
  }
  return made;
}

/** Appends a text. Adjacent texts become one piece. */
function appendText(line: RichText, text: string): void {
  if (text === "") return;
  const last = line.at(-1);
  if (last && "text" in last) line[line.length - 1] = { text: last.text + text };
  else line.push({ text });
}

function expandPiece(piece: string | number | [face: number] | { w: string }): Piece {
  if (typeof piece === "string") return { text: piece };
  if (typeof piece === "number") return { seat: piece };
  if (Array.isArray(piece)) return { face: piece[0] };
  return { written: piece.w };
}

/** One value, or one for each of several elements. */
function each(values: any): any[] {
  return Array.isArray(values) ? values : [values];
}

/** Reads numbers. A negative number -n stands for the run from the number before it up to n. */
function expandRuns(numbers: number[]): number[] {
  const all: number[] = [];
  for (const n of numbers) {
    if (n >= 0) all.push(n);
    else for (let next = known(all.at(-1)) + 1; next <= -n; next++) all.push(next);
  }
  return all;
}

function expandCard(card: any): CardView {
  if (typeof card === "number") return { handle: card };
  const [handle, face, by, written] = card;
  return without({ handle, face, written, by });
}

function expandCame(came: any[]): Placed[] {
  if (typeof came[0] !== "number") return came.map(([at, card]) => ({ at, card: expandCard(card) }));
  const [first, ...cards] = came;
  return cards.map((card, n) => ({ at: first + n, card: expandCard(card) }));
}

function expandContent(content: any): Content {
  if (content === null) return "nothing";
  if (typeof content === "number") return { count: content };
  return { cards: content.map(expandCard) };
}

function expandWaiting([seat, decision, prompt, seconds, clock]: any, texts: Texts): Waiting {
  const runs = seconds === undefined ? undefined : { decision: clock ?? decision, seconds };
  return without({ seat, decision, prompt: optionalLine(prompt, texts), clock: runs });
}

function expandAlternative([index, name, label, ...rest]: any, texts: Texts): AlternativeView {
  return without({
    name: expandWord(name, texts),
    label: expandLine(label, texts),
    index,
    legal: !rest.includes(0),
    parts: rest.filter(Array.isArray).map((part: any) => expandPart(part, texts)),
    combinations: rest.find((more: any) => more?.c)?.c,
  });
}

function expandPart(p: any[], texts: Texts): PartView {
  return { name: expandWord(p[0], texts), kind: expandKind(p, texts) };
}

function expandKind(p: any[], texts: Texts): PartKindView {
  switch (p[1]) {
    case 0:
      return {
        card: { options: expandRuns(p[2]), blocked: p.slice(3).flatMap((run: any) => expandBlocked(run, texts)) },
      };
    case 1:
      return { unseen: { zone: p[2], count: p[3] } };
    case 2:
      return { cards: { low: p[2], high: p[3], options: expandRuns(p[4]), ordered: p[5] === 1 } };
    case 3:
      return { sets: { options: p.slice(2).map(expandRuns) } };
    case 4:
      return { number: without({ low: p[2], high: p[3], only: p[4] }) };
    case 5:
      return { pile: { options: expandPiles(p[2], p.slice(3)) } };
    case 6:
      return { player: { options: p[2] } };
    case 7:
      return { value: { options: pairs(p.slice(2)).map(([value, name]) => [value, expandWord(name, texts)]) } };
    case 8:
      return { yesno: { options: p[2] } };
    case 9:
      return { text: { most: p[2] } };
    case 10:
      return { dice: without({ dice: p[2], first: p[3], count: p[4], only: p[5] && expandRuns(p[5]) }) };
    default:
      throw new Error(`unknown part ${p[1]}`);
  }
}

function expandPiles(first: number | number[], values: number[]): [number, number][] {
  if (Array.isArray(first)) return pairs(first);
  return expandRuns(values).map((value) => [value, value + first]);
}

function pairs(flat: any[]): [any, any][] {
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], flat[2 * n + 1]]);
}

function expandBlocked([reason, ...handles]: any, texts: Texts): Blocked[] {
  return expandRuns(handles).map((handle) => without({ handle, reason: optionalLine(reason, texts) }));
}

function optionalLine(line: any, texts: Texts): RichText | undefined {
  return line === -1 || line === undefined ? undefined : expandLine(line, texts);
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the batch names something the definition does not have");
  return value;
}

/** Views omit absent fields, so the expanded batch omits them too. */
function without<T extends object>(value: T): T {
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined || value[key] === null) delete value[key];
  }
  return value;
}
