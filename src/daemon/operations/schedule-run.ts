import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { doubtIn } from './remote/doubt.ts';
import { actionOf, type PastAction } from './schedule-view.ts';

const LOOK_MS = 100;
/** How long what nobody knows is waited for to be read back, in milliseconds: as long as a command reads. */
const DOUBT_MS = 3_500;

/** Waits, up to a time limit, for the result of an action, by the id that the running daemon answered with. Throws OPS_UNAVAILABLE. */
export async function lineResult(
  id: unknown,
  settings: Settings,
  { timers, withinMs }: { readonly timers: Pick<Timers, 'after' | 'monotonicMs'>; readonly withinMs: number },
): Promise<PastAction> {
  if (typeof id !== 'string')
    throw new KairosError('OPS_UNAVAILABLE', 'the daemon did not say what has come of it: is it of another version?');
  let untilMs = timers.monotonicMs() + withinMs;
  let wasInDoubt = false;
  for (;;) {
    const action = actionOf(settings.journal.path, id);
    if (!action) throw new KairosError('OPS_UNAVAILABLE', 'the daemon writes another journal than the configured one');
    const nowMs = timers.monotonicMs();
    const isAnswered = action.status !== 'asked';
    const isInDoubt = isAnswered && doubtIn(action) !== null;
    if (isInDoubt && !wasInDoubt) untilMs = Math.min(untilMs, nowMs + DOUBT_MS);
    wasInDoubt ||= isInDoubt;
    if ((isAnswered && !isInDoubt) || nowMs >= untilMs) return action;
    await pause(timers, LOOK_MS);
  }
}
