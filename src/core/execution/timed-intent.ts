import type { Intent } from '#domain/intent.ts';
import type { LaneId } from '#domain/names.ts';
import type { ExecutionContext } from './execution-context.ts';

/** True for a lane that goes on, but whose newest quote came before the event at hand and has no time left for an order. */
export function isSpent(laneId: LaneId, { market, clockState, limits, log }: ExecutionContext): boolean {
  const lane = market.stateOf(laneId);
  if (!lane?.latest || lane.receivedAt === log.now || lane.untradable(log.now) !== null) return false;
  return clockState.timeLeftMs(lane.latest.validUntil) < (limits.minTimeLeftMs ?? 1);
}

/**
 * An intent without `within` lives as long as the quote it was decided on. One that a timer or another lane brought about
 * was decided on none of this lane: where the quote in hand is spent, it is worked on the next ones, for as long as the
 * lane may be silent before it is stale (2 s live, two widths of imported bars).
 */
export function timedIntent(intent: Intent, lane: LaneId, context: ExecutionContext): Intent {
  const within = intent.within ?? (isSpent(lane, context) ? (context.market.stateOf(lane)?.staleMs ?? null) : null);
  return within === intent.within ? intent : { ...intent, within };
}
