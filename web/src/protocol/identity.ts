/** The identity of this browser: a secret that owns its seats, and the last name. There are no accounts. */
import { readStored as read, removeStored, writeStored as write } from "./storage";

const SECRET = "baize.secret";
const NAME = "baize.name";
const GUEST = "baize.guest";
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

/**
 * A made-up name for somebody who plays before giving one. It is not their name: an invitation still asks for that.
 */
export function guestName(): string {
  const kept = read(GUEST);
  if (kept) return kept;
  const pick = (words: string[]) => words[(crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % words.length] ?? "";
  const made = `${pick(GUEST_LOOKS)} ${pick(GUEST_ANIMALS)}`;
  write(GUEST, made);
  return made;
}

const GUEST_LOOKS = ["Lucky", "Merry", "Sly", "Brave", "Quick", "Calm", "Bold", "Witty", "Jolly", "Keen"];
const GUEST_ANIMALS = ["Otter", "Heron", "Badger", "Lynx", "Robin", "Hare", "Fox", "Owl", "Beaver", "Swift"];

/** Makes this browser a new person. Settings such as colours and sounds stay, because they do not identify anybody. */
export function forgetIdentity(): void {
  for (const key of [SECRET, NAME, GUEST, FAIRNESS_RECORDS, "baize.play", "baize.dismissed", "baize.tables"])
    removeStored(key);
}

/** A random id of this many bytes, in characters that fit into an address. */
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

/** Upper bound on records. The browser drops older ones. */
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

const PAGE_PREFIX = randomId(9);
let requestCount = 0;
