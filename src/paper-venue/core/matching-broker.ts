import type { Decimal } from '#domain/decimal.ts';
import { invariant } from '#domain/errors.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { currency } from '#domain/names.ts';
import { type FiguresText, figuresText, type OrderCore } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import type { Broker, IsStopped, LastGate, ReportSink } from '#ports/broker.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { applyBooking, type Booking } from './booking.ts';
import { match, QUOTE_REFUSALS, type QuoteRefusal } from './matching.ts';
import type { IssuedQuote, QuoteLookup } from './quote-book.ts';

/** Latency of one order to the service, and of its answer back, in milliseconds. */
export interface OrderLatency {
  readonly thereMs: number;
  readonly backMs: number;
}

export interface MatchingBrokerOptions {
  /** Real timers in dry mode, virtual ones in a backtest. */
  readonly timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;
  readonly gate: LastGate;
  /** The service's clock, by which quotes expire; wall time by default. */
  readonly serviceClock?: ServiceClock;
  /** Called once for each order. */
  readonly latency: () => OrderLatency;
  readonly feeIn: 'quote' | 'base' | 'received';
  /** Opening balances by currency. A currency that is not named is unknown and never short. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** The body of an answer that says what was executed, where it says more than the figures. */
  readonly bodyOf?: (order: OrderCore, figures: FiguresText) => string;
}

type Answer = Pick<AnswerReport, 'outcome' | 'reason' | 'httpStatus' | 'body' | 'figures' | 'why'>;

/** The one user of all quotes. */
const USER = 'own';
/** How long an expired quote is remembered, in milliseconds. */
const REMEMBERED_MS = 60_000;

/**
 * Executes orders in this process with the venue's matching core, on the delivered quotes, and answers as the venue
 * would; nothing is sent. An order arrives after its latency, and its quote must still be valid. Part of dry mode and of
 * backtests; its only time is that of its timers.
 */
export class MatchingBroker implements Broker {
  private readonly options: MatchingBrokerOptions;
  private readonly quotes = new Map<string, IssuedQuote>();
  /** Ids of executed quotes, forgotten with the quotes. */
  private readonly used = new Set<string>();
  private readonly held: Map<string, Decimal>;
  private readonly open = new Map<OrderCore, () => void>();
  private sink: ReportSink | null = null;
  private closing: Promise<void> | null = null;
  private idle: (() => void) | null = null;

  constructor(options: MatchingBrokerOptions) {
    this.options = options;
    this.held = new Map(options.balances);
  }

  connect(sink: ReportSink): void {
    this.sink = sink;
  }

  /** Makes a quote available for orders; ignores one without an id. */
  quoted(quote: Quote): void {
    if (quote.id === null) return;
    const nowMs = this.nowMs();
    this.forget(nowMs);
    this.quotes.set(quote.id, {
      id: quote.id,
      userId: USER,
      figures: {
        productCode: quote.product,
        baseCcy: quote.baseCcy,
        quoteCcy: quote.quoteCcy,
        buyQuote: quote.buy,
        sellQuote: quote.sell,
      },
      issuedAtMs: nowMs,
      validUntilMs: quote.validUntil,
    });
  }

  /** The known balances of the account. */
  get balances(): ReadonlyMap<string, Decimal> {
    return this.held;
  }

  /** Books movements that no order made. */
  move(entries: readonly { readonly currency: string; readonly amount: string }[]): void {
    for (const { currency: name, amount } of entries) {
      const before = this.held.get(name);
      if (before !== undefined) this.held.set(name, before.plus(amount));
    }
  }

