import type { MarketData } from '#core/market/market.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { laneIdOf, orderId, productCode, strategyId } from '#domain/names.ts';
import { intentOf, type PastTry, type PastWork } from '#domain/work-text.ts';
import {
  type ExitOrder,
  exitOrder,
  goToLeg,
  type Leg,
  leftOf,
  rejected,
  type StrategyOrder,
  strategyOrder,
  withinMsOf,
  withLeft,
} from './plan.ts';
import { awaitsUnknown, closesAll } from './work.ts';

/** A plan of an earlier run with what its orders have done. It is over where nobody knows what one came to and nothing waits for that. */
export function workOf(
  past: PastWork,
  market: Pick<MarketData, 'stateOf'>,
): { readonly work: StrategyOrder | ExitOrder; readonly over: boolean } {
  const legs = past.legs.map((text): Leg => ({ intent: intentOf(text), lane: laneIdOf(text.lane), product: productCode(text.product) }));
  const plan = { strategy: strategyId(past.strategy), legs, signals: past.signals, onLegFailure: past.onLegFailure };
  const work = past.lasting ? exitOrder(plan) : strategyOrder(plan);
  work.name = past.work;
  let since = past.begun;
  let over = false;
  for (const one of past.tries) {
    if (one.state === 'accepted') since = one.at;
    if (!tried(work, one)) over = true;
  }
  if (work.kind === 'strategy') {
    work.withinMs = withinMsOf(work, market);
    // Without `within` its first leg was for the quote it was decided on.
    work.until = since + (work.withinMs ?? 0);
  }
  return { work, over };
}

/** Takes what an order of it came to; false where the plan is over with that. */
function tried(work: StrategyOrder | ExitOrder, one: PastTry): boolean {
  const leg = work.legs[one.leg];
  const isOpen = leg !== undefined && !closesAll(work, leg);
  if (one.state === 'accepted') {
    if (isOpen) done(work, one);
    return true;
  }
  work.attempts += 1;
  work.last = one.state;
  if (one.state === 'rejected') rejected(work, one.at);
  else if (one.state !== 'expired' && one.state !== 'not_sent') {
    work.last = 'unknown';
    work.unknownAt = one.at;
    if (leg && awaitsUnknown(work, leg)) work.order = orderId(one.order);
    else if (work.kind === 'strategy') return false;
  }
  return true;
}

function done(work: StrategyOrder | ExitOrder, { leg, change }: PastTry): void {
  const executed = work.legs[leg];
  if (executed && change !== null && work.kind === 'strategy') work.done.push({ leg: executed, change: decimalOf(change) });
  const left = work.kind === 'exit' && executed && change !== null ? leftOf(executed, decimalOf(change)) : ZERO;
  if (executed && left.gt(0)) work.legs = work.legs.with(leg, withLeft(executed, left));
  goToLeg(work, left.gt(0) ? leg : leg + 1);
}
