import type { ManualSizing } from '#core/execution/plan.ts';
import { closable } from '#core/execution/sizing.ts';
import { unsureCheck } from '#core/execution/unsure.ts';
import { type Books, certainOf, isSure } from '#core/portfolio/books.ts';
import { leastOrder } from '#core/portfolio/valuation.ts';
import { checkWords } from '#domain/check-words.ts';
import { Decimal, floorToStep, ZERO } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import type { OrderState } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { manualIntent } from './manual-amounts.ts';
import type { Part } from './manual-tasks.ts';

interface Closing {
  readonly part: Pick<Part, 'book' | 'product' | 'held' | 'orders'>;
  readonly product: Product;
  readonly pct: number;
  /** Of a sale, where it is taken from what is held beside it (`feeShareOf`). */
  readonly feeShare: number;
  readonly why: string;
}

/**
 * What is still to be ordered so that `pct` of what was held is closed; while orders are open, only what is surely held. What others sell
 * meanwhile counts for a share; what they add is none of it.
 */
export function closing(books: Books, { part, product, pct, feeShare, why }: Closing): (price: number | undefined) => ManualSizing {
  const share = part.held.abs().times(pct).div(100);
  const rest = part.held.abs().minus(share);
  return (price) => {
    const interval = books.interval(part.book, product.code);
    const held = books.book(part.book, product.code).size;
    const certain = certainOf(interval);
    const closed = closedBy(part);
    const left = pct === 100 ? certain.abs() : Decimal.min(certain.abs().minus(rest), share.minus(closed));
    const by = Decimal.min(floorToStep(left, product.sizeIncrement), closable(certain, { product, feeShare }));
    const least = leastOrder(product, price ?? 0);
    if (by.lt(least) && !isSure(interval))
      return { waits: 'POSITION_UNSURE', why: checkWords(unsureCheck(books, { strategy: part.book, product: part.product })) };
    const isBegun = closed.gt(0) || held.abs().lt(part.held.abs());
    if (held.isZero() || (pct < 100 && by.lt(least) && isBegun)) return { over: null, why: '', done: true };
    if (by.lt(least)) {
      const what = pct === 100 ? `${held} is left, which no order can close` : `${by} is too little to close`;
      return { over: pct === 100 ? 'DUST' : 'SIZE_LIMITS', why: `${what}: the least order is ${least}`, done: pct === 100 };
    }
    const size: Intent['size'] = pct === 100 ? { kind: 'position' } : { kind: 'amount', amount: { base: by } };
    return { intent: manualIntent(held.isNegative() ? 'buy' : 'sell', size, why), amount: { base: by } };
  };
}

/** What its own orders have closed, or may have. */
const closedBy = ({ orders }: Pick<Part, 'orders'>): Decimal =>
  [...orders.values()].reduce((sum, { state, size }) => (NOT_EXECUTED.has(state) ? sum : sum.plus(size)), ZERO);

const NOT_EXECUTED: ReadonlySet<string> = new Set<OrderState>(['rejected', 'expired', 'not_sent']);
