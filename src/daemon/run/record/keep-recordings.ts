import { Child } from '#adapters/threads/child.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';

/** The process is given the folder of recordings, how long they are kept, and the time; it tells of its work in words. */
export interface RecordingsChild {
  readonly data: { readonly dir: string; readonly keepDays: number; readonly now: Millis };
  readonly told: { readonly level: 'info' | 'warn'; readonly text: string };
}

interface KeepOptions {
  readonly dir: string;
  readonly keepDays: number;
  readonly timers: Timers;
  readonly notice: Notice;
  /** The part of its recording that the present run writes. */
  readonly part: () => number;
}

/** How often finished parts are looked for, in milliseconds. */
const LOOK_MS = 60_000;
/** Delay after a start, in milliseconds, while lanes open. */
const FIRST_MS = 5000;

/**
 * Seals finished parts of recordings and removes old recordings in a process of its own: soon after the start, once a
 * day, and when the present run begins another part, which it does after each midnight. Returns a function that stops
 * it; an interrupted process loses nothing.
 */
export function keepRecordings({ dir, keepDays, timers, notice, part }: KeepOptions): () => Promise<void> {
  let child: Child<RecordingsChild> | undefined;
  let seen = part();
  const begin = (): void => {
    if (child) return;
    seen = part();
    child = childFor({ dir, keepDays, now: timers.wallMs() });
    child.onMessage(({ level, text }) => notice(level, text));
    // The unsealed part is still complete for the next time.
    child.onError((error) => notice('warn', `recordings could not be sealed: ${messageOf(error)}`));
    void child.ended.then(() => {
      child = undefined;
    });
    child.unref();
  };
  const first = timers.after(FIRST_MS, begin);
  const daily = timers.every(DAY_MS, begin);
  const looking = timers.every(LOOK_MS, () => {
    if (part() !== seen) begin();
  });
  return async () => {
    first();
    daily();
    looking();
    await child?.stop();
  };
}

/** Does the same once, now. Returns the answer of the action. */
export function sealNow(
  actionId: string,
  { dir, keepDays }: Pick<Settings['recording'], 'dir' | 'keepDays'>,
  { now, signal }: { readonly now: Millis; readonly signal: AbortSignal },
): Promise<ActionAnswer> {
  const child = childFor({ dir, keepDays, now }, signal);
  const words: RecordingsChild['told'][] = [];
  child.onMessage((word) => void words.push(word));
  const answer = (status: 'confirmed' | 'failed', response: string): ActionAnswer => ({ actionId, status, httpStatus: null, response });
  return new Promise((resolve) => {
    child.onError((error) => resolve(answer('failed', messageOf(error))));
    void child.ended.then(() => {
      const failed = words.some(({ level }) => level === 'warn');
      resolve(answer(failed ? 'failed' : 'confirmed', words.map(({ text }) => text).join('; ') || 'nothing was left to seal'));
    });
  });
}

function childFor(data: RecordingsChild['data'], signal?: AbortSignal): Child<RecordingsChild> {
  const entry = new URL('./keep-recordings-entry.ts', import.meta.url);
  return new Child({ entry, name: 'recordings', data, ...(signal && { signal }) });
}
