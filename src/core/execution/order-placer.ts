import { type OpenBook, reducesAtMost } from '#core/portfolio/books.ts';
import { type LastResults, latchedAgainst, RiskApproval, type RiskInput } from '#core/risk/risk.ts';
import type { CheckResult } from '#domain/check-result.ts';
import type { IntentDetail } from '#domain/decision.ts';
import type { Amount } from '#domain/lane.ts';
import { isoTime, type Millis, orderId, type ProductCode, type StrategyId } from '#domain/names.ts';
import { type OrderCore, orderText } from '#domain/order.ts';
import { type Quote, type Side, spreadPctOf } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ChildOrderResult } from './child-order-result.ts';
import type { ExecutionContext } from './execution-context.ts';
import { type Leg, MANUAL_BOOK, type Plan, REHEARSAL_TAG } from './plan.ts';
import type { PlanBegin } from './plan-begin.ts';
import { describe, type SizedIntent, type SizingInput, size } from './sizing.ts';
import { unsureCheck } from './unsure.ts';

/**
 * Turns an intent into an order, or says why not: sized, checked on the very quote to be used, committed to the
 * journal, handed to the broker once. What the broker reports is booked by ExecutionReports.
 */
export class OrderPlacer {
  private readonly context: ExecutionContext;
  private lastSeq = 0;
  private counter = 0;
  private readonly found: LastResults = [];

  constructor(context: ExecutionContext) {
    this.context = context;
  }

  /** Considers one leg of a plan on a quote to its end: refused with a code, or committed and on its way. */
  place(plan: Plan, leg: Leg, quote: Quote): ChildOrderResult {
    const want = requestOf(this.context, plan, { leg, quote });
    if (!want) return { kind: 'nothing' };
    const { books, exits } = this.context;
    const sizing = size(want);
    if (sizing.kind === 'nothing') return sizing;
    if (sizing.kind === 'needs_lane') {
      const { side, amount } = sizing;
      const latched = latchedFor(this.context, { ...want, product: want.product.code, side, amount });
      if (latched) return this.refuse(want, { side, ...latched });
      return { kind: 'needs_lane', amount, refuse: (reason, check) => this.refuse(want, { side, reason, checks: [check] }) };
    }
    if (sizing.kind === 'refused') {
      const isUnsure = sizing.reason === 'POSITION_UNSURE';
      const check = isUnsure
        ? unsureCheck(books, { strategy: want.strategy, product: want.product.code })
        : { check: sizing.reason, passed: false, figure: sizing.offered, limit: sizing.wanted };
      return this.refuse(want, { side: sizing.side, reason: sizing.reason, checks: [check] });
    }
    const order = this.orderFor(want, sizing);
    if (!order) return this.refuse(want, { side: sizing.side, reason: 'QUOTE_WITHOUT_ID', checks: [] });
    const assessed = this.assess(want, order);
    if (assessed.isExit && exits.assessed(order, assessed)) this.context.feedback.exitWaits(order);
    if (assessed.approved) return this.send(want, assessed);
    return this.refuse(want, { side: order.side, reason: assessed.reason, checks: assessed.checks });
  }

  /** What the checks say of an order; changes nothing. */
  assess(want: OrderRequest, order: OrderCore) {
    const { books, budgets, canShort, clockState, exits, heard, limits, log, market, monitor } = this.context;
    const { strategy, quote } = want;
    const { code } = want.product;
    const input: RiskInput = {
      order,
      quote,
      product: want.product,
      limits,
      limitPrice: want.intent.limit,
      ...latchesOf(this.context, want),
      untradable: market.untradable(quote.lane, log.now),
      silentInput: heard.get(strategy)?.find((source) => source !== quote.lane && market.isSilent(source, log.now)) ?? null,
      quarantined: market.isQuarantined(code),
      time: clockState.fault,
      quoteTaken: monitor.counts.isUsed(order.quoteId),
      timeLeftMs: clockState.timeLeftMs(order.validUntil),
      frozen: want.interval.isFrozen,
      inFlight: want.interval.inFlight,
      interval: want.interval,
      grossExposure: books.grossExposure(code),
      budgetLeft: budgets.left(strategy, quote.quoteCcy),
      canShort: canShort.has(code),
      // Checks of exits alone ask for these.
      get exitAllowed() {
        return exits.allowed(order.strategy, order.product);
      },
      get exitPauseMs() {
        return exits.pauseLeftMs(order.strategy, order.product, order.intentAt);
      },
      measured: monitor,
    };
    return RiskApproval.assess(input, this.found);
  }

