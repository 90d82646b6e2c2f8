import type { Amounts } from '#core/portfolio/amounts.ts';
import { reduces, worstOf } from '#core/portfolio/books.ts';
import { countedIn, sumIn } from '#core/portfolio/valuation.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { type Decimal, isMultipleOf, ZERO } from '#domain/decimal.ts';
import { isLaneOfValue } from '#domain/lane.ts';
import { isoTime } from '#domain/names.ts';
import { feeInBase, type OrderCore, worthOf } from '#domain/order.ts';
import { feePctOf, percentOf, slippagePctOf, spreadPctOf } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ValueCap } from './limits.ts';
import { mostPerMinute, RATES } from './order-counts.ts';
import type { Check, Flag, LatchFlag, RiskInput, Verdict } from './risk-input.ts';

export type { RiskInput, RiskMeasures } from './risk-input.ts';

/** An order that a check refused: by which reason, and what each check found up to it. */
export interface RiskRefusal {
  readonly approved: false;
  /** Whether it was held against the checks of an exit. */
  readonly isExit: boolean;
  readonly reason: Reason;
  readonly checks: readonly CheckResult[];
}

/**
 * An order that passed every check on the very quote it names. There is no other way to get one, and nothing else can
 * be sent.
 */
export class RiskApproval {
  readonly approved: true;
  readonly order: OrderCore;
  readonly isExit: boolean;
  readonly checks: readonly CheckResult[];

  private constructor(order: OrderCore, isExit: boolean, checks: readonly CheckResult[]) {
    this.approved = true;
    this.order = order;
    this.isExit = isExit;
    this.checks = checks;
  }

  /**
   * Runs the checks in their order and stops at the first that says no. A reducing order passes only the state, the
   * quote, the size, its own limit, its own collar and its own worth: gates meant for opening never stop an exit (I07b). `found` is the
   * caller's, for all of its orders.
   */
  static assess(input: RiskInput, found: LastResults = []): RiskApproval | RiskRefusal {
    const isExit = reduces(input.interval, input.order.side, input.order.figures.size);
    const checks: CheckResult[] = [];
    for (const one of isExit ? OF_REDUCING : OF_OPENING) {
      const { check: rule } = one;
      const result =
        typeof rule === 'function' ? rule(input, isExit) : typeof rule === 'string' ? flagged(input, rule) : valueLimit(input, rule.cap);
      if (result === undefined) continue;
      const { passed, figure, limit, currency, reason = one.reason } = result;
      const last = found[one.place];
      const isAsBefore =
        last?.figure === figure && last.limit === limit && last.passed === passed && last.check === reason && last.currency === currency;
      const told = isAsBefore ? last : { check: reason, passed, figure, limit, ...(currency !== undefined && { currency }) };
      found[one.place] = told;
      checks.push(told);
      if (!passed) return { approved: false, isExit, reason, checks };
    }
    return new RiskApproval(input.order, isExit, checks);
  }
}

/** The reason by which a check refuses, the orders that it is for, and itself. */
type RefusalRule = readonly [
  reason: Reason,
  applies: 'always' | 'opening' | 'reducing',
  check: Flag | Check | { readonly cap: OpeningCap },
];

/** Limits on what openings come to. */
type OpeningCap = 'maxOrderValue' | 'maxDayValue' | 'maxPositionValue' | 'maxStrategyValue' | 'maxTotalValue';

/** The first checks, which ask for no quote. */
const LATCHES: readonly (readonly [reason: Reason, applies: 'always' | 'opening', check: LatchFlag])[] = [
  ['HALTED', 'always', 'halted'],
  ['DISARMED', 'always', 'disarmed'],
  ['REDUCING', 'opening', 'reducing'],
  ['DISABLED', 'opening', 'disabled'],
  ['PAUSED', 'opening', 'paused'],
  ['OUTSIDE_WINDOW', 'opening', 'closed'],
];

