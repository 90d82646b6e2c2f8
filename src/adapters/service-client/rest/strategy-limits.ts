import { type Decimal, decimalOf, isMultipleOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { Product } from '#domain/product.ts';
import type { StrategyFields } from '#domain/remote.ts';

const SIZES = ['initialBaseCurrencySize', 'size', 'orderMaxSize'];
const AMOUNTS = ['initialQuoteCurrencyAmount'];
const PRICES = ['priceLimit', 'triggerPrice'];

/**
 * Holds a strategy's sizes, amounts and prices against its product's four limits (spec 1, 2.6, 8), in exact decimals and without
 * rounding anything. Absent, null and zero say nothing. Throws REMOTE_INVALID naming each field at fault.
 */
export function checkStrategyLimits(fields: StrategyFields, product: Product): void {
  const { minSize, minNotionalValue, sizeIncrement, priceIncrement } = product;
  const faults = [
    ...SIZES.flatMap((name) =>
      faultsOf(fields, name, (size) => [
        size.lt(minSize) && `is below minSize ${minSize}`,
        !isMultipleOf(size, sizeIncrement) && `is no multiple of sizeIncrement ${sizeIncrement}`,
      ]),
    ),
    ...AMOUNTS.flatMap((name) =>
      faultsOf(fields, name, (value) => [value.lt(minNotionalValue) && `is below minNotionalValue ${minNotionalValue}`]),
    ),
    ...PRICES.flatMap((name) =>
      faultsOf(fields, name, (price) => [!isMultipleOf(price, priceIncrement) && `is no multiple of priceIncrement ${priceIncrement}`]),
    ),
  ];
  if (faults.length > 0) throw new KairosError('REMOTE_INVALID', `${faults.join('; ')} of ${product.code}; nothing was sent`);
}

function faultsOf(fields: StrategyFields, name: string, judge: (value: Decimal) => readonly (string | false)[]): readonly string[] {
  const given = fields[name];
  if (given === undefined || given === null) return [];
  if (typeof given !== 'number') return [`${name} must be a number`];
  const value = decimalOf(given);
  if (value.isNegative()) return [`${name} ${value} must be 0 or more`];
  if (value.isZero()) return [];
  return judge(value).flatMap((fault) => (fault === false ? [] : [`${name} ${value} ${fault}`]));
}
