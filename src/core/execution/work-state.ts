import type { Decimal } from '#domain/decimal.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { Leg, Work } from './plan.ts';

/** What a plan's book holds of a leg's product. */
export const heldBy = ({ plan }: Work, { product }: Leg, { books }: ExecutionContext): Decimal => books.book(plan.strategy, product).size;

/** True while an order that closes the position, on that side, is on its way. */
export const isClosingInFlight = ({ plan }: Work, { product, intent }: Leg, { books }: ExecutionContext): boolean =>
  books.openOf(plan.strategy, product).some(({ side, state }) => side === intent.side && state !== 'unknown');

/** Refusals after which there is nothing left to try. */
export const NOTHING_LEFT: ReadonlySet<Reason> = new Set(['NO_POSITION', 'DUST']);

/** Refusals that the next quote may lift: a person's order waits for it. */
const PASSING: ReadonlySet<Reason> = new Set(['TIME_LEFT', 'LANE_STALE', 'LANE_DOWN', 'QUOTE_TAKEN', 'QUOTE_REPEATED']);

/** True for a leg that a failed order ends. */
export const isTriedOnce = ({ plan, lasting }: Work, { intent }: Leg): boolean =>
  intent.within === null && !lasting && !plan.manual?.lasting;

/** True for a leg that such a refusal ends. */
export function isOver(work: Work, leg: Leg, reason: Reason): boolean {
  const isOnce = isTriedOnce(work, leg);
  return work.plan.manual ? isOnce && !PASSING.has(reason) : isOnce || NOTHING_LEFT.has(reason);
}

/** What a strategy hears of an intent whose time was over. */
export function lapsedOutcome({ intent: { side }, lane }: Leg, { market, log }: ExecutionContext): Outcome {
  const quote = market.latest(lane);
  const price = quote && (side === 'buy' ? quote.buy.price : quote.sell.price);
  return { at: log.now, state: 'lapsed', reason: 'LAPSED', side: side ?? 'sell', orderId: undefined, price, size: undefined };
}

/** A quote is tried by orders of people first, by exits before strategies see it, and then by what strategies want. */
export type Turn = 'manual' | 'exits' | 'strategies';

export function hasTurn({ plan, lasting }: Work, turn: Turn): boolean {
  return turn === 'exits' ? lasting : (plan.manual !== undefined) === (turn === 'manual');
}
