import type { Market } from '#core/market/market.ts';
import { backOffMs } from '#core/risk/rejection-back-off.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneIdOf, orderId, productCode, strategyId } from '#domain/names.ts';
import { intentOf, type PastTry, type PastWork } from '#domain/work-text.ts';
import { type ExitOrder, exitOrder, goToLeg, type Leg, type StrategyOrder, strategyOrder, withinMsOf } from './plan.ts';
import { closesAll } from './work.ts';

/** A plan of an earlier run with what its orders have done. It is over where all its legs are done, or nobody knows and nothing is to be closed. */
export function workOf(
  past: PastWork,
  market: Pick<Market, 'stateOf'>,
): { readonly work: StrategyOrder | ExitOrder; readonly over: boolean } {
  const legs = past.legs.map((text): Leg => ({ intent: intentOf(text), lane: laneIdOf(text.lane), product: productCode(text.product) }));
  const plan = { strategy: strategyId(past.strategy), legs, signals: past.signals, onLegFailure: past.onLegFailure };
  const work = past.lasting ? exitOrder(plan) : strategyOrder(plan);
  work.name = past.work;
  let since = past.begun;
  let over = false;
  for (const one of past.tries) {
    const leg = legs[one.leg];
    if (one.state === 'accepted') {
      if (leg && !closesAll(work, leg)) done(work, one);
      since = one.at;
    } else if (one.state === 'rejected') {
      work.notBefore = one.at + backOffMs(work.rejections);
      work.rejections += 1;
    } else if (one.state !== 'expired' && one.state !== 'not_sent') {
      if (work.kind === 'strategy') over = true;
      else if (leg && !closesAll(work, leg)) work.order = orderId(one.order);
    }
    if (one.state !== 'accepted') {
      work.attempts += 1;
      work.last = one.state;
    }
  }
  if (work.kind === 'strategy') {
    work.withinMs = withinMsOf(work, market);
    work.until = work.withinMs === null ? Number.POSITIVE_INFINITY : since + work.withinMs;
  }
  return { work, over: over || work.index >= legs.length };
}

function done(work: StrategyOrder | ExitOrder, { leg, change }: PastTry): void {
  const executed = work.legs[leg];
  if (executed && change !== null && work.kind === 'strategy') work.done.push({ leg: executed, change: decimalOf(change) });
  goToLeg(work, leg + 1);
}
