import type { Socket } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import { messageOf } from '#domain/errors.ts';
import type { AnswerReport, ExecutionReport } from '#domain/execution-report.ts';
import type { OrderCore } from '#domain/order.ts';
import type { GateVerdict, IsStopped, LastGate } from '#ports/broker.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { bodyText } from './answer-body.ts';
import { type ClassifiedAnswer, classifyAnswer, type OutcomeRules } from './outcomes.ts';
import { retryAfterMs } from './retry-after.ts';

/** Bytes of an answer's body that are kept. */
export const MAX_BODY_BYTES = 65_536;

interface ExchangeOptions {
  readonly order: OrderCore;
  readonly isStopped: IsStopped | undefined;
  readonly socket: Socket;
  readonly gate: LastGate;
  /** Monotonic. */
  readonly signedAtMs: number;
  readonly timers: Timers;
  readonly rules: OutcomeRules;
  /** Bodies of answers by which other orders were executed; those of this one are added. */
  readonly executed: Set<string>;
  /** Time from the write to complete headers; then the outcome is unknown. */
  readonly answerMs: number;
  /** Time for which the socket is read after that. */
  readonly lateMs: number;
  report(report: ExecutionReport): void;
  /** The exchange is over and its connection may be cut. Called once. */
  over(): void;
}

const CLOCK_LOST = "the service's time was not known at the write";

/** From the gate to the last report. `late`: reported as unknown, and still reading. */
type Stage = 'before' | 'open' | 'late' | 'over';

/**
 * One order on one connection: asks the last gate when the dispatcher is about to write, and reads what comes back
 * (spec 4.4). Every way out ends in exactly one report of the gate and, for a written order, one of the answer; a second, late one only
 * when the service answers after the order was taken for unknown (F05).
 */
export class OrderExchange implements Dispatcher.DispatchHandler {
  private readonly options: ExchangeOptions;
  private stage: Stage = 'before';
  private verdict: GateVerdict | null = null;
  private writtenMs = 0;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private date: string | null = null;
  private encoding = '';
  private roundTripMs = 0;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private cancelTimer: Cancel | null = null;

  constructor(options: ExchangeOptions) {
    this.options = options;
  }

  /** The last moment before bytes leave; an abort here leaves none. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { gate, order, signedAtMs, isStopped } = this.options;
    const verdict = gate.check({ validUntil: order.validUntil, signedAtMs, isStopped });
    this.verdict = verdict;
    if (verdict.pass) return;
    const { reason, timeLeftMs } = verdict;
    this.end(
      reason === 'GATE_TIME_LEFT' || reason === 'GATE_SIGNATURE_AGE'
        ? { type: 'expired', reason, timeLeftMs }
        : { type: 'not_sent', reason, why: reason === 'GATE_HALTED' ? 'a stop came before the write' : CLOCK_LOST },
    );
    controller.abort(new Error('the last gate refused the order'));
  }

  /** The kernel has taken the bytes, or has refused all of them: a fresh connection that had died unseen (F04). */
  onRequestSent(): void {
    const { verdict } = this;
    if (this.stage !== 'before' || verdict === null || !verdict.pass) return;
    const refusal = this.options.socket.errored;
    if (refusal !== null && 'syscall' in refusal && refusal.syscall === 'write') {
      this.end({ type: 'not_sent', reason: 'NOT_CONNECTED', why: `the connection was gone at the write: ${refusal.message}` });
      return;
    }
    this.stage = 'open';
    this.writtenMs = this.options.timers.monotonicMs();
    this.cancelTimer = this.options.timers.after(this.options.answerMs, () => this.deadline());
    this.options.report({
      type: 'written',
      timeLeftMs: verdict.timeLeftMs,
      signatureAgeMs: verdict.signatureAgeMs,
      at: verdict.at,
    });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.roundTripMs = this.elapsedMs();
    const retryAfter = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
    const encoding = headers['content-encoding'];
    this.encoding = typeof encoding === 'string' ? encoding : '';
    this.date = typeof headers.date === 'string' ? headers.date : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.status === null) return;
    this.chunks.push(chunk.subarray(0, MAX_BODY_BYTES - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes > MAX_BODY_BYTES) this.answered(this.status, false);
  }

