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
import { mostPerMinute } from './order-counts.ts';
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
  // Only declared: a field would be set twice.
  declare readonly approved: true;
  declare readonly order: OrderCore;
  declare readonly isExit: boolean;
  declare readonly checks: readonly CheckResult[];

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
    // Each read once, where a check asks for one of them: every state is asked before.
    let figures: Partial<Figures> | undefined;
    let ofOpening: Partial<Figures> | undefined;
    for (const one of isExit ? OF_REDUCING : OF_OPENING) {
      const { check: rule } = one;
      let result: Verdict | undefined;
      if (typeof rule === 'string') result = flagged(input, rule);
      else if (typeof rule === 'function') result = rule(input);
      else if ('cap' in rule) result = valueLimit(input, rule.cap);
      else {
        if (one.isOfOpening) ofOpening ??= openingFigures(input);
        else figures ??= figuresOf(input, isExit);
        const of = one.isOfOpening ? ofOpening : figures;
        result = 'wait' in rule ? of?.[rule.wait] : compared(rule, of);
      }
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

/** The reason by which a check refuses, the orders that it is for, and itself: a state by its name, figures by theirs, or a rule of its own. */
type RefusalRule = readonly [
  reason: Reason,
  applies: 'always' | 'opening' | 'reducing',
  check: Flag | Comparison | Wait | { readonly cap: OpeningCap } | Check,
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
  ['LANE_DOWN', 'always', unusable],
  ['INPUT_STALE', 'opening', 'silentInput'],
  ['CLOCK_UNSURE', 'always', 'time'],
  ['QUOTE_TAKEN', 'always', 'quoteTaken'],
  ['TIME_LEFT', 'always', { figure: 'timeLeftMs', atLeast: 'minTimeLeftMs' }],
  ['SERVICE_WAIT', 'always', { wait: 'service' }],
  ['EXIT_PAUSE', 'reducing', { wait: 'exitPause' }],
  ['SIZE_LIMITS', 'always', sizeLimits],
  ['LIMIT_PRICE', 'always', { figure: 'buyPrice', atMost: 'limitPrice' }],
  ['LIMIT_PRICE', 'always', { figure: 'sellPrice', atLeast: 'limitPrice' }],
  ['SHORT_NOT_ALLOWED', 'opening', { figure: 'lowAfter', atLeast: 'leastLow' }],
  ['MAX_EXIT_VALUE', 'reducing', exitValue],
  ['MAX_ORDER_VALUE', 'opening', { cap: 'maxOrderValue' }],
  ['MAX_DAY_VALUE', 'opening', { cap: 'maxDayValue' }],
  ['MAX_POSITION_VALUE', 'opening', { cap: 'maxPositionValue' }],
  ['MAX_STRATEGY_VALUE', 'opening', { cap: 'maxStrategyValue' }],
  ['MAX_TOTAL_VALUE', 'opening', { cap: 'maxTotalValue' }],
  ['COLLAR', 'always', { figure: 'fromMedianPct', atMost: 'collarPct' }],
  ['MAX_SPREAD', 'opening', { figure: 'spreadPct', atMost: 'maxSpreadPct' }],
  ['MAX_SLIPPAGE', 'opening', { figure: 'slippagePct', atMost: 'maxSlippagePct' }],
  ['MAX_FEE', 'always', { figure: 'feePct', atMost: 'maxFeePct' }],
  ['DUPLICATE', 'opening', { figure: 'sinceTwinMs', atLeast: 'duplicateWindowMs' }],
  ['MAX_ORDERS_PER_MINUTE_OF_STRATEGY', 'opening', { figure: 'ordersOfStrategy', atMost: 'mostOfStrategy' }],
  ['MAX_ORDERS_PER_MINUTE_OF_PRODUCT', 'opening', { figure: 'ordersOfProduct', atMost: 'mostOfProduct' }],
  ['MAX_ORDERS_PER_MINUTE', 'opening', { figure: 'orders', atMost: 'mostOrders' }],
  ['LOSS_COOLDOWN', 'opening', { wait: 'cooldown' }],
  ['BUDGET', 'opening', { figure: 'cost', atMost: 'budgetLeft' }],
  ['INSUFFICIENT_FUNDS', 'opening', { figure: 'cost', atMost: 'fundsLeft' }],
  ['UNKNOWN_BUDGET', 'opening', { figure: 'unknowns', atMost: 'maxUnknown' }],
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

/** A figure, and what it is held against: nothing where one of them is not there, or the limit is off (null). */
type Comparison =
  | { readonly figure: ComparedName; readonly atMost: ComparedName }
  | { readonly figure: ComparedName; readonly atLeast: ComparedName };
type ComparedName = Exclude<keyof Figures, Wait['wait'] | 'quoteCcy'>;

/** What is still to be waited for, in words; undefined for nothing. */
interface Wait {
  readonly wait: 'service' | 'exitPause' | 'cooldown';
}

function compared(rule: Comparison, figures: Partial<Figures> = {}): Verdict | undefined {
  const isMost = 'atMost' in rule;
  const figure = figures[rule.figure];
  const limit = figures[isMost ? rule.atMost : rule.atLeast];
  if (figure === undefined || figure === null || limit === undefined || limit === null) return undefined;
  if (typeof figure !== 'number') {
    const passed = isMost ? figure.lte(limit) : figure.gte(limit);
    const verdict = { passed, figure: figure.toString(), limit: typeof limit === 'number' ? limit : limit.toString() };
    return figures.quoteCcy !== undefined && rule.figure === 'cost' ? { ...verdict, currency: figures.quoteCcy } : verdict;
  }
  return { passed: isMost ? figure <= Number(limit) : figure >= Number(limit), figure, limit: Number(limit) };
}

/** What checks compare, and their limits, in the unit of the setting; undefined where there is no such figure. */
type Figures = ReturnType<typeof figuresOf> & ReturnType<typeof openingFigures>;

/** Those of every order. */
function figuresOf(input: RiskInput, isExit: boolean) {
  const { order, quote, limits, measured, limitPrice, timeLeftMs } = input;
  const { side, intentAt: now } = order;
  const { prices, wait, trips } = measured;
  const { price } = order.figures;
  const { minTimeLeftMs: least, maxFeePct: maxFee, reducingCollarPct: reducingCollar } = limits;
  const median: number | undefined = prices.median(order, side, now);
  const fromMedian = median === undefined || median <= 0 ? undefined : percentOf(Math.abs(price.toNumber() - median), median);
  const waitMs = isExit ? wait.exitLeftMs(now) : wait.openingLeftMs(now);
  const pauseMs = isExit ? input.exitPauseMs : 0;
  // From the figures of the very side to be used. A fee takes no more from an exit than its price may, or than an opening pays.
  const fee = feePctOf(quote[side], quote.feePercentage);
  const mostFee = isExit && maxFee !== null ? Math.max(maxFee, reducingCollar ?? Number.POSITIVE_INFINITY) : maxFee;
  const waiting = (leftMs: number): Verdict => ({ passed: false, figure: `${leftMs} ms to wait`, limit: 0 });
  return {
    timeLeftMs,
    // The quote lives long enough to be executed; an opening also needs the round trip of answers (p99).
    minTimeLeftMs: least === null || isExit ? least : least + trips.p99(now),
    service: waitMs > 0 ? waiting(waitMs) : undefined,
    exitPause: pauseMs > 0 ? waiting(pauseMs) : undefined,
    buyPrice: side === 'buy' ? price : undefined,
    sellPrice: side === 'sell' ? price : undefined,
    limitPrice,
    // How far the price is from the median of the lane's recent prices (F33).
    fromMedianPct: fromMedian,
    collarPct: isExit ? reducingCollar : limits.collarPct,
    feePct: isExit && fee !== undefined && mostFee !== null && fee <= mostFee ? undefined : fee,
    maxFeePct: mostFee,
  };
}

/** Those of openings alone. */
function openingFigures({ order, quote, limits, measured, interval, canShort, budgetLeft }: RiskInput) {
  const { side, strategy, intentAt: now, quoteCcy, figures } = order;
  const { counts, losses, funds, books } = measured;
  // A row that reaches its limit is counted anew, so that its length is the limit itself.
  const { maxLossStreak: losing } = limits;
  const cooldownMs = losses.leftMs(strategy, now);
  const isSpent = side === 'buy' && limits.spending !== 'unlimited';
  return {
    // The book's worst case after a sale in a product that may not go short.
    lowAfter: side === 'buy' || canShort ? undefined : interval.low.minus(figures.size).minus(feeInBase(order)),
    leastLow: 0,
    // From the prices themselves: a service may tell its spread as a share, in another unit, or not at all.
    spreadPct: Math.max(0, spreadPctOf(quote)),
    maxSpreadPct: limits.maxSpreadPct,
    slippagePct: slippagePctOf(quote[side]),
    maxSlippagePct: limits.maxSlippagePct,
    sinceTwinMs: counts.sinceTwin(order),
    duplicateWindowMs: limits.duplicateWindowMs,
    // Within a minute, with this one.
    ordersOfStrategy: counts.rateOf('strategy', order).inLastMinute(now) + 1,
    mostOfStrategy: limits.maxOrdersPerMinuteOfStrategy,
    ordersOfProduct: counts.rateOf('product', order).inLastMinute(now) + 1,
    mostOfProduct: limits.maxOrdersPerMinuteOfProduct,
    orders: counts.rateOf('all', order).inLastMinute(now) + 1,
    mostOrders: mostPerMinute(limits, 'all'),
    cooldown: cooldownMs > 0 ? { passed: false, figure: `${losing} lost, until ${isoTime(now + cooldownMs)}`, limit: losing } : undefined,
    // Of a purchase, held against the strategy's budget, and against the whole account, whatever single budgets say.
    quoteCcy,
    cost: isSpent ? (figures.feeCcy === quoteCcy ? figures.value.plus(figures.fee) : figures.value) : undefined,
    budgetLeft,
    fundsLeft: isSpent ? funds.free(quoteCcy) : undefined,
    unknowns: books.unknownOpenings,
    maxUnknown: limits.maxUnknown,
  };
}

/** What each check found last: most orders in a row find the same, and share it. */
export type LastResults = (CheckResult | undefined)[];

const checksOf = (other: 'opening' | 'reducing') =>
  CHECKS.flatMap(([reason, applies, check], place) =>
    applies === other ? [] : { reason, check, place, isOfOpening: applies === 'opening' },
  );
const OF_OPENING = checksOf('reducing');
const OF_REDUCING = checksOf('opening');

/** The market says why its quote cannot be used. */
function unusable({ untradable: reason }: RiskInput): Verdict | undefined {
  return reason === null ? undefined : { passed: false, figure: 'unusable', limit: null, reason };
}

/** What an order asks for meets the product's limits. A value was asked for as a value, and the size that it comes to is the service's own (spec 1.flow.4, 2.7). */
function sizeLimits({ order, product, quote }: RiskInput): Verdict {
  const { size, value } = order.figures;
  if (product.minSize.gt(size)) return { passed: false, figure: size.toString(), limit: `minSize ${product.minSize}` };
  if (!isLaneOfValue(quote.lane) && !isMultipleOf(size, product.sizeIncrement)) {
    return { passed: false, figure: size.toString(), limit: `sizeIncrement ${product.sizeIncrement}` };
  }
  if (product.minNotionalValue.gt(value)) {
    return { passed: false, figure: value.toString(), limit: `minNotionalValue ${product.minNotionalValue}`, currency: order.quoteCcy };
  }
  return { passed: true, figure: size.toString(), limit: product.minSize.toString() };
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
      return valueCap(most, { value: sizesAfter(input).ofAll.times(order.figures.price), order, measured });
    case 'maxStrategyValue': {
      const value = sizesAfter(input).own.times(order.figures.price);
      return valueCap(most, { value, order, measured, besides: measured.exposure.ofStrategy(order.strategy, order.product) });
    }
    case 'maxTotalValue':
      return valueCap(most, {
        value: sizesAfter(input).ofAll.times(order.figures.price),
        order,
        measured,
        besides: measured.exposure.ofAll(order.product),
      });
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

function valueCap(
  cap: ValueCap,
  { value, order, measured, besides }: { readonly value: Decimal; readonly besides?: Amounts } & Pick<RiskInput, 'order' | 'measured'>,
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
  const others = besides === undefined ? ZERO : sumIn(besides, cap, { into: counted.currency, rate });
  if (typeof others === 'string') return noRate(others);
  const figure = value.times(counted.factor).plus(others);
  return { passed: figure.lte(counted.limit), figure: figure.toString(), limit: counted.limit.toString(), currency: counted.currency };
}

/** Worst sizes in the order's product with the order: of its own book, and of all books together. */
function sizesAfter({ order, interval, grossExposure }: RiskInput): { readonly own: Decimal; readonly ofAll: Decimal } {
  const { size } = order.figures;
  const low = order.side === 'sell' ? interval.low.minus(size) : interval.low;
  const high = order.side === 'buy' ? interval.high.plus(size) : interval.high;
  const own = worstOf({ low, high });
  return { own, ofAll: grossExposure.minus(worstOf(interval)).plus(own) };
}
