import type { Timers } from './timers.ts';

/** Something that a person watching would want to read, now. */
export type Notice = (level: 'info' | 'warn' | 'error', text: string) => void;

/** How long the same trouble is only counted after it was told. */
const QUIET_MS = 60_000;

/**
 * Tells of trouble that may come with every frame: the first at once, the same again at most once a minute, with how
 * often it happened meanwhile.
 */
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
