import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { type Currency, currency, type Millis, type ProductCode, type QuoteId, type StrategyId } from '#domain/names.ts';
import type { Order, OrderCore } from '#domain/order.ts';
import type { PastRisk } from '#domain/past-risk.ts';
import type { Reason } from '#domain/reasons.ts';
import { dayEnd } from '#domain/utc-day.ts';
import type { Limits } from './limits.ts';

/** Whose orders a limit on orders a minute counts: all, those of a strategy, or those in a product. */
type RateScope = 'all' | 'strategy' | 'product';

/** What refuses an opening while there were too many orders within a minute. */
export const RATES: ReadonlyMap<Reason, RateScope> = new Map<Reason, RateScope>([
  ['MAX_ORDERS_PER_MINUTE_OF_STRATEGY', 'strategy'],
  ['MAX_ORDERS_PER_MINUTE_OF_PRODUCT', 'product'],
  ['MAX_ORDERS_PER_MINUTE', 'all'],
]);

/** How many orders within a minute may be openings; of all a share is left to exits, which no rate ever stops. Null for any number. */
export function mostPerMinute(limits: Limits, of: RateScope): number | null {
  if (of === 'strategy') return limits.maxOrdersPerMinuteOfStrategy;
  if (of === 'product') return limits.maxOrdersPerMinuteOfProduct;
  const { maxOrdersPerMinute: most, reducingOrderSharePct: share } = limits;
  return most === null ? null : Math.max(1, Math.floor((most * (100 - (share ?? 0))) / 100));
}

const MINUTE_MS = 60_000;

/** Counts what happens in a sliding minute of engine time. */
export class MinuteCount {
  /** The oldest first. */
  private readonly times: number[];

  constructor(past: readonly number[] = []) {
    this.times = [...past];
  }

  add(at: number): void {
    this.times.push(at);
  }

  /** How many in the minute that ends at `now`, `now` itself included. */
  inLastMinute(now: number): number {
    const { times } = this;
    while ((times[0] ?? now) <= now - MINUTE_MS) times.shift();
    return times.length;
  }

  /** From when on fewer than `most` are in the minute, if no more come; undefined for never. */
  fallsBelow(most: number, now: number): number | undefined {
    const over = this.inLastMinute(now) - most;
    if (over < 0) return now;
    const last = this.times[over];
    return last === undefined ? undefined : last + MINUTE_MS;
  }

  clear(): void {
    this.times.length = 0;
  }
}

/** Why an opening was refused, and whose it was. */
interface RefusedBy {
  readonly reason: Reason;
  readonly strategy: StrategyId;
  readonly product: ProductCode;
}

/** Whose orders are counted, where not those of all. */
interface Whose {
  readonly strategy?: string;
  readonly product?: string;
}

/** So many used quotes are remembered at least. */
const KEPT_QUOTES = 10_000;

interface Twin {
  readonly id: string;
  readonly side: string;
  readonly size: Decimal;
  readonly at: Millis;
}

/**
 * Counts of orders that limits are held against: a minute's, a day's value, the last of its kind, rejections in a row. An
 * order counts from its commit. One that never reached the service gives its value back, but not its place in the minute.
 */
export class OrderCounts {
  private readonly rates = new Map<string, MinuteCount>();
  private readonly traded = new Map<Currency, Decimal>();
  /** The last opening of each strategy in each product, until it is settled without a trade or an exit follows it. */
  private readonly twins = new Map<string, Twin>();
  /** Quotes that orders have used: a quote lives for seconds, so the newest are enough, and those before them. */
  private used = new Set<QuoteId>();
  private usedBefore: ReadonlySet<QuoteId> = new Set();
  private rejected = 0;
  /** When the day ends whose value is counted. */
  private dayEnds: Millis = Number.NEGATIVE_INFINITY;

