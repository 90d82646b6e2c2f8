import { isMultipleOf } from '#domain/decimal.ts';
import type { Amount } from '#domain/lane.ts';
import type { QuotedProduct } from '#paper-venue/products.ts';
import { midOnGrid, quoteFigures, type Top } from './quote-making.ts';

/**
 * Why an amount cannot be quoted in a product at the present market, as text for an ERR; undefined if it can. Sizes are
 * whole steps between the smallest and the largest; values reach the smallest value and buy at least the smallest size
 * (spec 2.6, 2.7).
 */
export function amountFault(product: QuotedProduct, top: Top, amount: Amount): string | undefined {
  const mid = midOnGrid(product, top);
  const { code, quoteCcy, baseCcy, minSize, minNotionalValue, sizeIncrement, maxSize } = product;
  if ('base' in amount) {
    const size = amount.base;
    if (size.lte(0)) return 'inputSize must be greater than zero';
    if (size.lt(minSize)) return `inputSize ${size} is below the minSize ${minSize} of ${code}`;
    if (!isMultipleOf(size, sizeIncrement)) return `inputSize ${size} is not a multiple of the sizeIncrement ${sizeIncrement} of ${code}`;
    if (size.gt(maxSize)) return `inputSize ${size} is more than the ${maxSize} ${baseCcy} on offer in ${code}`;
    if (size.times(mid).lt(minNotionalValue)) {
      return `inputSize ${size} is worth less than the minNotionalValue ${minNotionalValue} ${quoteCcy} of ${code}`;
    }
    return undefined;
  }
  const value = amount.quote;
  if (value.lte(0)) return 'inputValue must be greater than zero';
  if (value.lt(minNotionalValue)) return `inputValue ${value} is below the minNotionalValue ${minNotionalValue} of ${code}`;
  if (value.div(mid).gt(maxSize)) return `inputValue ${value} is more than the ${maxSize} ${baseCcy} on offer in ${code}`;
  if (!quoteFigures({ product, top, amount, feePercentage: 0, referenceMid: 0 })) {
    return `inputValue ${value} buys less than the minSize ${minSize} of ${code}`;
  }
  return undefined;
}