/** Every check of an order, in the order in which they are asked. This is where an order is refused; the last gate alone comes after it. */
const CHECKS: readonly RefusalRule[] = [
  ...LATCHES,
  ['PRODUCT_QUARANTINED', 'opening', 'quarantined'],
  ['PRODUCT_FROZEN', 'opening', 'frozen'],
  ['IN_FLIGHT', 'opening', 'inFlight'],
  ['LANE_DOWN', 'always', (i) => (i.untradable ? { passed: false, figure: 'unusable', limit: null, reason: i.untradable } : undefined)],
  ['INPUT_STALE', 'opening', 'silentInput'],
  ['CLOCK_UNSURE', 'always', 'time'],
  ['QUOTE_TAKEN', 'always', 'quoteTaken'],
  ['TIME_LEFT', 'always', timeLeft],
  [
    'SERVICE_WAIT',
    'always',
    ({ measured: { wait }, order: { intentAt } }, isExit) => waiting(isExit ? wait.exitLeftMs(intentAt) : wait.openingLeftMs(intentAt)),
  ],
  ['EXIT_PAUSE', 'reducing', ({ exitPauseMs }) => waiting(exitPauseMs)],
  ['SIZE_LIMITS', 'always', sizeLimits],
  ['LIMIT_PRICE', 'always', limitPrice],
  ['SHORT_NOT_ALLOWED', 'opening', shortAllowed],
  ['MAX_EXIT_VALUE', 'reducing', exitValue],
  ['MAX_ORDER_VALUE', 'opening', { cap: 'maxOrderValue' }],
  ['MAX_DAY_VALUE', 'opening', { cap: 'maxDayValue' }],
  ['MAX_POSITION_VALUE', 'opening', { cap: 'maxPositionValue' }],
  ['MAX_STRATEGY_VALUE', 'opening', { cap: 'maxStrategyValue' }],
  ['MAX_TOTAL_VALUE', 'opening', { cap: 'maxTotalValue' }],
  ['COLLAR', 'always', collar],
  ['MAX_SPREAD', 'opening', spread],
  ['MAX_SLIPPAGE', 'opening', slippage],
  ['MAX_FEE', 'always', fee],
  ['DUPLICATE', 'opening', duplicate],
  ...[...RATES].map(
    ([reason, of]): RefusalRule => [
      reason,
      'opening',
      ({ measured, order, limits }) => atMost(measured.counts.inMinute(of, order, order.intentAt) + 1, mostPerMinute(limits, of)),
    ],
  ),
  ['LOSS_COOLDOWN', 'opening', cooldown],
  ['BUDGET', 'opening', budget],
  ['INSUFFICIENT_FUNDS', 'opening', funds],
  ['UNKNOWN_BUDGET', 'opening', (i) => atMost(i.measured.books.unknownOpenings, i.limits.maxUnknown)],
];

type LatchInput = Pick<RiskInput, LatchFlag>;

/** The latch that refuses an order whose quote is yet to come, so that no lane is lent for it; undefined where none does. */
export function latchedAgainst(input: LatchInput & { readonly isExit: boolean }): Pick<RiskRefusal, 'reason' | 'checks'> | undefined {
  for (const [reason, applies, check] of LATCHES) {
    if (applies === 'opening' && input.isExit) continue;
    const result = flagged(input, check);
    if (result && !result.passed) return { reason, checks: [{ check: reason, ...result }] };
  }
  return undefined;
}

/** What would stand there instead of a flag; `no` for any other. */
const INSTEAD: Readonly<Partial<Record<Flag, string>>> = { reducing: 'ACTIVE', closed: 'open', silentInput: 'quoted' };

/** What a state finds, which is there or not, or says why. */
function flagged<Name extends Flag>(input: Pick<RiskInput, Name>, flag: Name): Verdict | undefined {
  const found: RiskInput[Flag] = input[flag];
  if (found === false || found === null) return undefined;
  if (typeof found === 'object') return { passed: false, ...found };
  return { passed: false, figure: found === true ? 'yes' : found, limit: INSTEAD[flag] ?? 'no' };
}

/** Fails where a figure is above its limit; nothing is held against one that is off (null). */
function atMost(figure: number, limit: number | null): Verdict | undefined {
  return limit === null ? undefined : { passed: figure <= limit, figure, limit };
}

/** What each check found last: most orders in a row find the same, and share it. */
export type LastResults = (CheckResult | undefined)[];

const checksOf = (other: 'opening' | 'reducing') =>
  CHECKS.flatMap(([reason, applies, check], place) => (applies === other ? [] : { reason, check, place }));
const OF_OPENING = checksOf('reducing');
const OF_REDUCING = checksOf('opening');

function duplicate({ limits, measured, order }: RiskInput): Verdict | undefined {
  if (limits.duplicateWindowMs === null) return undefined;
  const since = measured.counts.sinceTwin(order);
  return since === undefined ? undefined : { passed: since >= limits.duplicateWindowMs, figure: since, limit: limits.duplicateWindowMs };
}

/** A row that reaches its limit is counted anew, so that its length is the limit itself. */
function cooldown({ measured, limits, order }: RiskInput): Verdict | undefined {
  const { maxLossStreak: limit } = limits;
  const leftMs = measured.losses.leftMs(order.strategy, order.intentAt);
  return leftMs > 0 ? { passed: false, figure: `${limit} lost, until ${isoTime(order.intentAt + leftMs)}`, limit } : undefined;
}

function waiting(leftMs: number): Verdict | undefined {
  return leftMs > 0 ? { passed: false, figure: `${leftMs} ms to wait`, limit: 0 } : undefined;
}

/** The quote lives long enough to be executed; an opening also needs the round trip of answers (p99). */
function timeLeft({ timeLeftMs, limits, measured, order }: RiskInput, isExit: boolean): Verdict | undefined {
  if (limits.minTimeLeftMs === null) return undefined;
  const limit = limits.minTimeLeftMs + (isExit ? 0 : measured.trips.p99(order.intentAt));
  return { passed: timeLeftMs >= limit, figure: timeLeftMs, limit };
}