  private orderFor(want: OrderRequest, { side, figures }: SizedIntent): OrderCore | undefined {
    const { quote, strategy } = want;
    const { log } = this.context;
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
  private send(want: OrderRequest, { order, checks, isExit }: RiskApproval): ChildOrderResult {
    const { books, log, broker, refusals, clockState, monitor } = this.context;
    const about = { strategy: order.strategy, product: order.product, quoteId: order.quoteId, orderId: order.id };
    refusals.passed(order.strategy, checks);
    const timeLeftMs = clockState.timeLeftMs(order.validUntil);
    const intent = intentDetail(want, order.side, timeLeftMs);
    const rows = [
      ...(want.begin?.owed ?? []),
      log.make('intent', want.work === undefined ? intent : { ...intent, work: want.work }, about),
      log.make('approved', { order: orderText(order), checks, timeLeftMs }, about),
    ];
    if (!log.attempt(...rows)) return this.refuse(want, { side: order.side, reason: 'JOURNAL_BUSY', checks });
    want.begin?.written();
    monitor.committed(order, isExit);
    refusals.ordered(order.intentAt);
    books.track({ ...order, state: 'intent' });
    broker.submit(order, () => latchedAgainst({ ...latchesOf(this.context, want), isExit }) !== undefined);
    return { kind: 'sent', orderId: order.id };
  }

  private refuse(want: OrderRequest, refusal: { side: Side; reason: Reason; checks: readonly CheckResult[] }): ChildOrderResult {
    const { log, refusals, monitor, clockState, feedback } = this.context;
    const { strategy, quote } = want;
    const row = log.make(
      'refused',
      { intent: intentDetail(want, refusal.side, clockState.timeLeftMs(quote.validUntil)), checks: refusal.checks },
      { strategy, product: quote.product, reason: refusal.reason, quoteId: quote.id },
    );
    if (want.begin?.endsAt(refusal.reason) === false) want.begin.goesOn(log);
    refusals.note(strategy, row);
    const runaway = want.isRetry ? undefined : monitor.refused(strategy, refusal.reason, log.now);
    if (runaway !== undefined) feedback.runaway(strategy, runaway);
    const { side, reason, checks } = refusal;
    const { price, size } = quote[side];
    feedback.outcome(strategy, { at: log.now, state: 'refused', reason, side, orderId: undefined, price, size }, { checks });
    return { kind: 'refused', reason, checks };
  }
}

/** An attempt: what a strategy, or a person, wants on a quote. */
interface OrderRequest extends SizingInput {
  readonly interval: OpenBook;
  readonly strategy: StrategyId;
  /** Values that led to it, for the journal. */
  readonly signals: Readonly<Record<string, unknown>>;
  /** The leg at work that it serves, by its name in the journal; undefined where that does not outlive its quote. */
  readonly work: string | undefined;
  readonly begin: PlanBegin | undefined;
  readonly isRetry: boolean;
}

/** The request of a leg on a quote; undefined while its product or lane is not known. */
export function requestOf(
  context: ExecutionContext,
  plan: Pick<Plan, 'strategy' | 'signals'>,
  { leg, quote }: { leg: Leg; quote: Quote },
): OrderRequest | undefined {
  const { books, canShort, feeIn, products, laneById, lanePool } = context;
  const { strategy, signals } = plan;
  const product = products.get(leg.product);
  const lane = laneById.get(quote.lane) ?? lanePool.lane(quote.lane);
  if (!product || !lane) return undefined;
  const interval = books.interval(strategy, leg.product);
  return {
    strategy,
    intent: leg.intent,
    signals,
    quote,
    laneAmount: lane.amount,
    product,
    held: interval.size,
    interval,
    feeIn,
    // A person is told that it is too much.
    canShort: strategy === MANUAL_BOOK || canShort.has(leg.product),
    work: leg.work,
    begin: leg.begin,
    isRetry: leg.isRetry ?? false,
  };
}

type StrategyIntent = Pick<OrderRequest, 'strategy' | 'intent'>;

/** What is latched, or closed, for the orders of a strategy or of a person. */
function latchesOf({ state, disabled, hours, log }: ExecutionContext, { strategy, intent }: StrategyIntent) {
  // A rehearsal goes on while trading is disarmed or paused.
  const isRehearsal = strategy === MANUAL_BOOK && intent.tag === REHEARSAL_TAG;
  return {
    halted: state.halted !== null,
    disarmed: state.disarmed !== null && !isRehearsal,
    reducing: state.reduced?.why ?? null,
    paused: (state.paused.has(null) || state.paused.has(strategy)) && !isRehearsal,
    disabled: disabled.has(strategy),
    closed: hours.get(strategy)?.closedAt(log.now) ?? null,
  };
}

/** The latch that refuses an order of that amount, whatever its quote: no lane is lent for it. Undefined where none does. */
export function latchedFor(
  context: ExecutionContext,
  want: StrategyIntent & { readonly product: ProductCode; readonly side: Side; readonly amount: Amount },
) {
  const { strategy, product, side, amount } = want;
  const isExit = reducesAtMost(context.books.interval(strategy, product), side, amount);
  return latchedAgainst({ ...latchesOf(context, want), isExit });
}

/** An intent as its rows have it. */
function intentDetail({ intent, signals, quote }: OrderRequest, side: Side, timeLeftMs: Millis): IntentDetail {
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
      size: quote[side].size,
      spreadPercentage: spreadPctOf(quote),
      validUntil: isoTime(quote.validUntil),
      timeLeftMs,
    },
  };
}
