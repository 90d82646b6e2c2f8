import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Books } from '#core/portfolio/books.ts';
import { CapitalByCurrency } from '#core/portfolio/capital.ts';
import { Exposure } from '#core/portfolio/exposure.ts';
import { Funds, type OpeningAccount } from '#core/portfolio/funds.ts';
import type { Capital } from '#core/portfolio/ledger.ts';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import { type ProductBooks, ProfitTrack } from '#core/portfolio/profit-track.ts';
import { type LaneMark, Marks } from '#core/portfolio/valuation.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { BookedEntry } from '#domain/decision.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import type { FinancingCharge } from '#domain/financing.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import {
  type Currency,
  currency,
  type LaneId,
  type Millis,
  type ProductCode,
  productCode,
  type StrategyId,
  strategyId,
} from '#domain/names.ts';
import type { Fill, Order, OrderCore } from '#domain/order.ts';
import type { PastBooks } from '#domain/past-books.ts';
import type { PastRisk } from '#domain/past-risk.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { type PriceRing, RecentPrices } from './collar.ts';
import { limitUses } from './limit-use.ts';
import type { Limits } from './limits.ts';
import { LossLimits, LossStreaks, MeasuredRows } from './loss-limits.ts';
import { heldBy, type Measures } from './measures.ts';
import { MinuteCount, OrderCounts, RATES } from './order-counts.ts';
import { QuietRows } from './quiet-rows.ts';
import type { RiskMeasures } from './risk-input.ts';
import { RateLimitBackoff, RoundTrips } from './service-state.ts';
import type { TradingState } from './trading-state.ts';

interface RiskMonitorOptions {
  readonly limits: Limits;
  readonly freshnessOf: FreshnessOf;
  readonly log: DecisionLog;
  readonly state: TradingState;
  readonly books: Books;
  /** Products whose quotes are subscribed to. */
  readonly watched: ReadonlySet<ProductCode>;
  readonly capitals: readonly Capital[];
  readonly defaultBudget: Decimal;
  /** What drawdowns of several currencies are added up in, where there are rates. */
  readonly accountCurrency: string;
  /** Null where nothing is known of the account. */
  readonly account: OpeningAccount | null;
  /** As in `EngineOptions`. */
  readonly alongside?: () => readonly Quote[];
}

/** State of one lane, looked up at its first quote and reused at all later ones. */
export interface MonitoredLane {
  mark?: LaneMark | undefined;
  prices?: PriceRing | undefined;
  line?: ProductBooks | undefined;
}

/** Reasons that mean that a strategy asks too often. */
const isThrottled = (reason: Reason): boolean => reason === 'DUPLICATE' || RATES.has(reason);

/**
 * Keeps the counts and measures that limits are checked against, updates each with its event, and draws the consequences
 * that outlast one order: REDUCING on loss, drawdown and rejections in a row, an end to a runaway strategy.
 */
export class RiskMonitor implements RiskMeasures {
  private readonly options: RiskMonitorOptions;
  readonly marks: Marks;
  private readonly capital: CapitalByCurrency;
  readonly prices = new RecentPrices();
  readonly trips = new RoundTrips();
  readonly counts = new OrderCounts();
  readonly wait = new RateLimitBackoff();
  readonly losses: LossStreaks;
  private readonly profit: ProfitTrack;
  private readonly lossLimits: LossLimits;
  readonly funds: Funds;
  private readonly throttled = new Map<StrategyId, MinuteCount>();
  readonly exposure: Exposure;
  readonly books: Books;
  private readonly rows: MeasuredRows;
  /** Rows of quotes that change nothing but what is newest and what it comes to. */
  readonly quiet: QuietRows;

