/** Keeps small values in this browser. Without storage they last until the page is closed. */
const fallback = new Map<string, string>();

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

export function writeStored(key: string, value: string): void {
  fallback.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // `fallback` keeps the value.
  }
}

export function removeStored(key: string): void {
  fallback.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // A browser without storage has nothing to remove.
  }
}

/** Reads a value that was stored as JSON; anything that is not an object of that kind counts as absent. */
export function readStoredObject<T extends object>(key: string, absent: T): T {
  try {
    const read: unknown = JSON.parse(readStored(key) ?? "null");
    return read && typeof read === "object" ? { ...absent, ...read } : absent;
  } catch {
    return absent;
  }
}
