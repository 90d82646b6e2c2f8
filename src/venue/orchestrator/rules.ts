import { type Decimal, decimalOf, isMultipleOf } from '#domain/decimal.ts';
import type { FieldFault } from '#venue/http/refusal.ts';
import type { Tradable } from './tradables.ts';

/** What sizes, amounts and prices of a strategy are held against. */
export interface Market {
  readonly tradable: Tradable;
  /** The present price. */
  readonly mid: Decimal;
  /** What the account holds. */
  readonly balanceOf: (currency: string) => Decimal;
}

type Values = Readonly<Record<string, unknown>>;

const SIZES = ['initialBaseCurrencySize', 'size', 'orderMaxSize'];
const PRICES = ['priceLimit', 'triggerPrice'];

/** Values that break the product's limits (spec 1, 2.6, 8): each is refused with 422. Absent, null and zero sizes say nothing. */
export function limitFaults(values: Values, { tradable }: Market): FieldFault[] {
  const { minSize, minNotionalValue, sizeIncrement, priceIncrement, code } = tradable;
  return [
    ...SIZES.flatMap((field) =>
      checked(values, field, (size) => stepFault(size, sizeIncrement, 'sizeIncrement') ?? least(size, minSize, 'minSize')),
    ),
    ...checked(values, 'initialQuoteCurrencyAmount', (value) => least(value, minNotionalValue, 'minNotionalValue')),
    ...PRICES.flatMap((field) =>
      checked(
        values,
        field,
        (price) => least(price, priceIncrement, 'smallest price') ?? stepFault(price, priceIncrement, 'priceIncrement'),
      ),
    ),
  ].map((fault) => ({ ...fault, description: `${fault.description} of ${code}` }));
}

/** What is allowed and probably not meant; it is done all the same with `ignoreWarnings`. */
export function warningsOf(values: Values, { tradable, mid, balanceOf }: Market): FieldFault[] {
  const { baseCcy, quoteCcy } = tradable;
  const held = (currency: string) => (amount: Decimal) =>
    amount.gt(balanceOf(currency)) ? `is more than the ${balanceOf(currency)} ${currency} of the account` : undefined;
  const far = (price: Decimal) => (price.lt(mid.div(2)) || price.gt(mid.times(2)) ? `is far from the present price ${mid}` : undefined);
  return [
    ...checked(values, 'initialBaseCurrencySize', held(baseCcy)),
    ...checked(values, 'initialQuoteCurrencyAmount', held(quoteCcy)),
    ...PRICES.flatMap((field) => checked(values, field, far)),
  ];
}

/** True for a size or amount that was given and is not zero. */
export function isSet(values: Values, field: string): boolean {
  const value = values[field];
  return typeof value === 'number' && value > 0;
}

function checked(values: Values, field: string, rule: (value: Decimal) => string | undefined): FieldFault[] {
  const value = values[field];
  if (typeof value !== 'number' || !isSet(values, field)) return [];
  const broken = rule(decimalOf(value));
  return broken === undefined ? [] : [{ fields: [field], description: `${field} ${value} ${broken}`, rejectedValue: value }];
}

function least(value: Decimal, limit: Decimal, name: string): string | undefined {
  return value.lt(limit) ? `is below the ${name} ${limit}` : undefined;
}

function stepFault(value: Decimal, step: Decimal, name: string): string | undefined {
  return isMultipleOf(value, step) ? undefined : `is not a multiple of the ${name} ${step}`;
}