/** The price is no worse than the intent's own limit. */
function limitPrice({ order, limitPrice: limit }: RiskInput): Verdict | undefined {
  if (limit === null) return undefined;
  const { price } = order.figures;
  return { passed: order.side === 'buy' ? price.lte(limit) : price.gte(limit), figure: price.toString(), limit };
}

/** How far the price is from the median of the lane's recent prices, in percent of the median (F33). */
function collar({ order, measured: { prices }, limits }: RiskInput, isExit: boolean): Verdict | undefined {
  const { lane, product, side, intentAt: now } = order;
  // A lent lane has no history: its price is held against those of the product's standing lane.
  const median = prices.median(lane, side, now) ?? prices.medianOf(product, side, now);
  if (median === undefined || median <= 0) return undefined;
  return atMost(percentOf(Math.abs(order.figures.price.toNumber() - median), median), isExit ? limits.reducingCollarPct : limits.collarPct);
}

/** From the prices themselves: a service may tell its spread as a share, in another unit, or not at all. */
function spread({ quote, limits }: RiskInput): Verdict | undefined {
  return atMost(Math.max(0, spreadPctOf(quote)), limits.maxSpreadPct);
}

function slippage({ quote, order, limits }: RiskInput): Verdict | undefined {
  return atMost(slippagePctOf(quote[order.side]), limits.maxSlippagePct);
}

/** From the figures of the very side to be used. A fee takes no more from an exit than its price may, or than an opening pays. */
function fee({ quote, order, limits }: RiskInput, isExit: boolean): Verdict | undefined {
  const told = feePctOf(quote[order.side], quote.feePercentage);
  const { maxFeePct: most, reducingCollarPct: collar } = limits;
  if (told === undefined || most === null) return undefined;
  if (!isExit) return atMost(told, most);
  return collar === null || told <= Math.max(most, collar) ? undefined : { passed: false, figure: told, limit: Math.max(most, collar) };
}

/** What an order asks for meets the product's limits. A value was asked for as a value, and the size that it comes to is the service's own (spec 1.flow.4, 2.7). */
function sizeLimits({ order, product, quote }: RiskInput): Verdict {
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
function shortAllowed({ order, interval, canShort }: RiskInput): Verdict | undefined {
  if (order.side === 'buy' || canShort) return undefined;
  const after = interval.low.minus(order.figures.size).minus(feeInBase(order));
  return { passed: after.gte(ZERO), figure: after.toString(), limit: 0 };
}

/** Holds against a limit on value what counts there with this order: its own worth, the day's (UTC), or the worst case over product, strategy or everything. */
function valueLimit(input: RiskInput, name: OpeningCap): Verdict | undefined {
  const { order, measured } = input;
  const most = input.limits[name];
  if (most === null) return undefined;
  switch (name) {
    case 'maxOrderValue':
      return valueCap(most, { value: worthOf(order.figures), order, measured });
    case 'maxDayValue':
      return valueCap(most, { value: worthOf(order.figures), order, measured, besides: measured.counts.dayValue(order.intentAt) });
    case 'maxPositionValue':
      return valueCap(most, { value: productExposure(input), order, measured });
    case 'maxStrategyValue': {
      const value = ownAfter(input).times(order.figures.price);
      return valueCap(most, { value, order, measured, besides: measured.exposure.ofStrategy(order.strategy, order.product) });
    }
    case 'maxTotalValue':
      return valueCap(most, { value: productExposure(input), order, measured, besides: measured.exposure.ofAll(order.product) });
  }
}

/** An exit is held against the worth that nobody needs to ask about, or that a person allowed; a missing rate never stops it. */
function exitValue({ order, limits, measured, exitAllowed }: RiskInput): Verdict | undefined {
  const value = worthOf(order.figures);
  const verdict = valueCap(limits.maxExitValue, { value, order, measured });
  if (verdict === undefined || verdict.reason === 'NO_RATE') return undefined;
  if (verdict.passed || exitAllowed === null) return verdict;
  return { passed: value.lte(exitAllowed), figure: value.toString(), limit: exitAllowed.toString(), currency: order.quoteCcy };
}

/** A purchase costs no more than is left of its strategy's budget, in quote currency. */
function budget(input: RiskInput): Verdict | undefined {
  return affordable(input, input.budgetLeft);
}

/** The whole account covers the order, whatever single budgets say. */
function funds(input: RiskInput): Verdict | undefined {
  return affordable(input, input.measured.funds.free(input.order.quoteCcy));
}

function affordable({ order, limits }: RiskInput, left: Decimal | undefined): Verdict | undefined {
  if (order.side === 'sell' || limits.spending === 'unlimited' || left === undefined) return undefined;
  const { value, fee, feeCcy } = order.figures;
  const cost = feeCcy === order.quoteCcy ? value.plus(fee) : value;
  return { passed: cost.lte(left), figure: cost.toString(), limit: left.toString(), currency: order.quoteCcy };
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
