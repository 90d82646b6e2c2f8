import type { ManualSizing } from '#core/execution/plan.ts';
import { closable } from '#core/execution/sizing.ts';
import { unsureCheck } from '#core/execution/unsure.ts';
import { type Books, certainOf, isSure } from '#core/portfolio/books.ts';
import { leastOrder } from '#core/portfolio/valuation.ts';
import { checkWords } from '#domain/check-words.ts';
import { Decimal, floorToStep, ZERO } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import type { Product } from '#domain/product.ts';
import { manualIntent } from './manual-amounts.ts';
import type { Part } from './manual-tasks.ts';

interface Closing {
  readonly part: Pick<Part, 'book' | 'product' | 'held'>;
  readonly product: Product;
  readonly pct: number;
  /** Of a sale, where it is taken from what is held beside it (`feeShareOf`). */
  readonly feeShare: number;
  readonly why: string;
}

/** What is still to be ordered so that `pct` of what was held is closed; while orders are open, only what is surely held. */
export function closing(books: Books, { part, product, pct, feeShare, why }: Closing): (price: number | undefined) => ManualSizing {
  const target = pct === 100 ? ZERO : part.held.minus(part.held.times(pct).div(100));
  return (price) => {
    const interval = books.interval(part.book, product.code);
    const held = books.book(part.book, product.code).size;
    const certain = certainOf(interval);
    const left = certain.abs().minus(target.abs());
    const by = Decimal.min(floorToStep(left, product.sizeIncrement), closable(certain, { product, feeShare }));
    const least = leastOrder(product, price ?? 0);
    if (by.lt(least) && !isSure(interval))
      return { waits: 'POSITION_UNSURE', why: checkWords(unsureCheck(books, { strategy: part.book, product: part.product })) };
    if (left.lte(0) || (pct < 100 && by.lt(least) && held.abs().lt(part.held.abs()))) return { over: null, why: '', done: true };
    if (by.lt(least)) {
      const what = pct === 100 ? `${held} is left, which no order can close` : `${by} is too little to close`;
      return { over: pct === 100 ? 'DUST' : 'SIZE_LIMITS', why: `${what}: the least order is ${least}`, done: pct === 100 };
    }
    const size: Intent['size'] = pct === 100 ? { kind: 'position' } : { kind: 'amount', amount: { base: by } };
    return { intent: manualIntent(held.isNegative() ? 'buy' : 'sell', size, why), amount: { base: by } };
  };
}
