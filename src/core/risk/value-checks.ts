import type { Amounts } from '#core/portfolio/amounts.ts';
import { worstOf } from '#core/portfolio/books.ts';
import { Decimal, isMultipleOf, ZERO } from '#domain/decimal.ts';
import { isLaneOfValue } from '#domain/lane.ts';
import type { Currency } from '#domain/names.ts';
import { feeInBase, worthOf } from '#domain/order.ts';
import type { ValueCap } from './limits.ts';
import type { RiskInput, RiskMeasures, Verdict } from './risk-input.ts';

/** What an order asks for meets the product's limits. A value was asked for as a value, and the size that it comes to is the service's own (spec 1.flow.4, 2.7). */
export function sizeLimits({ order, product, quote }: RiskInput): Verdict {
  const { size, value } = order.figures;
  if (size.lt(product.minSize)) return { passed: false, figure: size.toString(), limit: `minSize ${product.minSize}` };
  if (!isLaneOfValue(quote.lane) && !isMultipleOf(size, product.sizeIncrement)) {
    return { passed: false, figure: size.toString(), limit: `sizeIncrement ${product.sizeIncrement}` };
  }
  if (value.lt(product.minNotionalValue)) {
    return { passed: false, figure: value.toString(), limit: `minNotionalValue ${product.minNotionalValue}`, currency: order.quoteCcy };
  }
  return { passed: true, figure: size.toString(), limit: product.minSize.toString() };
}

/** A sale may take the book's worst case below zero only where the product may go short. */
export function shortAllowed({ order, interval, canShort }: RiskInput): Verdict | undefined {
  if (order.side === 'buy' || canShort) return undefined;
  const after = interval.low.minus(order.figures.size).minus(feeInBase(order));
  return { passed: after.gte(ZERO), figure: after.toString(), limit: 0 };
}

/** What the order is worth at the worse of its own figures. */
export function orderValue({ order, limits, measured }: RiskInput): Verdict | undefined {
  return valueCap(limits.maxOrderValue, { value: worthOf(order.figures), order, measured });
}

/** An exit is held against the worth that nobody needs to ask about, or that a person allowed; a missing rate never stops it. */
export function exitValue({ order, limits, measured, exitAllowed }: RiskInput): Verdict | undefined {
  const value = worthOf(order.figures);
  const verdict = valueCap(limits.maxExitValue, { value, order, measured });
  if (verdict === undefined || verdict.reason === 'NO_RATE') return undefined;
  if (verdict.passed || exitAllowed === null) return verdict;
  return { passed: value.lte(exitAllowed), figure: value.toString(), limit: exitAllowed.toString(), currency: order.quoteCcy };
}

/** What the orders of the day (UTC) are worth together, this one among them. */
export function dayValue({ order, limits, measured }: RiskInput): Verdict | undefined {
  if (limits.maxDayValue === null) return undefined;
  return valueCap(limits.maxDayValue, {
    value: worthOf(order.figures),
    order,
    measured,
    besides: measured.counts.dayValue(order.intentAt),
  });
}

/** The product's worst case over all books, with this order. */
export function positionValue(input: RiskInput): Verdict | undefined {
  const { order, limits, measured } = input;
  return valueCap(limits.maxPositionValue, { value: productExposure(input), order, measured });
}

/** The strategy's worst case over all its products, with this order. */
export function strategyValue(input: RiskInput): Verdict | undefined {
  const { order, limits, measured } = input;
  if (limits.maxStrategyValue === null) return undefined;
  const value = ownAfter(input).times(order.figures.price);
  return valueCap(limits.maxStrategyValue, {
    value,
    order,
    measured,
    besides: measured.exposure.ofStrategy(order.strategy, order.product),
  });
}

/** The worst case over everything, with this order. */
export function totalValue(input: RiskInput): Verdict | undefined {
  const { order, limits, measured } = input;
  if (limits.maxTotalValue === null) return undefined;
  const value = productExposure(input);
  return valueCap(limits.maxTotalValue, { value, order, measured, besides: measured.exposure.ofAll(order.product) });
}

