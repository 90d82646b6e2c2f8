import { Thread } from '#adapters/threads/thread.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';

/** The thread's input is the folder of recordings, how long they are kept, and the time; it reports its work in words. */
export interface RecordingsThread {
  readonly data: { readonly dir: string; readonly keepDays: number; readonly now: Millis };
  readonly toThread: never;
  readonly fromThread: { readonly level: 'info' | 'warn'; readonly text: string };
}

interface RecordingsThreadOptions {
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
 * Seals finished parts of recordings and removes old recordings in a thread of its own: soon after the start, once a
 * day, and when the present run begins another part, which it does after each midnight. Returns a function that stops
 * it; an interrupted thread loses nothing.
 */
export function keepRecordings({ dir, keepDays, timers, notice, part }: RecordingsThreadOptions): () => Promise<void> {
  let thread: Thread<RecordingsThread> | undefined;
  let seen = part();
  const begin = (): void => {
    if (thread) return;
    seen = part();
    thread = threadFor({ dir, keepDays, now: timers.wallMs() });
    thread.onMessage(({ level, text }) => notice(level, text));
    // The unsealed part is still complete for the next time.
    thread.onError((error) => notice('warn', `recordings could not be sealed: ${messageOf(error)}`));
    void thread.ended.then(() => {
      thread = undefined;
    });
    thread.unref();
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
    await thread?.stop();
  };
}

/** Does the same once, now. Returns the answer of the action. */
export function sealNow(
  actionId: string,
  { dir, keepDays }: Pick<Settings['recording'], 'dir' | 'keepDays'>,
  { now, signal }: { readonly now: Millis; readonly signal: AbortSignal },
): Promise<ActionAnswer> {
  const thread = threadFor({ dir, keepDays, now }, signal);
  const words: RecordingsThread['fromThread'][] = [];
  thread.onMessage((word) => void words.push(word));
  const answer = (status: 'confirmed' | 'failed', response: string): ActionAnswer => ({ actionId, status, httpStatus: null, response });
  return new Promise((resolve) => {
    thread.onError((error) => resolve(answer('failed', messageOf(error))));
    void thread.ended.then(() => {
      const failed = words.some(({ level }) => level === 'warn');
      resolve(answer(failed ? 'failed' : 'confirmed', words.map(({ text }) => text).join('; ') || 'nothing was left to seal'));
    });
  });
}

function threadFor(data: RecordingsThread['data'], signal?: AbortSignal): Thread<RecordingsThread> {
  const entry = new URL('./recordings-thread-entry.ts', import.meta.url);
  return new Thread({ entry, name: 'recordings', data, ...(signal && { signal }) });
}
