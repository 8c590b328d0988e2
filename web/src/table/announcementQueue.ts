/**
 * Decides which announcements the screen shows now. Shouts and banners come one after the other, in the order in which
 * they were announced; toasts come after them, so that nothing replaces what people are still reading.
 */
import type { Announcement } from "../state/store";

/** Milliseconds that an announcement stays, by kind. A notice stays until it is no longer true. */
const DURATION_MS: Record<string, number> = { toast: 4000, session: 4000, shout: 2800, banner: 5200 };
/** Milliseconds for an announcement while others wait behind it. A shout needs its whole animation. */
const BRIEF_MS: Record<string, number> = { toast: 1500, session: 1500, shout: 2400, banner: 3000 };
/** Upper bounds on what waits. Beyond them the oldest ones are dropped, because they are no news any more. */
const MAX_BIG = 4;
const MAX_TOASTS = 3;

/** Upper bound in milliseconds on how long shouts and banners hold back the end of the game. */
export const MAX_END_HOLD_MS = 7000;

export const isBig = ({ kind }: Announcement) => kind === "shout" || kind === "banner";
const isToast = ({ kind }: Announcement) => kind === "toast" || kind === "session";

export interface AnnouncementQueue {
  /** The one that is shown. */
  head: Announcement | null;
  /** How long the head stays. */
  stays: number;
  /** Ids of those that will not be shown. */
  dropped: number[];
}

/**
 * The head of the queue stays the head until it is dismissed, except that a shout or banner goes before a toast. If the end
 * of the game waits behind the queue, the head is as brief as with others behind it.
 */
export function queueOf(announcements: Announcement[], endWaits = false): AnnouncementQueue {
  const big = announcements.filter(isBig);
  const toasts = announcements.filter(isToast);
  // What is on the screen already is never dropped, so that it does not vanish while somebody reads it.
  const surplus = (all: Announcement[], most: number) => all.slice(1, Math.max(1, all.length - most + 1));
  const dropped = new Set([...surplus(big, MAX_BIG), ...surplus(toasts, MAX_TOASTS)]);
  const [head = null, ...waiting] = [...big, ...toasts].filter((announcement) => !dropped.has(announcement));
  const durations = waiting.length > 0 || endWaits ? BRIEF_MS : DURATION_MS;
  return { head, stays: durations[head?.kind ?? ""] ?? 4000, dropped: [...dropped].map(({ id }) => id) };
}
