import type { AnswerReport, ExecutionReport } from '#domain/execution-report.ts';
import { type OrderId, orderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { seeded } from '#domain/seeded.ts';
import { MatchingBroker, type MatchingBrokerOptions, type OrderLatency } from '#paper-venue/core/matching-broker.ts';
import type { Broker, IsStopped, LastGate, ReportSink } from '#ports/broker.ts';
import type { Timers } from '#ports/timers.ts';
import type { LatencyModel } from './latency.ts';
import type { Offer } from './recorded-feed.ts';

/** The outcome of an order of a past run. */
export interface PastOutcome {
  readonly outcome: 'accepted' | 'rejected' | 'unknown';
  readonly httpStatus: number | null;
  readonly body: string;
}

/** Outcomes of a run's orders by `orderOnQuote`. */
export type OwnOutcomes = ReadonlyMap<string, PastOutcome>;

/** What makes an order of a backtest the same as one of a run. */
export const orderOnQuote = ({
  quoteId,
  strategy,
  side,
}: {
  readonly quoteId: string;
  readonly strategy: string;
  readonly side: string;
}): string => `${quoteId} ${strategy} ${side}`;

interface BacktestBrokerOptions {
  readonly timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;
  readonly gate: LastGate;
  readonly latency: LatencyModel;
  /** Past outcomes to draw from; empty: every order on a valid quote is executed. */
  readonly outcomes: readonly PastOutcome[];
  /** What the service did not execute of the run that is compared with, by `orderOnQuote`: the same orders come to the same. */
  readonly own?: OwnOutcomes;
  readonly seed: string;
  readonly feeIn: MatchingBrokerOptions['feeIn'];
  /** Time after which an order without an answer is unknown, in milliseconds. */
  readonly answerMs: number;
  /** The newest quote of the order's lane. */
  readonly latest: (order: OrderCore) => Offer | undefined;
}

/** How long a late answer to an unknown order is waited for, in milliseconds, as live. */
const LATE_MS = 30_000;
const AT_ONCE: OrderLatency = { thereMs: 0, backMs: 0 };

interface Waiting {
  readonly order: OrderCore;
  readonly fill: Offer['provenance'];
  readonly outcome: PastOutcome | undefined;
  unknown: boolean;
}

/**
 * The broker of a backtest: the venue's matching core executes each order on the recorded quote that it names, if that
 * quote is still valid when the order arrives. The answer says whether the fill was really on offer. A late answer makes
 * the order unknown, as live, and so does a drawn lost answer.
 */
export class BacktestBroker implements Broker {
  private readonly options: BacktestBrokerOptions;
  private readonly matching: MatchingBroker;
  private readonly waiting = new Map<OrderId, Waiting>();
  private readonly numbers: { next(): number };
  private sink: ReportSink = () => {};
  private drawn: OrderLatency = AT_ONCE;

  constructor(options: BacktestBrokerOptions) {
    this.options = options;
    this.numbers = seeded(`${options.seed}/outcomes`);
    const { timers, gate, feeIn } = options;
    // The engine's own ledger covers each order already.
    const bodyOf: MatchingBrokerOptions['bodyOf'] = ({ id }, figures) =>
      JSON.stringify({ status: 'FILLED', fill: this.waiting.get(id)?.fill, ...figures });
    this.matching = new MatchingBroker({ timers, gate, feeIn, latency: () => this.drawn, balances: new Map(), bodyOf });
  }

  connect(sink: ReportSink): void {
    this.sink = sink;
    this.matching.connect((id, report) => this.report(orderId(id), report));
  }

  /** Number of orders without an answer yet. */
  get open(): number {
    return this.waiting.size;
  }

  submit(order: OrderCore, isStopped?: IsStopped): void {
    const { latency, latest, timers } = this.options;
    const delivered = latest(order);
    if (delivered) this.matching.quoted(delivered.quote);
    const delays = latency.draw(order);
    this.waiting.set(order.id, { order, fill: delivered?.provenance ?? 'modelled', outcome: this.outcomeFor(order), unknown: false });
    const send = (): void => {
      this.drawn = delays;
      this.matching.submit(order, isStopped);
    };
    if (delays.gateMs > 0) timers.after(delays.gateMs, send);
    else send();
  }

  async close(drainMs: number): Promise<void> {
    await this.matching.close(drainMs);
  }

  private outcomeFor(order: OrderCore): PastOutcome | undefined {
    const { outcomes, own } = this.options;
    const drawn = outcomes[Math.floor(this.numbers.next() * outcomes.length)];
    return own?.get(orderOnQuote(order)) ?? drawn;
  }

  private report(id: OrderId, report: ExecutionReport): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (report.type === 'answered') return this.answered(waiting, report);
    this.sink(id, report);
    if (report.type !== 'written') this.waiting.delete(id);
    else if (this.drawn.thereMs + this.drawn.backMs > this.options.answerMs || waiting.outcome?.outcome === 'unknown') this.giveUp(waiting);
  }

  /** Reports an order without an answer in time. */
  private giveUp(waiting: Waiting): void {
    const { timers, answerMs } = this.options;
    timers.after(answerMs, () => {
      waiting.unknown = true;
      const unanswered: AnswerReport = {
        type: 'answered',
        outcome: 'unknown',
        reason: 'NO_ANSWER',
        httpStatus: null,
        body: '',
        roundTripMs: answerMs,
        figures: {},
        late: false,
        why: `no answer within ${answerMs} ms`,
      };
      this.sink(waiting.order.id, unanswered);
    });
    timers.after(answerMs + LATE_MS, () => this.waiting.delete(waiting.order.id));
  }

  private answered(waiting: Waiting, report: AnswerReport): void {
    const { order, outcome, unknown } = waiting;
    if (outcome?.outcome === 'unknown') return;
    this.waiting.delete(order.id);
    if (report.outcome === 'accepted' && outcome?.outcome === 'rejected') {
      const { httpStatus, body } = outcome;
      const why = `refused like an order of the past run: ${httpStatus}`;
      this.sink(order.id, { ...report, outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus, body, figures: {}, why, late: unknown });
      return;
    }
    this.sink(order.id, { ...report, late: unknown });
  }
}