  /** More may stand behind the answer in the same bytes: it is judged when the parser has seen them (F13). */
  onResponseEnd(): void {
    queueMicrotask(() => {
      const { status } = this;
      const fault = this.options.socket.errored;
      if (status === null) return;
      if (fault !== null && isProtocolFault(fault)) this.unclear(status, fault);
      else this.answered(status, true);
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.stage === 'before') {
      this.end({ type: 'not_sent', reason: 'NOT_CONNECTED', why: `nothing was written: ${messageOf(error)}` });
    } else if (this.status === null) {
      this.unanswered(`the connection ended before an answer: ${messageOf(error)}`);
    } else if (isProtocolFault(error)) {
      this.unclear(this.status, error);
    } else {
      this.answered(this.status, false);
    }
  }

  /** True while the service may still answer. */
  get isOpen(): boolean {
    return this.stage === 'open' || this.stage === 'late';
  }

  /** Stops waiting: what has no answer is unknown. */
  cut(why: string): void {
    if (this.stage === 'before') this.end({ type: 'not_sent', reason: 'NOT_CONNECTED', why });
    else if (this.status === null) this.unanswered(why);
    else this.answered(this.status, false);
  }

  private deadline(): void {
    const { answerMs, lateMs, timers } = this.options;
    // A success is read to its end, since its body decides; of everything else the status does.
    if (this.stage === 'late' || (this.status !== null && this.status >= 300)) {
      this.cut(`no answer within ${answerMs + lateMs} ms`);
      return;
    }
    this.stage = 'late';
    this.cancelTimer = timers.after(lateMs, () => this.deadline());
    const what = this.status === null ? 'no answer' : `the service answered ${this.status}, and the answer did not end`;
    this.options.report({ ...this.noAnswer(`${what} within ${answerMs} ms`), awaited: true });
  }

  /** The answer is known as far as it will be. */
  private answered(status: number, complete: boolean): void {
    const { rules, order, executed } = this.options;
    const { text, complete: unpacked } = this.body();
    const isRepeated = executed.has(text);
    const answer = { status, body: text, complete: complete && unpacked, retryAfter: this.retryAfter, isRepeated };
    const verdict = classifyAnswer(answer, rules, order);
    if (verdict.outcome === 'accepted') executed.add(text);
    this.settle(verdict, text);
  }

  /** The connection broke HTTP itself, so it cannot be told which bytes are the answer. */
  private unclear(status: number, fault: Error): void {
    const why = `the service answered ${status} and broke the protocol: ${fault.message}`;
    this.settle({ outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', why, figures: {} }, this.body().text);
  }

  private settle(verdict: ClassifiedAnswer, body: string): void {
    const late = this.stage === 'late';
    if (late && verdict.outcome === 'unknown') {
      this.end(null);
      return;
    }
    const { status: httpStatus, roundTripMs, retryAfter, date } = this;
    const wait = httpStatus === 429 ? { retryAfterMs: retryAfterMs(retryAfter, { date, nowMs: this.options.timers.wallMs() }) } : {};
    this.end({ type: 'answered', ...verdict, ...wait, httpStatus, body, roundTripMs, late });
  }

  private unanswered(why: string): void {
    this.end(this.stage === 'late' ? null : this.noAnswer(why));
  }

  private noAnswer(why: string): AnswerReport {
    const roundTripMs = this.elapsedMs();
    return {
      type: 'answered',
      outcome: 'unknown',
      reason: 'NO_ANSWER',
      httpStatus: null,
      body: '',
      roundTripMs,
      figures: {},
      late: false,
      why,
    };
  }

  private end(report: ExecutionReport | null): void {
    if (this.stage === 'over') return;
    this.stage = 'over';
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (report !== null) this.options.report(report);
    this.options.over();
  }

  private body() {
    return bodyText(Buffer.concat(this.chunks), { encoding: this.encoding, most: MAX_BODY_BYTES });
  }

  private elapsedMs(): number {
    return Math.round((this.options.timers.monotonicMs() - this.writtenMs) * 1000) / 1000;
  }
}

/** Broken framing, or bytes that belong to no request. A body that merely ended early is no such fault. */
function isProtocolFault(error: Error): boolean {
  if (error instanceof errors.HTTPParserError) return !/\bEOF\b/.test(error.message);
  return error.message === 'bad response';
}