  restore(past: PastRisk, now: Millis): void {
    for (const one of past.recentOrders) for (const of of RATES.values()) this.rateOf(of, one).add(one.at);
    for (const [name, value] of Object.entries(past.dayValue)) this.traded.set(currency(name), decimalOf(value));
    // What repeats an earlier run's last opening is a duplicate as before.
    for (const { id, strategy, product, side, size, at } of past.lastOpenings ?? [])
      this.twins.set(`${strategy} ${product}`, { id, side, size: decimalOf(size), at });
    this.rejected = past.rejections;
    this.dayEnds = dayEnd(now);
  }

  /** An order is on its way. An exit is never a duplicate, so that a strategy may open right after it has closed. */
  committed(order: OrderCore, isExit: boolean): void {
    const { intentAt: at, figures, strategy, product, quoteCcy } = order;
    if (at >= this.dayEnds) this.turn(at);
    for (const of of RATES.values()) this.rateOf(of, order).add(at);
    this.addValue(quoteCcy, figures.value);
    this.use(order.quoteId);
    if (isExit) this.twins.delete(`${strategy} ${product}`);
    else this.twins.set(`${strategy} ${product}`, { id: order.id, side: order.side, size: figures.size, at });
  }

  /** Returns the number of consecutive rejections, this order included. */
  settled(order: Order): number {
    if (order.state === 'accepted') this.rejected = 0;
    if (order.state === 'rejected') this.rejected += 1;
    if (order.state !== 'expired' && order.state !== 'not_sent' && order.state !== 'rejected') return this.rejected;
    if (dayEnd(order.intentAt) === this.dayEnds) this.addValue(order.quoteCcy, order.figures.value.negated());
    const place = `${order.strategy} ${order.product}`;
    if (this.twins.get(place)?.id === order.id) this.twins.delete(place);
    return this.rejected;
  }

  /** An order has used a quote. The journal remembers all of them for good. */
  use(quote: QuoteId): void {
    if (this.used.size === KEPT_QUOTES) {
      this.usedBefore = this.used;
      this.used = new Set();
    }
    this.used.add(quote);
  }

  isUsed(quote: QuoteId): boolean {
    return this.used.has(quote) || this.usedBefore.has(quote);
  }

  /** Consecutive rejections up to now. */
  get rejections(): number {
    return this.rejected;
  }

  /** A person has acknowledged the rejections: the count starts again. */
  resetBaselines(): void {
    this.rejected = 0;
  }

  /** Orders a minute: of all, or of the strategy or product of `whose`. */
  rateOf(of: RateScope, whose: Whose): MinuteCount {
    const name = of === 'all' ? of : `${of} ${whose[of]}`;
    let rate = this.rates.get(name);
    if (!rate) {
      rate = new MinuteCount();
      this.rates.set(name, rate);
    }
    return rate;
  }

  /**
   * When a limit on orders a minute, or on the day's value, lets openings pass again, if nothing more is ordered until then; undefined for any
   * other reason to refuse one.
   */
  passesAt(refused: RefusedBy, limits: Limits, now: Millis): Millis | undefined {
    if (refused.reason === 'MAX_DAY_VALUE') return dayEnd(now);
    const of = RATES.get(refused.reason);
    if (of === undefined) return undefined;
    const most = mostPerMinute(limits, of);
    return most === null ? now : this.rateOf(of, refused).fallsBelow(most, now);
  }

  /** Value of the day's orders by quote currency. */
  dayValue(now: Millis): ReadonlyMap<Currency, Decimal> {
    if (now >= this.dayEnds) this.turn(now);
    return this.traded;
  }

  /** Milliseconds since an opening of the same strategy, product, side and size was committed; undefined for none. */
  sinceTwin(order: OrderCore): number | undefined {
    const twin = this.twins.get(`${order.strategy} ${order.product}`);
    return twin && twin.side === order.side && twin.size.eq(order.figures.size) ? order.intentAt - twin.at : undefined;
  }

  /** The day only goes forward, so that each begins once (F57). */
  private turn(now: Millis): void {
    this.traded.clear();
    this.dayEnds = dayEnd(now);
  }

  private addValue(name: Currency, value: Decimal): void {
    this.traded.set(name, (this.traded.get(name) ?? ZERO).plus(value));
  }
}