  submit(order: OrderCore, isStopped?: IsStopped): void {
    invariant(this.sink !== null, 'a broker is connected before orders are submitted');
    const { gate, timers, latency } = this.options;
    if (this.closing !== null) {
      this.sink(order.id, { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'the daemon is stopping' });
      return;
    }
    const sentMs = timers.monotonicMs();
    const verdict = gate.check({ validUntil: order.validUntil, signedAtMs: sentMs, isStopped });
    if (!verdict.pass) {
      const { reason, timeLeftMs } = verdict;
      const tooLate = reason === 'GATE_TIME_LEFT' || reason === 'GATE_SIGNATURE_AGE';
      this.sink(order.id, tooLate ? { type: 'expired', reason, timeLeftMs } : { type: 'not_sent', reason, why: 'the last gate was shut' });
      return;
    }
    const { timeLeftMs, signatureAgeMs, at } = verdict;
    this.sink(order.id, { type: 'written', timeLeftMs, signatureAgeMs, at });
    const { thereMs, backMs } = latency();
    const cancel = timers.after(thereMs, () => {
      const answer = this.execute(order);
      this.open.set(
        order,
        timers.after(backMs, () => this.answer(order, answer, sentMs)),
      );
    });
    this.open.set(order, cancel);
  }

  close(drainMs: number): Promise<void> {
    this.closing ??= this.drain(drainMs);
    return this.closing;
  }

  private async drain(drainMs: number): Promise<void> {
    if (this.open.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.options.timers.after(drainMs, resolve);
        this.idle = () => {
          cancel();
          resolve();
        };
      });
    }
    for (const [order, cancel] of [...this.open]) {
      cancel();
      this.open.delete(order);
      this.report(order, { ...NO_ANSWER, roundTripMs: drainMs });
    }
  }

  /** Handles an order that has arrived: executes it in full or refuses it. */
  private execute(order: OrderCore): Answer {
    const { quoteId, side } = order;
    const feeIn = this.feeIn(side);
    const known = { lookup: this.find(quoteId), usedBy: this.used.has(quoteId) ? USER : undefined };
    const matched = match({ quoteId, side, userId: USER, feeIn }, known, this.nowMs());
    if (matched.kind === 'refused') return refused(matched.code);
    if (!this.book(matched.booking)) return refused('INSUFFICIENT_FUNDS');
    this.used.add(quoteId);
    const { booking } = matched;
    const figures = figuresText({ ...booking, feeCcy: currency(booking.feeCcy) });
    return {
      outcome: 'accepted',
      reason: 'HTTP_OK',
      httpStatus: 201,
      body: this.options.bodyOf?.(order, figures) ?? JSON.stringify({ status: 'FILLED', ...figures }),
      figures,
      why: 'executed in this process',
    };
  }

  private answer(order: OrderCore, answer: Answer, sentMs: number): void {
    this.open.delete(order);
    this.report(order, { ...answer, roundTripMs: Math.round((this.options.timers.monotonicMs() - sentMs) * 1000) / 1000 });
    if (this.open.size === 0) this.idle?.();
  }

  private report(order: OrderCore, answer: Answer & { readonly roundTripMs: number }): void {
    this.sink?.(order.id, { type: 'answered', late: false, ...answer });
  }

  private book(booking: Booking): boolean {
    const outcome = applyBooking(booking, (name) => this.held.get(name));
    if (outcome.kind === 'insufficient') return false;
    for (const { currency: name, amount } of outcome.after) this.held.set(name, amount);
    return true;
  }

  private feeIn(side: 'buy' | 'sell'): 'quote' | 'base' {
    const { feeIn } = this.options;
    return feeIn === 'received' ? (side === 'buy' ? 'base' : 'quote') : feeIn;
  }

  private find(id: string): QuoteLookup {
    const quote = this.quotes.get(id);
    return quote ? { kind: 'known', quote } : { kind: 'unknown' };
  }

  /** Drops old quotes from the front; a quote of longer validity in front keeps later ones as long. */
  private forget(nowMs: number): void {
    for (const { id, validUntilMs } of this.quotes.values()) {
      if (validUntilMs + REMEMBERED_MS >= nowMs) return;
      this.quotes.delete(id);
      this.used.delete(id);
    }
  }

  private nowMs(): number {
    return this.options.serviceClock?.now()?.ms ?? this.options.timers.wallMs();
  }
}

const NO_ANSWER: Answer = {
  outcome: 'unknown',
  reason: 'NO_ANSWER',
  httpStatus: null,
  body: '',
  figures: {},
  why: 'the daemon stopped before an answer came',
};

function refused(code: QuoteRefusal): Answer {
  const why = `${code}: ${QUOTE_REFUSALS[code]}`;
  return { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, body: JSON.stringify({ errorCode: code }), figures: {}, why };
}
