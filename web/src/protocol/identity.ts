/** Who this browser is: a secret that its seats belong to, and the name last used. No account. */
const SECRET = "baize.secret";
const NAME = "baize.name";

export function secret(): string {
  const kept = read(SECRET);
  if (kept) return kept;
  const made = randomId(32);
  write(SECRET, made);
  return made;
}

export const myName = (): string => read(NAME) ?? "";
export const rememberName = (name: string): void => write(NAME, name);

/** Letters and digits that fit into an address, of so many random bytes. */
export function randomId(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
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