  constructor(options: RiskMonitorOptions) {
    const { books, limits, watched } = options;
    this.options = options;
    this.books = books;
    this.marks = new Marks(options.freshnessOf);
    this.losses = new LossStreaks({ max: limits.maxLossStreak, maxOfAll: limits.maxLossStreakOfAll, cooldownMs: limits.lossCooldown });
    this.funds = new Funds(options);
    this.capital = new CapitalByCurrency({ ...options, marks: this.marks });
    this.exposure = new Exposure({ books, marks: this.marks });
    this.profit = new ProfitTrack({ books, marks: this.marks, watched });
    this.lossLimits = new LossLimits({
      limits,
      currency: options.accountCurrency,
      profit: this.profit,
      capital: (currency) => this.capital.of(currency),
      rate: (from, to, amount) => this.marks.lastRate(from, to, amount),
    });
    const { profit, marks, prices, lossLimits } = this;
    this.rows = new MeasuredRows({ log: options.log, profit, peak: lossLimits.peak });
    this.quiet = new QuietRows({ profit, marks, prices, lossLimits, measured: this.rows, state: options.state });
  }

  /** Takes over what earlier runs counted and measured, once their positions and open orders are in the books. */
  restore(past: PastRisk, of: PastBooks, now: Millis): void {
    this.losses.restore(of);
    this.profit.lanelessMarks.restore(past.marks ?? []);
    for (const { strategy, product, quoteCcy } of of.books) this.profit.booked({ strategy, product, currency: quoteCcy, past: true });
    this.counts.restore(past, now);
    this.wait.restore(past.waitUntil);
    this.profit.restore(past.profit);
    this.lossLimits.peak.restore(past.profit?.together);
    if (past.anew) this.rows.begin(now);
    this.funds.restore(past.flows);
    this.rows.restore(past.anew ? null : past.profit);
  }

  /** A quote became its lane's latest. `of` is the lane's, the same for each of its quotes, empty at first. */
  quoted(quote: Quote, at: Millis, of: MonitoredLane): void {
    const { state } = this.options;
    of.mark = this.marks.add(quote, at, of.mark);
    of.prices = this.prices.add(quote, at, of.prices);
    of.line ??= this.profit.line(quote.product);
    if (at >= this.profit.turnsAt && this.profit.turn(at)) this.rows.journal(at);
    const others = of.line && of.line.largest > 0 ? this.options.alongside?.() : undefined;
    for (const other of others ?? []) this.marks.add(other, at);
    if (others && others.length > 0) this.profit.passed([quote, ...others].map(({ product }) => product));
    const standing = of.line && this.profit.quoted(quote.product, of.line);
    if (state.reduced !== null && state.rearmIfDue(at)) this.resetBaselines();
    if (standing === undefined) return;
    this.holdAgainst(standing, at);
    this.rows.poll(at);
  }

  /** A lane that was set aside is believed again: its prices of before say nothing about where the market has moved. */
  believed(lane: LaneId): void {
    this.prices.clear(lane);
  }

  committed(order: OrderCore, isExit: boolean): void {
    this.counts.committed(order, isExit);
    if (isExit) this.wait.exitCommitted(order);
  }

  /** An intent was refused. Says why a strategy that keeps asking for what is throttled must be disabled (F71); undefined for any other. */
  refused(strategy: StrategyId, reason: Reason, at: Millis): string | undefined {
    const { limits } = this.options;
    if (!isThrottled(reason) || limits.maxThrottledPerMinute === null) return undefined;
    const rate = this.throttled.get(strategy) ?? new MinuteCount();
    this.throttled.set(strategy, rate);
    rate.add(at);
    const count = rate.inLastMinute(at);
    if (count <= limits.maxThrottledPerMinute) return undefined;
    rate.clear();
    return `${count} intents within a minute were refused as too many or repeated, the last as ${reason}`;
  }

  /** A fill has changed its book. */
  filled({ strategy, product }: Pick<OrderCore, 'strategy' | 'product'>, fill: Fill): void {
    this.funds.filled(fill);
    this.profit.booked({ strategy, product, currency: fill.quoteCcy, past: false });
  }

