import type { DecisionSubject } from '#core/decisions/decision-log.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import type { AnswerReport, ExecutionReport, RecordReport } from '#domain/execution-report.ts';
import { currency, isoTime, type OrderId } from '#domain/names.ts';
import { type Fill, type FillText, fillAsQuoted, fillOf, fillText, type Order, type OrderEvent, transition } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { ExecutionContext } from './execution-context.ts';
import { heldText } from './unsure.ts';

type Needs = Pick<ExecutionContext, 'books' | 'exits' | 'feedback' | 'limits' | 'log' | 'monitor' | 'notice' | 'onUnknown' | 'state'>;

/**
 * Books what the broker reports of an order: the last gate's verdict, then the answer. Each report is committed before the
 * strategy hears of it.
 */
export class ExecutionReports {
  private readonly context: Needs;
  private unauthorizedInARow = 0;
  /** The order whose outcome is journaled, until it is booked. */
  private booking: OrderId | undefined;
  /** Orders that a person settled in this process. */
  private readonly settledByPerson = new Map<OrderId, { readonly order: Order; readonly who: string; readonly fill: FillText | null }>();

  constructor(context: Needs) {
    this.context = context;
  }

  /** Once orders of earlier runs are in the books: those of unknown outcome are looked into, and counted. */
  start(): void {
    const { books, onUnknown } = this.context;
    for (const order of books.openOrders()) if (order.state === 'unknown') onUnknown?.(order, false);
    this.countUnknowns();
  }

  /** Handles one report; those of orders that are settled already, or were never ours, change nothing. One that contradicts a person is told. */
  report(id: OrderId, report: ExecutionReport): void {
    const order = this.context.books.order(id);
    if (!order) return this.tellContradiction(id, report);
    if (id === this.booking) return;
    const { log } = this.context;
    const about = { strategy: order.strategy, product: order.product, quoteId: order.quoteId, orderId: order.id };
    switch (report.type) {
      case 'written': {
        const next = transition(order, { type: 'written', at: report.at });
        if (next === order) return;
        const { timeLeftMs, signatureAgeMs } = report;
        log.defer(log.make('sent', { sentAt: isoTime(report.at), timeLeftMs, signatureAgeMs }, about));
        this.context.books.track(next);
        return;
      }
      case 'expired':
        this.settle(
          order,
          { type: 'expired', at: log.now },
          log.make('expired', { timeLeftMs: report.timeLeftMs }, { ...about, reason: report.reason }),
        );
        return;
      case 'not_sent':
        this.settle(
          order,
          { type: 'not_sent', at: log.now },
          log.make('not_sent', { why: report.why }, { ...about, reason: report.reason }),
        );
        return;
      case 'found':
        return this.found(order, report, { ...about, reason: 'SERVICE_ASKED' });
      case 'answered':
        return this.answer(order, report, { ...about, reason: report.late ? 'LATE_ANSWER' : report.reason });
    }
  }

  /** A person's word on an order of unknown outcome; on any other it changes nothing, since the first word stands. */
  resolve(id: OrderId, { who, why, fill: text }: { readonly who: string; readonly why: string; readonly fill: FillText | null }): void {
    const { books, log } = this.context;
    const order = books.order(id);
    if (order?.state !== 'unknown') return;
    const about: DecisionSubject = {
      strategy: order.strategy,
      product: order.product,
      quoteId: order.quoteId,
      orderId: id,
      reason: 'BY_PERSON',
    };
    const event: OrderEvent = text ? { type: 'accepted', at: log.now, fill: fillOf(text) } : { type: 'rejected', at: log.now };
    this.settle(order, event, log.make('resolved', { who, why, as: text ? 'accepted' : 'rejected', fill: text }, about));
    this.settledByPerson.set(id, { order, who, fill: text });
  }

  /** The first word stands, yet the account holds what the service says. */
  private tellContradiction(id: OrderId, report: ExecutionReport): void {
    const settled = this.settledByPerson.get(id);
    if (!settled || (report.type !== 'answered' && report.type !== 'found')) return;
    if (report.type === 'answered' && report.outcome === 'unknown') return;
    const isExecuted = report.type === 'found' ? report.executed : report.outcome === 'accepted';
    const said = isExecuted ? executedText(fillText(fillOfAnswer(settled.order, report))) : 'not executed';
    const booked = settled.fill === null ? 'not executed' : executedText(settled.fill);
    if (said === booked) return;
    const how = `the service says: ${said}; ${settled.who} settled it as ${booked}, and so it is booked`;
    this.context.notice('error', `order ${id}: ${how}: \`kairos reconcile\` corrects the books`);
  }

  /** The service was asked about an order of unknown outcome; one that a late answer has settled meanwhile is gone. */
  private found(order: Order, report: RecordReport, about: DecisionSubject): void {
    const { log } = this.context;
    if (order.state !== 'unknown') return;
    const who = 'service';
    const at = log.now;
    if (!report.executed) {
      const why = 'asked, it knows of no order on the quote, which is dead';
      this.settle(order, { type: 'rejected', at }, log.make('resolved', { who, why, as: 'rejected', fill: null }, about));
      return;
    }
    const fill = fillOfAnswer(order, report);
    if (fill.size.gt(order.figures.size)) return;
    const why = `asked, it says: ${report.body}`;
    this.settle(order, { type: 'accepted', at, fill }, log.make('resolved', { who, why, as: 'accepted', fill: fillText(fill) }, about));
  }

