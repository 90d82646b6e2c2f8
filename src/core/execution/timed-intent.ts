import type { LaneState } from '#core/market/lane-state.ts';
import type { Intent } from '#domain/intent.ts';
import type { LaneId } from '#domain/names.ts';
import type { ExecutionContext } from './execution-context.ts';

/** A lane that goes on, where its newest quote came before the event at hand and has no time left for an order. */
export function spentLane(laneId: LaneId, { market, clockState, limits, log }: ExecutionContext): LaneState | undefined {
  const lane = market.stateOf(laneId);
  if (!lane?.latest || lane.receivedAt === log.now || lane.untradable(log.now) !== null) return undefined;
  return clockState.timeLeftMs(lane.latest.validUntil) < (limits.minTimeLeftMs ?? 1) ? lane : undefined;
}

/**
 * An intent without `within` lives as long as the quote it was decided on. One that a timer or another lane brought about
 * was decided on none of this lane: where the quote in hand is spent, it is worked on the next ones, for as long as the
 * lane may be silent before it is stale (2 s live, two widths of imported bars).
 */
export function timedIntent(intent: Intent, lane: LaneId, context: ExecutionContext): Intent {
  const within = intent.within ?? spentLane(lane, context)?.staleMs ?? null;
  return within === intent.within ? intent : { ...intent, within };
}
