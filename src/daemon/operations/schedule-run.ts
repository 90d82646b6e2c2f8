import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import type { LineRequest } from '#server/control/bodies.ts';
import { runningDaemon } from './manual-requests.ts';
import { ask } from './ops-client.ts';
import { lastAction, type PastAction } from './schedule-view.ts';

const LOOK_MS = 100;

/**
 * Runs a line of the running daemon's schedule now and waits for its result, up to a time limit. Throws OPS_UNAVAILABLE
 * if no daemon runs, NOT_FOUND for an unknown line.
 */
export async function runLine(
  asked: LineRequest,
  settings: Settings,
  { timers, withinMs }: { readonly timers: Pick<Timers, 'after' | 'monotonicMs'>; readonly withinMs: number },
): Promise<PastAction> {
  await ask('schedule', asked, runningDaemon(settings));
  const start = timers.monotonicMs();
  for (;;) {
    const action = lastAction(settings.journal.path, asked.name);
    if (!action) throw new KairosError('OPS_UNAVAILABLE', 'the daemon writes another journal than the configured one');
    if (action.status !== 'asked' || timers.monotonicMs() - start >= withinMs) return action;
    await pause(timers, LOOK_MS);
  }
}