  /** A book was financed: its cash has changed. */
  financed({ strategy, product, currency: name, amount }: FinancingCharge): void {
    this.funds.move(name, amount);
    this.profit.booked({ strategy, product, currency: name, past: true });
  }

  /** The currency in which a product was traded, and the price at which a position could be closed; undefined before its first quote. */
  priced(product: ProductCode, size: number): { readonly currency: Currency | undefined; readonly price: number | undefined } {
    return { currency: this.profit.line(product)?.total.currency, price: this.profit.mark(product, size) };
  }

  /** A person booked what no order moved. */
  booked(entries: readonly BookedEntry[]): void {
    const { books } = this.options;
    for (const { kind, book, product, currency: name, amount } of entries) {
      this.funds.move(currency(name), decimalOf(amount));
      if (kind !== 'correction' || product === undefined) continue;
      const [strategy, code] = [strategyId(book), productCode(product)];
      const line = this.profit.line(code);
      // A book without a fill has nothing to correct: a restart would not know it.
      if (!line?.held.has(strategy)) continue;
      const quoteCcy = line.total.currency;
      books.book(strategy, code).correct(decimalOf(amount), currency(name) === quoteCcy);
      this.profit.booked({ strategy, product: code, currency: quoteCcy, past: true });
    }
  }

  /** An order has a new state: what it counted is counted anew, and losses and rejections have their consequences. */
  settled(order: Order, at: Millis): void {
    const { limits, state } = this.options;
    const rejections = this.counts.settled(order);
    if (order.state === 'expired' || order.state === 'not_sent') this.wait.neverLeft(order.id);
    if (limits.maxRejectionStreak !== null && order.state === 'rejected' && rejections >= limits.maxRejectionStreak) {
      state.reduce('REJECTION_STREAK', 'kairos', `${rejections} orders in a row were rejected; risk.maxRejectionStreak`);
    }
    if (order.state !== 'accepted') return;
    const losses = this.losses.takeReached();
    if (losses !== null) state.reduce('LOSS_STREAK', 'kairos', `${losses} closes in a row lost; risk.maxLossStreakOfAll`);
    const standing = this.profit.quoted(order.product);
    if (standing) this.holdAgainst(standing, at);
  }

  answered(report: AnswerReport, at: Millis): void {
    if (report.httpStatus !== null && !report.late) this.trips.add(at, report.roundTripMs);
    this.wait.answered(report, at);
  }

  /** The present measures, for people. Changes none of them. */
  measures(now: Millis): Measures {
    const { marks, counts, exposure, funds } = this;
    const { limits, books, capitals, accountCurrency: into } = this.options;
    const profit = this.profit.seen();
    const rate = marks.ratesAt(now);
    const held = heldBy(this.lossLimits, profit, into);
    const { resumedAt } = this.profit;
    return {
      ...{ profit, ...held },
      capital: (of) => this.capital.of(of),
      balances: funds.balances(),
      rate: (from, to, amount) => rate(from, to, amount)?.toNumber(),
      mark: (product, size) => this.profit.mark(product, size),
      limits: limitUses({ ...held, limits, now, currency: into, capitals, counts, exposure, books, marks, resumedAt }),
    };
  }

  /** A person has armed or resumed trading: losses and rejections are measured from here on. */
  resetBaselines(): void {
    this.rows.begin(this.options.log.now);
    this.losses.resetBaselines();
    this.counts.resetBaselines();
    this.rows.journal(this.options.log.now);
  }

  /** The run ends: journals what was measured last. */
  stop(): void {
    this.rows.journal(this.options.log.now);
  }

  private holdAgainst(standing: ProfitState, now: Millis): void {
    const { state } = this.options;
    const trip = this.lossLimits.trip(standing);
    if (!trip || state.reducing !== null) return;
    state.reduce(trip.reason, 'kairos', trip.why);
    this.rows.journal(now);
  }
}
