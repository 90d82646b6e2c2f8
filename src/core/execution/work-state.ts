import type { Decimal } from '#domain/decimal.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { Leg, Work } from './plan.ts';
import { canBeOrdered } from './sizing.ts';

/** What a plan's book holds of a leg's product. */
export const heldBy = ({ plan }: Work, { product }: Leg, { books }: ExecutionContext): Decimal => books.book(plan.strategy, product).size;

/** True while an order that closes the position, on that side, is on its way. */
export const isClosingInFlight = ({ plan }: Work, { product, intent }: Leg, { books }: ExecutionContext): boolean =>
  books.openOf(plan.strategy, product).some(({ side, state }) => side === intent.side && state !== 'unknown');

/** True for a plan that closes all that is held: it goes on with what is certain while an outcome is unknown. */
export const closesAll = ({ kind }: Work, { intent }: Leg): boolean => kind === 'exit' && intent.size.kind === 'position';

/** True where nothing of a position is left that an order could close, whatever became of others. */
export function isGone({ plan: { strategy } }: Work, { product, lane }: Leg, { books, products, market }: ExecutionContext): boolean {
  const { size } = books.book(strategy, product);
  if (books.openOf(strategy, product).length > 0) return false;
  if (size.isZero()) return true;
  const known = products.get(product);
  const quote = market.latest(lane);
  const side = size.isNegative() ? quote?.buy : quote?.sell;
  return known !== undefined && !canBeOrdered(size, known, { price: side?.price ?? Number.POSITIVE_INFINITY });
}

/** Refusals after which there is nothing left to try. */
export const NOTHING_LEFT: ReadonlySet<Reason> = new Set(['NO_POSITION', 'DUST']);

/** Refusals that the next quote may lift: a person's order waits for it. */
const PASSING: ReadonlySet<Reason> = new Set(['TIME_LEFT', 'LANE_STALE', 'INPUT_STALE', 'LANE_DOWN', 'QUOTE_TAKEN', 'QUOTE_REPEATED']);

/**
 * Refusals that end a later leg without `within`: those by a person, by a limit of value or by the product, which its short wait does not
 * lift, and that by its own limit, since only `within` waits for a price.
 */
const LASTING: ReadonlySet<Reason> = new Set([
  ...NOTHING_LEFT,
  ...(['HALTED', 'DISARMED', 'REDUCING', 'DISABLED', 'PAUSED', 'OUTSIDE_WINDOW', 'PRODUCT_FROZEN'] as const),
  ...(['SIZE_LIMITS', 'SHORT_NOT_ALLOWED', 'BUDGET', 'LOSS_COOLDOWN', 'UNKNOWN_BUDGET', 'LIMIT_PRICE'] as const),
  ...(['MAX_EXIT_VALUE', 'MAX_ORDER_VALUE', 'MAX_DAY_VALUE', 'MAX_POSITION_VALUE', 'MAX_STRATEGY_VALUE', 'MAX_TOTAL_VALUE'] as const),
]);

/** True for a leg that a failed order ends: one that has no time to wait for another quote. */
export const isTriedOnce = (work: Work): boolean =>
  work.kind === 'manual' ? !work.plan.manual.lasting : work.kind === 'strategy' && work.withinMs === null;

/** True for a leg that such a refusal ends. */
export function isOver(work: Work, leg: Leg, reason: Reason): boolean {
  const isOnce = isTriedOnce(work);
  if (work.kind === 'manual') return isOnce && !PASSING.has(reason);
  const asksForTime = leg.intent.within !== null || work.kind === 'exit';
  return isOnce || (asksForTime ? NOTHING_LEFT : LASTING).has(reason);
}

/** What a strategy hears of an intent whose time was over. */
export function lapsedOutcome({ intent: { side }, lane }: Leg, { market, log }: ExecutionContext): Outcome {
  const quote = market.latest(lane);
  const price = quote && (side === 'buy' ? quote.buy.price : quote.sell.price);
  return { at: log.now, state: 'lapsed', reason: 'LAPSED', side: side ?? 'sell', orderId: undefined, price, size: undefined };
}
