import { Decimal, isMultipleOf } from '../domain/decimal.ts';
import type { CheckResult } from '../domain/decision.ts';
import type { Currency } from '../domain/names.ts';
import type { OrderCore } from '../domain/order.ts';
import type { Product } from '../domain/product.ts';
import type { Quote } from '../domain/quote.ts';
import type { Reason } from '../domain/reasons.ts';
import { type Interval, reduces, worstOf } from './books.ts';
import type { Limits, ValueCap } from './limits.ts';

/** Everything that the checks of one order look at, read at one instant. */
export interface RiskInput {
  readonly order: OrderCore;
  readonly quote: Quote;
  readonly product: Product;
  readonly limits: Limits;
  /** Worst price that the intent accepts; null for none. */
  readonly limitPrice: number | null;
  readonly halted: boolean;
  readonly disabled: boolean;
  readonly paused: boolean;
  /** Why the market says that the quote cannot be used, or null. */
  readonly untradable: Reason | null;
  readonly quoteTaken: boolean;
  readonly timeLeftMs: number;
  readonly frozen: boolean;
  readonly inFlight: boolean;
  /** Position of the order's own book, open orders at their worse end, without this order. */
  readonly interval: Interval;
  /** Worst sizes of all books of the product, without this order, in base currency. */
  readonly grossExposure: Decimal;
  readonly ordersLastMinute: number;
  readonly budgetLeft: Decimal;
  readonly canShort: boolean;
}

export interface Refused {
  readonly approved: false;
  readonly reason: Reason;
  readonly checks: readonly CheckResult[];
}

/**
 * An order that passed every check on the very quote it names. There is no other way to get one, and nothing else can
 * be sent.
 */
export class Approved {
  readonly approved = true;
  readonly order: OrderCore;
  readonly checks: readonly CheckResult[];

  private constructor(order: OrderCore, checks: readonly CheckResult[]) {
    this.order = order;
    this.checks = checks;
  }

  /**
   * Runs the checks in their order and stops at the first that says no. A reducing order passes only the state, the
   * quote, the size and its own limit: gates meant for opening never stop an exit.
   */
  static assess(input: RiskInput): Approved | Refused {
    const reducing = reduces(input.interval, input.order.side, input.order.figures.size);
    const checks: CheckResult[] = [];
    for (const [reason, applies, check] of CHECKS) {
      if (applies === 'opening' && reducing) continue;
      const result = check(input);
      if (result === undefined) continue;
      checks.push({ check: result.reason ?? reason, passed: result.passed, figure: result.figure, limit: result.limit });
      if (!result.passed) return { approved: false, reason: result.reason ?? reason, checks };
    }
    return new Approved(input.order, checks);
  }
}

interface Verdict {
  readonly passed: boolean;
  readonly figure: string | number;
  readonly limit: string | number | null;
  /** Where the check finds a more telling reason than its own. */
  readonly reason?: Reason;
}

/** Undefined where the check has nothing to hold the order against. */
type Check = (input: RiskInput) => Verdict | undefined;

const CHECKS: readonly (readonly [reason: Reason, applies: 'always' | 'opening', check: Check])[] = [
  ['HALTED', 'always', (i) => flag(i.halted)],
  ['DISABLED', 'opening', (i) => flag(i.disabled)],
  ['PAUSED', 'opening', (i) => flag(i.paused)],
  ['PRODUCT_FROZEN', 'opening', (i) => flag(i.frozen)],
  ['IN_FLIGHT', 'opening', (i) => flag(i.inFlight)],
  ['LANE_DOWN', 'always', (i) => (i.untradable ? { passed: false, figure: 'unusable', limit: null, reason: i.untradable } : undefined)],
  ['QUOTE_TAKEN', 'always', (i) => flag(i.quoteTaken)],
  ['TIME_LEFT', 'always', (i) => atLeast(i.timeLeftMs, i.limits.minTimeLeftMs)],
  ['SIZE_LIMITS', 'always', sizeLimits],
  ['LIMIT_PRICE', 'always', limitPrice],
  ['SHORT_NOT_ALLOWED', 'opening', shortAllowed],
  ['MAX_ORDER_VALUE', 'opening', (i) => valueCap(i.order.figures.value, i.limits.maxOrderValue, i.order.quoteCcy)],
  ['MAX_POSITION_VALUE', 'opening', positionValue],
  ['MAX_SPREAD', 'opening', (i) => atMost(i.quote.spreadPercentage, i.limits.maxSpreadPct)],
  ['MAX_ORDERS_PER_MINUTE', 'opening', (i) => atMost(i.ordersLastMinute + 1, i.limits.maxOrdersPerMinute)],
  ['BUDGET', 'opening', budget],
];

function flag(on: boolean): Verdict | undefined {
  return on ? { passed: false, figure: 'yes', limit: 'no' } : undefined;
}

function atMost(figure: number, limit: number | null): Verdict | undefined {
  return limit === null ? undefined : { passed: figure <= limit, figure, limit };
}

function atLeast(figure: number, limit: number | null): Verdict | undefined {
  return limit === null ? undefined : { passed: figure >= limit, figure, limit };
}

function sizeLimits({ order, product }: RiskInput): Verdict {
  const { size, value } = order.figures;
  if (size.lt(product.minSize)) return { passed: false, figure: size.toString(), limit: `minSize ${product.minSize}` };
  if (!isMultipleOf(size, product.sizeIncrement)) {
    return { passed: false, figure: size.toString(), limit: `sizeIncrement ${product.sizeIncrement}` };
  }
  if (value.lt(product.minNotionalValue)) {
    return { passed: false, figure: value.toString(), limit: `minNotionalValue ${product.minNotionalValue}` };
  }
  return { passed: true, figure: size.toString(), limit: product.minSize.toString() };
}

function limitPrice({ order, limitPrice: limit }: RiskInput): Verdict | undefined {
  if (limit === null) return undefined;
  const { price } = order.figures;
  return { passed: order.side === 'buy' ? price.lte(limit) : price.gte(limit), figure: price.toString(), limit };
}

function shortAllowed({ order, interval, canShort }: RiskInput): Verdict | undefined {
  if (order.side === 'buy' || canShort) return undefined;
  const after = interval.low.minus(order.figures.size);
  return { passed: !after.isNegative() || after.isZero(), figure: after.toString(), limit: 0 };
}

function valueCap(value: Decimal, cap: ValueCap, currency: Currency): Verdict | undefined {
  if (cap === null) return undefined;
  const limit = cap.get(currency);
  if (limit === undefined) return { passed: false, figure: `${value} ${currency}`, limit: [...cap.keys()].join(', '), reason: 'NO_RATE' };
  return { passed: value.lte(limit), figure: value.toString(), limit: limit.toString() };
}

function positionValue({ order, interval, grossExposure, limits }: RiskInput): Verdict | undefined {
  const { size, price } = order.figures;
  const own = worstOf(interval);
  const after = Decimal.max(
    interval.low.minus(order.side === 'sell' ? size : 0).abs(),
    interval.high.plus(order.side === 'buy' ? size : 0).abs(),
  );
  return valueCap(grossExposure.minus(own).plus(after).times(price), limits.maxPositionValue, order.quoteCcy);
}

function budget({ order, budgetLeft }: RiskInput): Verdict | undefined {
  if (order.side === 'sell') return undefined;
  const { value, fee, feeCcy } = order.figures;
  const cost = feeCcy === order.quoteCcy ? value.plus(fee) : value;
  return { passed: cost.lte(budgetLeft), figure: cost.toString(), limit: budgetLeft.toString() };
}
