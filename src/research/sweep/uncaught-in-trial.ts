import { systemTimers } from '#adapters/time/system-timers.ts';
import { uncaughtByStrategy } from '#core/strategy/process-guard.ts';
import { messageOf } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';

/** How long a strategy's own timer is waited for, in milliseconds: its error belongs to the trial. */
const MAX_MS = 1000;
const LOOK_MS = 10;

/**
 * Takes what strategies leave uncaught in a thread that plays trials, in a promise or a timer of their own: the trial has failed, and
 * the thread goes on. An error that names no strategy ends the thread as before.
 */
export class UncaughtInTrial {
  private first: string | undefined;

  constructor() {
    process.on('uncaughtException', this.take);
    process.on('unhandledRejection', this.take);
  }

  /** Plays trials; returns what came of them, or why they failed: something of theirs was caught nowhere. */
  async during<Result>(play: () => Promise<Result>): Promise<{ readonly result: Result } | { readonly failed: string }> {
    this.first = undefined;
    const before = timersNow();
    const result = await play();
    // Node reports unhandled rejections after the current tasks.
    await pause(systemTimers, 0);
    for (let waited = 0; waited < MAX_MS && this.first === undefined && timersNow() > before; waited += LOOK_MS)
      await pause(systemTimers, LOOK_MS);
    return this.first === undefined ? { result } : { failed: `${this.first} (caught nowhere: in a promise or a timer of its own)` };
  }

  private readonly take = (error: unknown): void => {
    const line = uncaughtByStrategy(error) ?? (error instanceof Error ? undefined : messageOf(error));
    if (line !== undefined) {
      this.first ??= line;
      return;
    }
    process.off('uncaughtException', this.take);
    process.off('unhandledRejection', this.take);
    process.nextTick(() => {
      throw error;
    });
  };
}

/** Timers of this thread that are still to fire. */
const timersNow = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