  private answer(order: Order, report: AnswerReport, about: DecisionSubject): void {
    const { log, books } = this.context;
    const { httpStatus, roundTripMs, body, why, retryAfterMs } = report;
    switch (report.outcome) {
      case 'accepted': {
        const fill = fillOfAnswer(order, report);
        if (fill.size.gt(order.figures.size)) {
          const doubt = `an execution of ${fill.size} is reported, more than the ${order.figures.size} that was quoted`;
          return this.answer(order, { ...report, outcome: 'unknown', figures: {}, why: doubt }, { ...about, reason: 'HTTP_AMBIGUOUS' });
        }
        this.settle(
          order,
          { type: 'accepted', at: log.now, fill },
          log.make('accepted', { fill: fillText(fill), httpStatus, roundTripMs, body }, about),
          report,
        );
        return;
      }
      case 'rejected':
        this.settle(
          order,
          { type: 'rejected', at: log.now },
          log.make('rejected', { httpStatus, roundTripMs, body, why, retryAfterMs }, about),
          report,
        );
        return;
      case 'unknown':
        this.settle(
          order,
          { type: 'unknown', at: log.now },
          log.make('unknown', { httpStatus, roundTripMs, body, why, position: heldText(books, order) }, about),
          report,
        );
        return;
    }
  }

  /** The report and the states of trading that it brings about are one commit; then the strategy hears of it. */
  private settle(order: Order, event: OrderEvent, row: Decision, report?: AnswerReport): void {
    const { books, feedback, log, monitor, exits } = this.context;
    const next = transition(order, event);
    const fill = next.state === 'accepted' ? next.fill : undefined;
    // One that is unknown has a word to come, also where this one breaks off.
    this.booking = next.state === 'unknown' ? undefined : order.id;
    log.together(next === order ? [] : [row], () => {
      if (next !== order) {
        books.track(next);
        if (fill) {
          monitor.losses.filling(order.strategy, books.book(order.strategy, order.product), { fill, at: log.now });
          books.apply(order.strategy, order.product, fill, log.now);
          monitor.filled(order, fill);
        }
        exits.settled(next, log.now);
        monitor.settled(next, log.now);
      }
      if (report) this.consequences(report);
    });
    this.booking = undefined;
    if (next === order) return;
    const figures = fill ?? order.figures;
    const outcome: Outcome = {
      at: log.now,
      state: next.state,
      reason: row.reason,
      side: order.side,
      orderId: order.id,
      price: figures.price.toNumber(),
      size: figures.size.toNumber(),
    };
    feedback.outcome(order.strategy, outcome, { why: report?.why, product: order.product, wasUnknown: order.state === 'unknown' });
    if (next.state === 'unknown') this.context.onUnknown?.(next, report?.awaited === true);
  }

  /** What an answer says about the service, the key or the user, beyond its order. */
  private consequences(report: AnswerReport): void {
    const { state, monitor, log } = this.context;
    monitor.answered(report, log.now);
    this.unauthorizedInARow = report.reason === 'HTTP_UNAUTHORIZED' ? this.unauthorizedInARow + 1 : 0;
    if (this.unauthorizedInARow >= 2) state.halt('SECOND_UNAUTHORIZED', 'kairos', 'two orders in a row answered 401');
    else if (report.reason === 'HTTP_FORBIDDEN') state.halt('HTTP_FORBIDDEN', 'kairos', `the service refuses this user: ${report.why}`);
    else this.countUnknowns();
  }

  /** Halts where more outcomes are unknown than allowed. Those of exits do not count: a halt would stop the next exit. */
  private countUnknowns(): void {
    const { state, books, limits } = this.context;
    const { maxUnknown } = limits;
    const unknowns = books.unknownOpenings;
    if (maxUnknown === null || unknowns <= maxUnknown) return;
    state.halt('MAX_UNKNOWN', 'kairos', `${unknowns} openings with unknown outcome; risk.maxUnknown is ${maxUnknown}`);
  }
}

const executedText = ({ size, price, fee, feeCcy }: FillText): string => `executed, ${size} at ${price}, fee ${fee} ${feeCcy}`;

/**
 * The fill at the quote's figures, or the answer's where it has them. No order executes more than its quote offered: whoever says so was
 * misread, and what is held must not grow by it.
 */
function fillOfAnswer(order: Order, { figures }: Pick<AnswerReport, 'figures'>): Fill {
  const { price, size, value, fee, feeCcy } = figures;
  return {
    ...fillAsQuoted(order),
    ...(price !== undefined && { price: decimalOf(price) }),
    ...(size !== undefined && { size: decimalOf(size) }),
    ...(value !== undefined && { value: decimalOf(value) }),
    ...(fee !== undefined && { fee: decimalOf(fee) }),
    ...(feeCcy !== undefined && { feeCcy: currency(feeCcy) }),
  };
}
