import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { lastAction, type PastAction } from './schedule-view.ts';

const LOOK_MS = 100;

/** Waits, up to a time limit, for the result of a line of the schedule that the running daemon was asked to run. Throws OPS_UNAVAILABLE. */
export async function lineResult(
  name: string,
  settings: Settings,
  { timers, withinMs }: { readonly timers: Pick<Timers, 'after' | 'monotonicMs'>; readonly withinMs: number },
): Promise<PastAction> {
  const start = timers.monotonicMs();
  for (;;) {
    const action = lastAction(settings.journal.path, name);
    if (!action) throw new KairosError('OPS_UNAVAILABLE', 'the daemon writes another journal than the configured one');
    if (action.status !== 'asked' || timers.monotonicMs() - start >= withinMs) return action;
    await pause(timers, LOOK_MS);
  }
}
