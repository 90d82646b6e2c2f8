import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { RepeatedRefusals } from '#core/decisions/repeated-refusals.ts';
import type { Books } from '#core/portfolio/books.ts';
import type { ClockState } from '#core/risk/clock-state.ts';
import type { ExitBounds } from '#core/risk/exit-bounds.ts';
import type { Limits } from '#core/risk/limits.ts';
import { Approved } from '#core/risk/risk.ts';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import type { TradingState } from '#core/risk/trading-state.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { CheckResult, Decision, IntentDetail } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { PastFill, PastUnknown } from '#domain/event.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import { isoTime, type OrderId, orderId, quoteId, type StrategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { orderOf, orderText } from '#domain/order-text.ts';
import type { Outcome } from '#domain/outcome.ts';
import { booksOf, type PastBooks } from '#domain/past-books.ts';
import type { PastRisk } from '#domain/past-risk.ts';
import type { Product } from '#domain/product.ts';
import { type Quote, type Side, sideOf, spreadPctOf } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { Broker } from '#ports/broker.ts';
import { describe, type FeeIn, type Sized, size } from './sizing.ts';
import { UsedQuotes } from './used-quotes.ts';

/** What a strategy wants, with everything about its lane and book that the placer does not know itself. */
interface OrderRequest {
  readonly strategy: StrategyId;
  readonly intent: Intent;
  /** Values that led to it, for the journal. */
  readonly signals: Readonly<Record<string, unknown>>;
  readonly quote: Quote;
  readonly laneAmount: Amount;
  readonly product: Product;
  /** Why the market says that the quote cannot be used, or null. */
  readonly untradable: Reason | null;
  /** True while another lane of the product is set aside because of its prices. */
  readonly quarantined: boolean;
  readonly disabled: boolean;
  /** Why its windows let the strategy open nothing now, or null. */
  readonly closed: string | null;
  /** Opening capital in the product's quote currency. */
  readonly budget: Decimal;
  readonly canShort: boolean;
  /** The leg at work that it serves, by its name in the journal; undefined where that does not outlive its quote. */
  readonly work?: string | undefined;
}

/** What came of considering an intent on a quote. `nothing`: the position is what it asks for already. */
export type ChildOrderResult =
  | { readonly kind: 'sent'; readonly orderId: OrderId }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly checks?: readonly CheckResult[] }
  | { readonly kind: 'nothing' }
  /** The quote is for another amount: try on one of a lane of exactly this. `refuse` says that there is none. */
  | { readonly kind: 'needs_lane'; readonly amount: Amount; readonly refuse: (reason: Reason, check: CheckResult) => ChildOrderResult };

interface OrderPlacerOptions {
  readonly books: Books;
  readonly log: DecisionLog;
  readonly broker: Broker;
  readonly state: TradingState;
  readonly refusals: RepeatedRefusals;
  readonly clockState: ClockState;
  readonly limits: Limits;
  readonly monitor: RiskMonitor;
  readonly exits: ExitBounds;
  readonly feeIn: FeeIn;
  readonly onOutcome: (strategy: StrategyId, outcome: Outcome) => void;
  /** Told once of each exit that waits for a person, because of what it is worth. */
  readonly onExitWaits: (order: OrderCore) => void;
}

/** Commits in a row that found the journal busy before trading halts. */
const MAX_BUSY = 3;

/**
 * Turns an intent into an order, or says why not: sized, checked on the very quote to be used, committed to the
 * journal, handed to the broker once. What the broker reports is booked by ExecutionReports.
 */
export class OrderPlacer {
  private readonly options: OrderPlacerOptions;
  private used = new UsedQuotes();
  private lastSeq = 0;
  private counter = 0;
  private busyInARow = 0;

  constructor(options: OrderPlacerOptions) {
    this.options = options;
  }

