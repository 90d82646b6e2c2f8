import { backOffMs } from '#core/risk/rejection-back-off.ts';
import { refusalWords } from '#domain/check-words.ts';
import type { Intent } from '#domain/intent.ts';
import { type Amount, amountText, type Lane, sameAmount } from '#domain/lane.ts';
import { type LaneId, type Millis, type OrderId, type ProductCode, type StrategyId, strategyId } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import { type Quote, type Side, sideOf } from '#domain/quote.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { OrderPlacer } from './order-placer.ts';
import type { Leg } from './plan.ts';

/** The book of orders that people give. */
export const MANUAL_BOOK: StrategyId = strategyId('manual');

/** The tag of every order that a person wanted. */
export const MANUAL_TAG = 'by-hand';

/** What is to be ordered at a price, or why there is nothing to order any more. */
export type ManualSizing =
  | { readonly intent: Intent; readonly amount: Amount }
  | { readonly over: Reason | null; readonly why: string; readonly done: boolean };

/** What came of it. `sent` may be followed by more, where it is tried again. */
interface ManualOrderSink {
  readonly sent: (orderId: OrderId, quote: Quote) => void;
  /** An attempt failed; it may be tried again. */
  readonly failed: (reason: Reason, why: string) => void;
  readonly ended: (as: 'done' | 'refused' | 'unknown') => void;
}

interface ManualOrderOptions {
  readonly book: StrategyId;
  readonly product: ProductCode;
  readonly side: Side;
  /** What to order; undefined `price` while no quote of the product was seen. */
  readonly want: (price: number | undefined) => ManualSizing;
  /** Tried again until there is nothing left to order; else once, and given up with the first reason that will not pass. */
  readonly lasting: boolean;
  readonly placer: OrderPlacer;
  readonly sink: ManualOrderSink;
}

/** Refusals that the next quote may lift. */
const PASSING: ReadonlySet<Reason> = new Set<Reason>(['TIME_LEFT', 'LANE_STALE', 'LANE_DOWN', 'QUOTE_TAKEN', 'QUOTE_REPEATED']);
const AGAIN_MS = 1000;

/**
 * One order that a person wants, on a lane of exactly its amount: a standing one, or one that is lent. It passes the same
 * checks and risk as any other. Decides on nothing but quotes and engine time.
 */
export class ManualOrder {
  private readonly context: ExecutionContext;
  private readonly options: ManualOrderOptions;
  private lane: LaneId | undefined;
  private amount: Amount | undefined;
  private isLent = false;
  private order: OrderId | undefined;
  private tried: Quote | undefined;
  private notBefore: Millis = 0;
  private rejections = 0;
  private last: { readonly reason: Reason; readonly why: string } | undefined;
  private cancelTimer: () => void = () => {};
  private over = false;

  constructor(context: ExecutionContext, options: ManualOrderOptions) {
    this.context = context;
    this.options = options;
  }

  begin(): void {
    if (this.over) return;
    const { want, product, side } = this.options;
    const seen = seenOf(this.context, product);
    const wanted = want(seen && sideOf(seen, side).price);
    if ('over' in wanted) return this.end(wanted);
    this.take(wanted.amount);
  }

  /** A lane has a new quote. */
  onQuote(quote: Quote): void {
    if (this.over || quote.lane !== this.lane || this.order !== undefined) return;
    this.step(quote);
  }

  /** What became of its order. */
  settled(orderId: OrderId, state: OrderState, reason: Reason | null): void {
    if (orderId !== this.order || state === 'intent' || state === 'sent') return;
    this.order = undefined;
    if (state === 'accepted' && !this.options.lasting) return this.finish('done');
    if (state === 'unknown') return this.finish('unknown');
    if (state === 'accepted') return this.begin();
    this.note(reason ?? 'NOT_CONNECTED', `order ${orderId} is ${state}`);
    if (!this.options.lasting) return this.finish('refused');
    if (state !== 'rejected') return;
    this.notBefore = this.context.log.now + backOffMs(this.rejections);
    this.rejections += 1;
  }

