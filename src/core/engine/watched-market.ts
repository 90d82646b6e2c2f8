import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { Market } from '#core/market/market.ts';
import type { QuarantineChange } from '#core/market/quarantine.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Lane } from '#domain/lane.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineOptions } from './engine-options.ts';

/**
 * The market of an engine, following its lanes. That a lane was set aside because of its prices, or is back, is journaled
 * and told to people (F33); a price is bad from where no order could use it: `risk.reducing.collarPct` off the one before.
 */
export function watchedMarket({ freshnessOf, limits, lanes, notice }: EngineOptions, log: DecisionLog): Market {
  const onQuarantine = ({ id, product }: Lane, { on, why }: QuarantineChange): void => {
    log.defer(log.make('quarantine', { lane: id, on, why }, { product, reason: on ? 'LANE_QUARANTINED' : null }));
    const then = on ? `nothing opens in ${product}, and no order uses the lane, until ten good prices in a row` : 'orders go on';
    notice(on ? 'error' : 'info', `lane ${id}: ${why}; ${then}`);
  };
  const onLargest = ({ product, baseCcy, lane }: Quote, size: number): void =>
    log.defer(log.make('learned', { size: decimalOf(size).toString(), currency: baseCcy, lane }, { product }));
  const market = new Market({ freshnessOf, jumpPct: limits.reducingCollarPct, onQuarantine, onLargest });
  for (const lane of lanes) market.open(lane);
  return market;
}
