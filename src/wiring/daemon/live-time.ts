import { REASONS, type Reason } from '../../domain/reasons.ts';
import type { TimeState } from '../../domain/time-state.ts';
import { controlFiles } from '../acts/control-files.ts';
import { publishedIn } from '../acts/ops-files.ts';

const ANSWER_MS = 1000;

/** How well the daemon of process `pid`, which holds the journal, knows the service's time now; null when it does not say. */
export async function liveTime(journalPath: string, pid: number): Promise<TimeState | null> {
  const published = publishedIn(controlFiles(journalPath).ops);
  if (published?.pid !== pid) return null;
  try {
    const response = await fetch(`${published.url}/api/state`, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? timeOf(await response.json()) : null;
  } catch {
    // A daemon that is busy or has just ended: the journal's word stands.
    return null;
  }
}

/** Reads what the control server says; null for anything else. */
function timeOf(state: unknown): TimeState | null {
  if (typeof state !== 'object' || state === null || !('time' in state)) return null;
  const { time } = state;
  if (typeof time !== 'object' || time === null || !('reason' in time) || !('offsetMs' in time) || !('halfWidthMs' in time)) return null;
  const { reason, offsetMs, halfWidthMs } = time;
  return isReasonOrNull(reason) && isFigure(offsetMs) && isFigure(halfWidthMs) ? { reason, offsetMs, halfWidthMs } : null;
}

const isFigure = (value: unknown): value is number | null => value === null || typeof value === 'number';

const isReasonOrNull = (value: unknown): value is Reason | null =>
  value === null || (typeof value === 'string' && Object.hasOwn(REASONS, value));
