/** Who this browser is: a secret that its seats belong to, and the name last used. No account. */
const SECRET = "baize.secret";
const NAME = "baize.name";
const SHARES = "baize.shares";

export function secret(): string {
  const kept = read(SECRET);
  if (kept) return kept;
  const made = randomId(32);
  write(SECRET, made);
  return made;
}

export const myName = (): string => read(NAME) ?? "";
export const rememberName = (name: string): void => write(NAME, name);

/** This browser is somebody new from now on. What it has set (colours, sounds) stays: it says nothing about who it is. */
export function becomeNew(): void {
  for (const key of [SECRET, NAME, SHARES]) {
    fallback.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }
}

/** Letters and digits that fit into an address, of so many random bytes. */
export function randomId(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** What this browser was promised for a game and what it added, to be compared when the game is over. */
export interface Share {
  commitment: string;
  nonce: string;
}

/** Shares that are kept: a browser needs the last few, not all it ever made. */
const MOST_SHARES = 40;

export function rememberShare(game: string, share: Share): void {
  const kept = Object.entries(shares()).filter(([id]) => id !== game);
  write(SHARES, JSON.stringify(Object.fromEntries([...kept.slice(1 - MOST_SHARES), [game, share]])));
}

export const shareOf = (game: string): Share | null => shares()[game] ?? null;

function shares(): Record<string, Share> {
  try {
    return JSON.parse(read(SHARES) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * An id for each message that is sent. The server counts the same id as the same request, for ever, so the prefix is
 * random for each load of the page and the number never goes back.
 */
export function requestId(): string {
  requests += 1;
  return `${PREFIX}.${requests}`;
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
    // Kept for this visit only, in `fallback`.
  }
}

const fallback = new Map<string, string>();
const PREFIX = randomId(9);
let requests = 0;