/** A purchase costs no more than is left of its strategy's budget, in quote currency. */
export const budget = (input: RiskInput): Verdict | undefined => affordable(input, input.budgetLeft);

/** The whole account covers the order, whatever single budgets say. */
export const funds = (input: RiskInput): Verdict | undefined => affordable(input, input.measured.funds.free(input.order.quoteCcy));

function affordable({ order, limits }: RiskInput, left: Decimal | undefined): Verdict | undefined {
  if (order.side === 'sell' || limits.spending === 'unlimited' || left === undefined) return undefined;
  const { value, fee, feeCcy } = order.figures;
  const cost = feeCcy === order.quoteCcy ? value.plus(fee) : value;
  return { passed: cost.lte(left), figure: cost.toString(), limit: left.toString(), currency: order.quoteCcy };
}

/** What one unit of a currency is worth in another by live quotes where so much of it is exchanged. */
type Rate = ReturnType<RiskMeasures['marks']['ratesAt']>;

/** The limit towards which amounts of a currency count, and what one of it is worth there. */
interface CurrencyLimit {
  readonly currency: string;
  readonly limit: Decimal;
  readonly factor: Decimal;
}

/** Towards which limit an amount counts: that of its own currency, else the first that there is a live rate to. */
export function countedIn(
  cap: ReadonlyMap<string, Decimal>,
  of: { readonly amount: number; readonly currency: string },
  rate: Rate,
): CurrencyLimit | undefined {
  const own = cap.get(of.currency);
  if (own !== undefined) return { currency: of.currency, limit: own, factor: ONE };
  for (const [currency, limit] of cap) {
    const factor = rate(of.currency, currency, of.amount);
    if (factor !== undefined) return { currency, limit, factor };
  }
  return undefined;
}

/** Adds up what counts towards one currency of a limit; the first currency without a live rate where that cannot be said. */
export function sumIn(amounts: Amounts, cap: ReadonlyMap<string, Decimal>, from: { into: string; rate: Rate }): Decimal | Currency {
  let sum = ZERO;
  for (const [currency, amount] of amounts) {
    if (amount.isZero()) continue;
    const counted = countedIn(cap, { amount: amount.toNumber(), currency }, from.rate);
    if (counted === undefined) return currency;
    if (counted.currency === from.into) sum = sum.plus(amount.times(counted.factor));
  }
  return sum;
}

function valueCap(
  cap: ValueCap,
  {
    value,
    order,
    measured,
    besides = NOTHING,
  }: { readonly value: Decimal; readonly besides?: Amounts } & Pick<RiskInput, 'order' | 'measured'>,
): Verdict | undefined {
  if (cap === null) return undefined;
  const currency = order.quoteCcy;
  const rate = measured.marks.ratesAt(order.intentAt);
  const noRate = (of: string): Verdict => ({
    passed: false,
    figure: `${value} ${of}`,
    limit: [...cap.keys()].join(', '),
    reason: 'NO_RATE',
  });
  const counted = countedIn(cap, { amount: value.toNumber(), currency }, rate);
  if (counted === undefined) return noRate(currency);
  const others = sumIn(besides, cap, { into: counted.currency, rate });
  if (typeof others === 'string') return noRate(others);
  const figure = value.times(counted.factor).plus(others);
  return { passed: figure.lte(counted.limit), figure: figure.toString(), limit: counted.limit.toString(), currency: counted.currency };
}

const ONE = new Decimal(1);
const NOTHING: Amounts = new Map();

/** Worst size of the order's own book with the order. */
function ownAfter({ order, interval }: RiskInput): Decimal {
  const { size } = order.figures;
  const low = order.side === 'sell' ? interval.low.minus(size) : interval.low;
  const high = order.side === 'buy' ? interval.high.plus(size) : interval.high;
  return worstOf({ low, high });
}

function productExposure(input: RiskInput): Decimal {
  return input.grossExposure.minus(worstOf(input.interval)).plus(ownAfter(input)).times(input.order.figures.price);
}