  /**
   * Takes over what earlier runs left: positions, orders whose outcome is not known, used quotes, the order
   * rate. An order that was on its way when the process ended is unknown (I04).
   */
  recover(facts: {
    /** What fills came to; in runs of earlier versions the fills themselves. */
    readonly books?: PastBooks;
    readonly fills?: readonly PastFill[];
    readonly unknowns: readonly PastUnknown[];
    readonly usedQuotes: readonly string[];
    readonly risk: PastRisk;
  }): void {
    const { books, log, monitor } = this.options;
    const past = facts.books ?? booksOf(facts.fills ?? []);
    books.restore(past);
    this.used = new UsedQuotes(facts.usedQuotes.map(quoteId));
    const found = facts.unknowns.map(({ order, journaled }) => ({ order: orderOf(order), journaled }));
    const rows = found
      .filter(({ journaled }) => !journaled)
      .map(({ order }) =>
        log.make(
          'unknown',
          { httpStatus: null, roundTripMs: null, body: '', why: 'the process ended while the order was on its way' },
          { strategy: order.strategy, product: order.product, reason: 'CRASH_RECOVERY', quoteId: order.quoteId, orderId: order.id },
        ),
      );
    if (rows.length > 0) log.commit(...rows);
    for (const { order } of found) books.track({ ...order, state: 'unknown', since: log.now });
    monitor.restore(facts.risk, past, log.now);
  }

  /** Considers one intent to its end: refused with a code, or committed and on its way. */
  place(want: OrderRequest): ChildOrderResult {
    const { books } = this.options;
    const held = books.book(want.strategy, want.product.code).size;
    const sizing = size({ ...want, held, feeIn: this.options.feeIn });
    if (sizing.ok === 'nothing') return { kind: 'nothing' };
    if (sizing.ok === 'lane') {
      const { side, amount } = sizing;
      if (this.options.state.isHalted) return this.refuse(want, { side, reason: 'HALTED', checks: [] });
      return { kind: 'needs_lane', amount, refuse: (reason, check) => this.refuse(want, { side, reason, checks: [check] }) };
    }
    if (!sizing.ok) {
      const check = { check: sizing.reason, passed: false, figure: sizing.offered, limit: sizing.wanted };
      return this.refuse(want, { side: sizing.side, reason: sizing.reason, checks: [check] });
    }
    const order = this.orderFor(want, sizing.sized);
    if (!order) return this.refuse(want, { side: sizing.sized.side, reason: 'QUOTE_WITHOUT_ID', checks: [] });
    const assessed = this.assess(want, order);
    if (this.options.exits.assessed(order, assessed)) this.options.onExitWaits(order);
    if (assessed.approved) return this.send(want, assessed);
    return this.refuse(want, { side: order.side, reason: assessed.reason, checks: assessed.checks });
  }

  /** False for a quote that is refused TIME_LEFT by now, whatever is asked of it. */
  hasTimeLeft({ validUntil }: Quote): boolean {
    const { clockState, limits } = this.options;
    return clockState.timeLeftMs(validUntil) >= (limits.minTimeLeftMs ?? 1);
  }

  private assess(want: OrderRequest, order: OrderCore) {
    const { books, state, limits, clockState, monitor, exits } = this.options;
    const book = books.book(want.strategy, want.product.code);
    return Approved.assess({
      order,
      quote: want.quote,
      product: want.product,
      limits,
      limitPrice: want.intent.limit,
      halted: state.isHalted,
      disarmed: state.isDisarmed,
      reducing: state.reducing,
      disabled: want.disabled,
      paused: state.isPaused(want.strategy),
      closed: want.closed,
      untradable: want.untradable,
      quarantined: want.quarantined,
      time: clockState.fault,
      quoteTaken: this.used.has(order.quoteId),
      timeLeftMs: clockState.timeLeftMs(order.validUntil),
      frozen: books.frozen(want.product.code),
      inFlight: books.inFlight(want.strategy, want.product.code),
      interval: books.interval(want.strategy, want.product.code),
      grossExposure: books.grossExposure(want.product.code),
      budgetLeft: want.budget.plus(book.cash),
      canShort: want.canShort,
      exitAllowed: exits.allowed(want.strategy, want.product.code),
      exitPauseMs: exits.pauseLeftMs(want.strategy, want.product.code, order.intentAt),
      figures: monitor.figures(order),
    });
  }

