/**
 * Recomputes fair chance: the counterpart of `crates/engine/src/chance.rs`, which describes it exactly. It does not
 * use `crypto.subtle`, because a page without https does not have it.
 */

/** Makes the numbers of a table from its seed and its players' nonces. */
export class FairChance {
  private nonces = new Uint8Array(32);

  constructor(private readonly seed: Uint8Array) {}

  nonce(seat: number, bytes: Uint8Array): void {
    this.nonces = sha256(concat(ascii("baize nonce v1"), this.nonces, [seat], littleEndian(bytes.length, 4), bytes));
  }

  /** The stream of numbers for one shuffle, roll or choice. */
  stream(counter: number): Stream {
    const key = sha256(concat(ascii("baize chance v1"), this.seed, littleEndian(counter, 8), this.nonces));
    return new Stream(key);
  }
}

export class Stream {
  private words = new Uint32Array(16);
  private used = 16;
  private block = 0;

  constructor(private readonly key: Uint8Array) {}

  /** A number in `0..n`; all are equally likely. */
  below(n: number): number {
    if (n <= 1) return 0;
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const word = this.word();
      if (word < limit) return word % n;
    }
  }

  /** Returns the list in its new order. */
  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j] as T, result[i] as T];
    }
    return result;
  }

  private word(): number {
    if (this.used === 16) {
      this.words = chacha20(this.key, this.block);
      this.block += 1;
      this.used = 0;
    }
    this.used += 1;
    return this.words[this.used - 1] as number;
  }
}

/** One block of ChaCha20 (IETF) with a nonce of zeros. */
function chacha20(key: Uint8Array, block: number): Uint32Array<ArrayBuffer> {
  const view = new DataView(key.buffer, key.byteOffset);
  const start = new Uint32Array(16);
  start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  for (let i = 0; i < 8; i++) start[4 + i] = view.getUint32(4 * i, true);
  start[12] = block;
  const x = new Uint32Array(start);
  const at = (i: number) => x[i] as number;
  const mix = (a: number, b: number, d: number, turn: number) => {
    x[a] = at(a) + at(b);
    x[d] = left(at(d) ^ at(a), turn);
  };
  const quarter = (a: number, b: number, c: number, d: number) => {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  };
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  for (let i = 0; i < 16; i++) x[i] = at(i) + (start[i] as number);
  return x;
}

export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  const hash = new Uint32Array(START);
  const w = new Uint32Array(64);
  for (let from = 0; from < padded.length; from += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(from + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15] as number, w[i - 2] as number];
      const small = (right(a, 7) ^ right(a, 18) ^ (a >>> 3)) + (right(b, 17) ^ right(b, 19) ^ (b >>> 10));
      w[i] = (w[i - 16] as number) + (w[i - 7] as number) + small;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = right(e, 6) ^ right(e, 11) ^ right(e, 25);
      const first = (h + one + ((e & f) ^ (~e & g)) + (CONSTANTS[i] as number) + (w[i] as number)) | 0;
      const two = right(a, 2) ^ right(a, 13) ^ right(a, 22);
      const second = (two + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((part, i) => {
      hash[i] = (hash[i] as number) + part;
    });
  }
  const bytes = new Uint8Array(32);
  const out = new DataView(bytes.buffer);
  hash.forEach((word, i) => {
    out.setUint32(4 * i, word);
  });
  return bytes;
}

const right = (word: number, by: number) => (word >>> by) | (word << (32 - by));
const left = (word: number, by: number) => (word << by) | (word >>> (32 - by));

/** The first 32 bits of the fractional parts of the roots of the first primes: the constants of SHA-256. */
function roots(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return new Uint32Array(primes.map((p) => (root(p) % 1) * 2 ** 32));
}

const START = roots(8, Math.sqrt);
const CONSTANTS = roots(64, Math.cbrt);

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const littleEndian = (n: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(n / 256 ** i) % 256);

function concat(...parts: ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
