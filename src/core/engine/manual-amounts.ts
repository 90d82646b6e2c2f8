import { MANUAL_TAG, type ManualSizing } from '#core/execution/plan.ts';
import { leastOrder } from '#core/portfolio/valuation.ts';
import { decimalOf, floorToStep } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import type { ManualAmount } from '#domain/manual-request.ts';
import type { Product } from '#domain/product.ts';
import type { Side } from '#domain/quote.ts';

/** Margin for the price to move between the quote that gives the least size and the order. */
const MIN_PRICE_SHARE = 0.99;

/** Room for a fee that is taken from what was bought, so that what is left is an order's worth, whatever `service.feeIn` says. */
const FEE_ROOM = 1.02;

/** Multiple of the least value that a lane is opened for to see a price: an amount that the service surely quotes. */
const LOOK_AT_LEASTS = 10;

/** The intent of a person. */
export function manualIntent(side: Side, size: Intent['size'], reason: string): Intent {
  return { kind: 'intent', side, size, reason, tag: MANUAL_TAG, limit: null, within: null, on: null };
}

interface OrderTerms {
  readonly product: Product;
  readonly price: number | undefined;
  readonly side: Side;
  readonly why: string;
}

/** The amount that a person asked for, floored to the product's step. */
export function wanted(asked: ManualAmount, { product, price, side, why }: OrderTerms): ManualSizing {
  const amount = amountOf(asked, { product, price });
  const tooLittle = 'base' in amount ? amount.base.lt(leastOrder(product, price ?? 0)) : amount.quote.lt(product.minNotionalValue);
  if (tooLittle) {
    const limit = 'base' in amount ? `${leastOrder(product, price ?? 0)} base` : `${product.minNotionalValue} quote`;
    return { over: 'SIZE_LIMITS', why: `${wordsOf(asked)}: the least order is ${limit}`, done: false };
  }
  return { intent: manualIntent(side, { kind: 'amount', amount }, why), amount };
}

function amountOf(asked: ManualAmount, { product, price }: Pick<OrderTerms, 'product' | 'price'>): Amount {
  if ('quote' in asked) return { quote: decimalOf(asked.quote) };
  if ('base' in asked) return { base: floorToStep(decimalOf(asked.base), product.sizeIncrement) };
  // The least size follows from the price: where that is not known yet, it is looked at first, on a lane that nothing is ordered on.
  if (price === undefined && product.minNotionalValue.gt(0)) return { quote: product.minNotionalValue.times(LOOK_AT_LEASTS) };
  const least = leastOrder(product, (price ?? 0) * MIN_PRICE_SHARE).times(FEE_ROOM);
  return { base: floorToStep(least, product.sizeIncrement).plus(product.sizeIncrement) };
}

/** An amount in words. */
export function wordsOf(asked: ManualAmount): string {
  if ('least' in asked) return 'the least order';
  return 'base' in asked ? `${asked.base} base` : `${asked.quote} quote`;
}
