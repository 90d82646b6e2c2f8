import type { Side } from '#domain/quote.ts';
import type { Execution } from '#paper-venue/store/execution.ts';
import type { WatchedAnswer, WatchedOrder } from '#paper-venue/watch/venue-watch.ts';
import type { Tallies } from './rules.ts';

interface OrderJudgeParts {
  readonly tallies: Tallies;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** The faults of a quote as sent, in its price or subscription; null for none. */
  readonly quoteFaults: (quoteId: string) => { readonly price: string | null; readonly subscription: string | null };
  readonly executions: () => readonly Execution[];
}

/** An order whose outcome its sender cannot know. */
interface Unclear {
  readonly quoteId: string;
  readonly product: string;
  readonly side: Side;
  readonly at: number;
}

/** Time without an answer after which the outcome is unknown, in milliseconds. */
const ANSWER_MS = 3_000;
/** An order on the same side of the same product within this time counts as a repetition, in milliseconds. */
const AGAIN_MS = 10_000;
/** Tolerance for orders in flight while their quote expires, in milliseconds. */
const ON_THE_WAY_MS = 20;

const MALFORMED: ReadonlySet<string> = new Set(['INVALID_USER', 'USER_FORBIDDEN']);

/** Judges orders, and what a client does after each answer. */
export class BotOrderJudge {
  private readonly parts: OrderJudgeParts;
  private readonly ordered = new Set<string>();
  private readonly open = new Map<number, { readonly order: WatchedOrder; readonly at: number; isUnclear: boolean }>();
  private unclear: Unclear[] = [];
  /** Until when the client has to wait, and whether it has used its one exit. */
  private wait = { until: 0, hasExit: false };
  /** Times of orders that the service could execute. */
  readonly times: number[] = [];

  constructor(parts: OrderJudgeParts) {
    this.parts = parts;
  }

  came(order: WatchedOrder): void {
    const { tallies, now } = this.parts;
    const at = now();
    tallies.orders += 1;
    const name = order.quoteId?.slice(0, 13) ?? 'none';
    const isStamp = order.fault === 'INVALID_TIMESTAMP';
    tallies.hold('stamped', isStamp ? `the order on quote ${name} is stamped more than 5 s off` : null);
    tallies.hold('signed', order.fault !== null && !isStamp ? `the order on quote ${name}: ${order.fault}` : null);
    const isUnformed = order.quoteId === null || order.side === null || MALFORMED.has(order.fault ?? '');
    const repeated = order.quoteId !== null && this.ordered.has(order.quoteId);
    tallies.hold(
      'formed',
      isUnformed || (!order.quote && !repeated) ? `an order names quote ${name}, which this user was not given` : null,
    );
    tallies.hold('once', repeated ? `quote ${name} is ordered again` : null);
    if (order.quoteId !== null) this.ordered.add(order.quoteId);
    const isAlive = this.judgeQuote(order, name);
    if (isAlive && order.fault === null && !repeated) this.times.push(at);
    this.judgeWait(order, at);
    this.judgeUnclear(order, at);
    this.open.set(order.number, { order, at, isUnclear: false });
  }

  answered(number: number, { status, isWhole, retryAfterMs }: WatchedAnswer): void {
    const { tallies, now } = this.parts;
    const entry = this.open.get(number);
    this.open.delete(number);
    if (retryAfterMs !== null) {
      tallies.chance('waits');
      this.wait = { until: now() + retryAfterMs, hasExit: false };
    }
    if (!entry || entry.isUnclear) return;
    if (!isWhole || status >= 500) this.markUnclear(entry.order);
  }

  /** Records that the client queried an order and may know its outcome. */
  queried(quoteId: string): void {
    const id = quoteId.toLowerCase();
    this.unclear = this.unclear.filter((one) => one.quoteId !== id);
  }

  /** Checks orders that wait for an answer. */
  poll(): void {
    const now = this.parts.now();
    for (const entry of this.open.values()) {
      if (entry.isUnclear || now - entry.at < ANSWER_MS) continue;
      entry.isUnclear = true;
      this.markUnclear(entry.order);
    }
  }

  private markUnclear({ quoteId, side, quote }: WatchedOrder): void {
    const { tallies, now } = this.parts;
    if (!quote || quoteId === null || side === null) return;
    tallies.chance('unknown');
    this.unclear.push({ quoteId, product: quote.figures.productCode, side, at: now() });
  }

  /** True if the service could execute it. */
  private judgeQuote({ quote, quoteId, atMs }: WatchedOrder, name: string): boolean {
    const { tallies, quoteFaults } = this.parts;
    if (!quote || quoteId === null) return false;
    const lateMs = atMs - quote.validUntilMs;
    tallies.hold('alive', lateMs > ON_THE_WAY_MS ? `the order on quote ${name} comes ${lateMs} ms after its end` : null);
    const { price, subscription } = quoteFaults(quoteId);
    if (price !== null) tallies.breach('sane', `the order on quote ${name}: ${price}`);
    if (subscription !== null) tallies.breach('acked', `the order on quote ${name}: ${subscription}`);
    return lateMs <= ON_THE_WAY_MS;
  }

  private judgeWait(order: WatchedOrder, at: number): void {
    if (at >= this.wait.until) return;
    const isExit = this.reduces(order) && !this.wait.hasExit;
    if (isExit) this.wait.hasExit = true;
    else this.parts.tallies.breach('waits', `an order comes ${Math.round(this.wait.until - at)} ms before the wait is over`);
  }

  private judgeUnclear({ side, quote }: WatchedOrder, at: number): void {
    this.unclear = this.unclear.filter((one) => at - one.at < AGAIN_MS);
    const same = this.unclear.find((one) => one.side === side && one.product === quote?.figures.productCode);
    if (!same) return;
    this.unclear = this.unclear.filter((one) => one !== same);
    const after = Math.round(at - same.at);
    this.parts.tallies.breach('unknown', `${side} ${same.product} again, ${after} ms after one whose outcome it cannot know`);
  }

  /** True if the order reduces the position by the service's own executions. */
  private reduces({ side, quote }: WatchedOrder): boolean {
    if (!quote) return false;
    const held = this.parts
      .executions()
      .filter(({ product }) => product === quote.figures.productCode)
      .reduce((sum, one) => sum + (one.side === 'buy' ? 1 : -1) * Number(one.size), 0);
    return side === 'sell' ? held > 1e-9 : held < -1e-9;
  }
}
