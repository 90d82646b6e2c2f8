import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { actionOf, type PastAction } from './schedule-view.ts';

const LOOK_MS = 100;

/** Waits, up to a time limit, for the result of an action, by the id that the running daemon answered with. Throws OPS_UNAVAILABLE. */
export async function lineResult(
  id: unknown,
  settings: Settings,
  { timers, withinMs }: { readonly timers: Pick<Timers, 'after' | 'monotonicMs'>; readonly withinMs: number },
): Promise<PastAction> {
  if (typeof id !== 'string')
    throw new KairosError('OPS_UNAVAILABLE', 'the daemon did not say what has come of it: is it of another version?');
  const start = timers.monotonicMs();
  for (;;) {
    const action = actionOf(settings.journal.path, id);
    if (!action) throw new KairosError('OPS_UNAVAILABLE', 'the daemon writes another journal than the configured one');
    if (action.status !== 'asked' || timers.monotonicMs() - start >= withinMs) return action;
    await pause(timers, LOOK_MS);
  }
}
