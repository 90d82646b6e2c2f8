import type { MarketData } from '#core/market/market.ts';
import { certainOf } from '#core/portfolio/books.ts';
import type { Amount } from '#domain/lane.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { LanePoolOptions } from './lane-pool.ts';
import { feeShareIn } from './manual-lanes.ts';
import { type Leg, opensAgain } from './plan.ts';
import { closable } from './sizing.ts';

/** A lane that is lost is mostly back by then; after it, exits are lent another. */
export const LANE_DOWN_MS: Millis = 1000;

/** The size that an exit is to close on another lane while its own is not up; undefined while it is, or where nothing can be closed. */
export function standIn(context: ExecutionContext, strategy: StrategyId, leg: Leg): Amount | undefined {
  const { market, books, products } = context;
  const product = products.get(leg.product);
  const own = market.lane(leg.lane);
  if (!product || own?.isUp) return undefined;
  // The first price of a lane is held against those of another.
  if (own?.quarantined && !market.isPriced(leg.product)) return undefined;
  const certain = certainOf(books.interval(strategy, leg.product));
  const base = closable(certain, { product, feeShare: feeShareIn(context, leg.product) });
  return base.isZero() ? undefined : { base };
}

/** What closes goes on on another lane of its strategy where the settings have its own no more; where there is none, on one that is lent. */
export function onPresentLane(leg: Leg, strategy: StrategyId, { laneById, trades }: ExecutionContext): Leg {
  if (laneById.has(leg.lane) || opensAgain(leg)) return leg;
  const lane = trades.get(strategy)?.find((id) => laneById.get(id)?.product === leg.product);
  return lane === undefined ? leg : { ...leg, lane };
}

/** A lane that is lent is followed by the market from before it is asked for until it is given back. */
export function lendingFrom(reserve: LanePoolOptions, market: MarketData): LanePoolOptions {
  return {
    ...reserve,
    acquire(lane) {
      market.open(lane);
      reserve.acquire(lane);
    },
    release(lane) {
      market.close(lane);
      reserve.release(lane);
    },
  };
}
