import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { OrderPlacer } from '#core/execution/order-placer.ts';
import type { Market } from '#core/market/market.ts';
import type { Intent } from '#domain/intent.ts';
import type { LaneId } from '#domain/names.ts';

interface TimedIntentOptions {
  readonly market: Market;
  readonly placer: OrderPlacer;
  readonly log: DecisionLog;
}

/** True for a lane that goes on, but whose newest quote came before the event at hand and has no time left for an order. */
export function isSpent(laneId: LaneId, { market, placer, log }: TimedIntentOptions): boolean {
  const lane = market.track(laneId);
  if (!lane?.latest || lane.receivedAt === log.now || lane.untradable(log.now) !== null) return false;
  return !placer.hasTimeLeft(lane.latest);
}

/**
 * An intent without `within` lives as long as the quote it was decided on. One that a timer or another lane brought about
 * was decided on none of this lane: where the quote in hand is spent, it is worked on the next ones, for as long as the
 * lane may be silent before it is stale (2 s live, two widths of imported bars).
 */
export function timedIntent(intent: Intent, lane: LaneId, options: TimedIntentOptions): Intent {
  const within = intent.within ?? (isSpent(lane, options) ? (options.market.track(lane)?.staleMs ?? null) : null);
  return within === intent.within ? intent : { ...intent, within };
}
