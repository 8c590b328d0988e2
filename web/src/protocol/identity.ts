/** The identity of this browser: a secret that owns its seats, and the last name. There are no accounts. */
const SECRET = "baize.secret";
const NAME = "baize.name";
const FAIRNESS_RECORDS = "baize.shares";

export function secret(): string {
  const kept = read(SECRET);
  if (kept) return kept;
  const created = randomId(32);
  write(SECRET, created);
  return created;
}

export const myName = (): string => read(NAME) ?? "";
export const rememberName = (name: string): void => write(NAME, name);

/** Makes this browser a new person. Settings such as colours and sounds stay, because they do not identify anybody. */
export function forgetIdentity(): void {
  for (const key of [SECRET, NAME, FAIRNESS_RECORDS]) {
    fallback.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // A browser without storage has nothing to forget.
    }
  }
}

/** A random id of so many bytes, in characters that fit into an address. */
export function randomId(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * The server's commitment for a game and the nonce of this browser. The fairness check compares them with the replay.
 */
export interface FairnessRecord {
  commitment: string;
  nonce: string;
}

/** Older records are dropped. */
const MAX_RECORDS = 40;

export function rememberFairness(game: string, record: FairnessRecord): void {
  const kept = Object.entries(readRecords()).filter(([id]) => id !== game);
  write(FAIRNESS_RECORDS, JSON.stringify(Object.fromEntries([...kept.slice(1 - MAX_RECORDS), [game, record]])));
}

export const fairnessRecordOf = (game: string): FairnessRecord | null => readRecords()[game] ?? null;

function readRecords(): Record<string, FairnessRecord> {
  try {
    return JSON.parse(read(FAIRNESS_RECORDS) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Returns a new id for each message. The server treats messages with the same id as one request for ever, so the
 * prefix is random for each load of the page and the number only grows.
 */
export function requestId(): string {
  requestCount += 1;
  return `${PAGE_PREFIX}.${requestCount}`;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  fallback.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // The value is kept in `fallback` until the page is closed.
  }
}

const fallback = new Map<string, string>();
const PAGE_PREFIX = randomId(9);
let requestCount = 0;