  private take(amount: Amount): void {
    const { market, lanePool, log, after } = this.context;
    const { product, lasting } = this.options;
    this.leave();
    this.amount = amount;
    const standing = standingLane(this.context, product, amount);
    const lane = standing === undefined ? lanePool?.acquire(product, amount, String(log.inboxSeq)) : undefined;
    this.isLent = lane !== undefined;
    this.lane = standing ?? lane?.id;
    if (this.lane === undefined) {
      this.note('LANE_POOL_EMPTY', REASONS.LANE_POOL_EMPTY);
      if (!lasting) return this.finish('refused');
      this.cancelTimer = after(AGAIN_MS, () => this.begin());
      return;
    }
    this.cancelTimer = after(this.waitMs, () => this.late());
    const quote = standing === undefined ? undefined : market.latest(standing);
    if (quote) this.step(quote);
  }

  private step(quote: Quote): void {
    const { want, placer, book, product, side, lasting } = this.options;
    if (quote === this.tried || this.context.log.now < this.notBefore) return;
    const wanted = want(sideOf(quote, side).price);
    if ('over' in wanted) return this.end(wanted);
    if (this.amount === undefined || !sameAmount(wanted.amount, this.amount)) return this.take(wanted.amount);
    this.tried = quote;
    if (lasting) this.cancelTimer();
    const leg: Leg = { intent: wanted.intent, lane: quote.lane, product };
    const attempt = placer.place({ strategy: book, legs: [leg], signals: {}, onLegFailure: 'keep' }, leg, quote);
    switch (attempt.kind) {
      case 'sent':
        this.order = attempt.orderId;
        this.cancelTimer();
        return this.options.sink.sent(attempt.orderId, quote);
      case 'refused':
        this.note(attempt.reason, refusalWords(attempt.reason, attempt.checks));
        if (!lasting && !PASSING.has(attempt.reason)) this.finish('refused');
        return;
      case 'needs_lane':
        // The position has changed since the lane was asked for.
        return this.take(attempt.amount);
      case 'nothing':
        return this.finish('done');
    }
  }

  /** The lane has brought nothing that an order could use. */
  private late(): void {
    if (this.order !== undefined || this.over) return;
    const { lasting } = this.options;
    this.last ??= {
      reason: 'LANE_WAIT',
      why: `${this.amount === undefined ? '' : amountText(this.amount)}: no quote within ${this.waitMs} ms`,
    };
    this.note(this.last.reason, this.last.why);
    if (!lasting) return this.finish('refused');
    this.leave();
    this.cancelTimer = this.context.after(AGAIN_MS, () => this.begin());
  }

  private get waitMs(): Millis {
    return this.context.lanePool?.waitMs ?? 0;
  }

  private note(reason: Reason, why: string): void {
    this.last = { reason, why };
    this.options.sink.failed(reason, why);
  }

  private end({ over, why, done }: Extract<ManualSizing, { over: Reason | null }>): void {
    if (over !== null) this.note(over, why);
    this.finish(done ? 'done' : 'refused');
  }

  private finish(as: 'done' | 'refused' | 'unknown'): void {
    this.over = true;
    this.leave();
    this.options.sink.ended(as);
  }

  private leave(): void {
    this.cancelTimer();
    if (this.isLent && this.lane !== undefined) this.context.lanePool?.release(this.lane);
    this.isLent = false;
    this.lane = undefined;
  }
}

/** The newest quote of any standing lane of a product. */
export function seenOf({ laneById, market }: ExecutionContext, product: ProductCode): Quote | undefined {
  return [...laneById.values()].filter((lane) => lane.product === product).flatMap(({ id }) => market.latest(id) ?? [])[0];
}

/** The standing lane of exactly that amount, where it is up. */
function standingLane({ laneById, market }: ExecutionContext, product: ProductCode, amount: Amount): LaneId | undefined {
  const fits = (lane: Lane) => lane.product === product && sameAmount(lane.amount, amount) && market.lane(lane.id)?.phase === 'acked';
  return [...laneById.values()].find(fits)?.id;
}
