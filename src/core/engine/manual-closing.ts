import type { ManualSizing } from '#core/execution/plan.ts';
import { leastOrder } from '#core/execution/sizing.ts';
import type { Books } from '#core/portfolio/books.ts';
import { floorToStep, ZERO } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import type { Product } from '#domain/product.ts';
import { manualIntent } from './manual-amounts.ts';
import type { Part } from './manual-tasks.ts';

interface Closing {
  readonly part: Part;
  readonly product: Product;
  readonly pct: number;
  readonly why: string;
}

/** What is still to be ordered so that `pct` of what was held is closed; where outcomes are unknown, only what is surely held. */
export function closing(books: Books, { part, product, pct, why }: Closing): (price: number | undefined) => ManualSizing {
  const target = pct === 100 ? ZERO : part.held.minus(part.held.times(pct).div(100));
  return (price) => {
    const { low, high } = books.interval(part.book, product.code);
    const sure = low.gt(0) ? low : high.lt(0) ? high : ZERO;
    const held = books.book(part.book, product.code).size;
    const left = sure.abs().minus(target.abs());
    const by = floorToStep(left, product.sizeIncrement);
    const unknown = books.openOf(part.book, product.code).find((order) => order.state === 'unknown');
    if (by.lte(0) && unknown) return { over: 'PRODUCT_FROZEN', why: unknownText(unknown.id), done: false };
    if (left.lte(0) || (pct < 100 && held.abs().lt(part.held.abs()))) return { over: null, why: '', done: true };
    const least = leastOrder(product, price ?? 0);
    if (by.lt(least)) {
      const what = pct === 100 ? `${held} is left, which no order can close` : `${by} is too little to close`;
      return { over: pct === 100 ? 'DUST' : 'SIZE_LIMITS', why: `${what}: the least order is ${least}`, done: pct === 100 };
    }
    const size: Intent['size'] = unknown
      ? { kind: 'amount', amount: { base: by } }
      : pct === 100
        ? { kind: 'position' }
        : { kind: 'percent', percent: pct };
    return { intent: manualIntent(held.isNegative() ? 'buy' : 'sell', size, why), amount: { base: by } };
  };
}

/** What keeps a position from being closed, and what a person does about it. */
export const unknownText = (order: string): string =>
  `order ${order} has an unknown outcome: \`kairos journal resolve ${order} --as accepted\` or \`--as rejected\` settles it`;