  private orderFor(want: OrderRequest, { side, figures }: Sized): OrderCore | undefined {
    const { quote, strategy } = want;
    const { log } = this.options;
    if (quote.id === null) return undefined;
    if (log.inboxSeq !== this.lastSeq) this.counter = 0;
    this.lastSeq = log.inboxSeq;
    this.counter += 1;
    return {
      id: orderId(`${log.inboxSeq}-${this.counter}`),
      strategy,
      product: quote.product,
      baseCcy: quote.baseCcy,
      quoteCcy: quote.quoteCcy,
      side,
      quoteId: quote.id,
      lane: quote.lane,
      validUntil: quote.validUntil,
      figures,
      intentAt: log.now,
    };
  }

  /** Journal before effect: the committed rows are the permission to send. */
  private send(want: OrderRequest, { order, checks }: Approved): ChildOrderResult {
    const { books, log, broker, refusals } = this.options;
    const about = { strategy: order.strategy, product: order.product, quoteId: order.quoteId, orderId: order.id };
    refusals.end(order.strategy);
    const intent = this.intentDetail(want, order.side);
    const rows = [
      log.make('intent', want.work === undefined ? intent : { ...intent, work: want.work }, about),
      log.make('approved', { order: orderText(order), checks, timeLeftMs: this.options.clockState.timeLeftMs(order.validUntil) }, about),
    ];
    if (!this.committed(rows)) return this.refuse(want, { side: order.side, reason: 'JOURNAL_BUSY', checks });
    this.used.add(order.quoteId);
    this.options.monitor.committed(order);
    books.track({ ...order, state: 'intent' });
    broker.submit(order);
    return { kind: 'sent', orderId: order.id };
  }

  /** False when another process held the journal, so that nothing was committed; any other failure is thrown. */
  private committed(rows: readonly Decision[]): boolean {
    const { log, state } = this.options;
    try {
      log.commit(...rows);
    } catch (error) {
      if (!(error instanceof KairosError) || error.code !== 'JOURNAL_BUSY') throw error;
      this.busyInARow += 1;
      if (this.busyInARow >= MAX_BUSY) state.halt('JOURNAL_BUSY', 'kairos', `${MAX_BUSY} commits in a row found the journal busy`);
      return false;
    }
    this.busyInARow = 0;
    return true;
  }

  private refuse(want: OrderRequest, refusal: { side: Side; reason: Reason; checks: readonly CheckResult[] }): ChildOrderResult {
    const { log, refusals, monitor, onOutcome } = this.options;
    const { strategy, quote } = want;
    const row = log.make(
      'refused',
      { intent: this.intentDetail(want, refusal.side), checks: refusal.checks },
      { strategy, product: quote.product, reason: refusal.reason, quoteId: quote.id },
    );
    refusals.note(strategy, row);
    monitor.refused(strategy, refusal.reason, log.now);
    onOutcome(strategy, {
      at: log.now,
      state: 'refused',
      reason: refusal.reason,
      side: refusal.side,
      orderId: undefined,
      price: sideOf(quote, refusal.side).price,
      size: sideOf(quote, refusal.side).size,
    });
    return { kind: 'refused', reason: refusal.reason, checks: refusal.checks };
  }

  private intentDetail({ intent, signals, quote }: OrderRequest, side: Side): IntentDetail {
    return {
      side,
      why: intent.reason,
      tag: intent.tag,
      wants: describe(intent),
      signals,
      quote: {
        lane: quote.lane,
        buy: quote.buy.price,
        sell: quote.sell.price,
        size: sideOf(quote, side).size,
        spreadPercentage: spreadPctOf(quote),
        validUntil: isoTime(quote.validUntil),
        timeLeftMs: this.options.clockState.timeLeftMs(quote.validUntil),
      },
    };
  }
}
