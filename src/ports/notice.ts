import type { Timers } from './timers.ts';

/** Shows a line to a person who watches the daemon. */
export type Notice = (level: 'info' | 'warn' | 'error', text: string) => void;

/** How long the same trouble is only counted after it was reported, in milliseconds. */
const QUIET_MS = 60_000;

/** Reports trouble that may come with every frame: the first time at once, then at most once a minute with its number. */
export function limitedNotice(notice: Notice, timers: Timers): (level: 'warn' | 'error', text: string) => void {
  const told = new Map<string, { at: number; more: number }>();
  return (level, text) => {
    const now = timers.monotonicMs();
    const last = told.get(text);
    if (last && now - last.at < QUIET_MS) {
      last.more += 1;
      return;
    }
    notice(level, last && last.more > 0 ? `${text} (and ${last.more} times more since)` : text);
    if (told.size >= 1000) told.clear();
    told.set(text, { at: now, more: 0 });
  };
}
