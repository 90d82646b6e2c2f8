import { expect } from 'vitest';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { engineContext } from '#core/engine/engine-context.ts';
import type { EngineOptions, EngineStrategy } from '#core/engine/engine-options.ts';
import { ExecutionReports } from '#core/execution/execution-reports.ts';
import { OrderPlacer } from '#core/execution/order-placer.ts';
import { ParentOrders } from '#core/execution/parent-orders.ts';
import { type Leg, MANUAL_BOOK, type Plan } from '#core/execution/plan.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Limits } from '#core/risk/limits.ts';
import { strategy } from '#core/strategy/index.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import type { AnswerReport, ExecutionReport } from '#domain/execution-report.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount, Lane } from '#domain/lane.ts';
import { type LaneId, type OrderId, orderId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Side } from '#domain/quote.ts';
import { HeldBroker } from '../../support/held-broker.ts';
import { NO_LIMITS } from '../../support/limits.ts';
import { BTC, btcLane, btcProduct, type QuoteOptions, quote } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';

/** When `working` begins, in milliseconds since 1970 UTC. */
export const T = 1_000_000;

export interface WorkingOptions {
  readonly limits?: Partial<Limits>;
  /** Standing lanes beside that of 0.01 btc. */
  readonly lanes?: readonly Lane[];
  /** Lanes that may be lent; none are without it. */
  readonly reserve?: number;
  readonly journal?: MemoryJournal;
  readonly options?: Partial<EngineOptions>;
}

const holder = strategy({ name: 's', signals: ({ quotes$ }) => quotes$, decide: () => undefined });

export const OWN: EngineStrategy = {
  ...{ id: OWNER, definition: holder, lane: btcLane.id, product: BTC, amount: btcLane.amount, params: {}, seed: 'seed' },
  ...{ budget: null, windows: null, exits: null, enabled: true },
};

/** A second strategy, which trades on the same lanes. */
const OTHER = strategyId('other');

export const base = (size: string): Amount => ({ base: decimalOf(size) });

/** What a strategy wants: 0.01 btc on the present quote where nothing else is said. */
export function wants(side: Side | null, more: Partial<Omit<Intent, 'side'>> = {}): Intent {
  const size: Intent['size'] = { kind: 'amount', amount: btcLane.amount };
  return { kind: 'intent', side, size, reason: 'go', tag: null, limit: null, within: null, on: null, ...more };
}

export const legOf = (intent: Intent, lane = btcLane): Leg => ({ intent, lane: lane.id, product: lane.product });

export const planOf = (legs: readonly (Leg | Intent)[], more: Partial<Plan> = {}): Plan => ({
  ...{ strategy: OWNER, signals: {}, onLegFailure: 'keep' },
  legs: legs.map((leg) => ('intent' in leg ? leg : legOf(leg))),
  ...more,
});

/** As it is before a person has armed anything, where `arming` asks for that. */
export const disarm = ({ context }: ReturnType<typeof working>): void => {
  context.state.start({ mode: 'live', latches: [], configHash: '', build: '', unknowns: [], risk: NO_PAST_RISK });
};

/** Everything that orders go through, without the engine round it: real books, market, limits and journal, and a broker that the test speaks for. */
export function working({ limits = {}, lanes = [], reserve = 0, journal = new MemoryJournal(), options = {} }: WorkingOptions = {}) {
  const rows = (): readonly Decision[] => {
    journal.flush();
    return journal.decisions;
  };
  const broker = new HeldBroker((id) => journal.decisions.some((row) => row.kind === 'approved' && row.orderId === id));
  const [notices, lent, givenBack, unknown]: [string[], Lane[], LaneId[], string[]] = [[], [], [], []];
  const heard: { readonly outcome: Outcome; readonly why: string | undefined; readonly checks?: readonly CheckResult[] }[] = [];
  const told: string[] = [];
  let hearing = (): void => {};
  const standing = [btcLane, ...lanes];
  const built = engineContext({
    ...{ journal, broker, latch: new HaltLatch(), strategies: [OWN], lanes: standing, limits: { ...NO_LIMITS, ...limits } },
    ...{ arming: { arm: 'auto', rearmAfterMs: null, crashHalt: null }, feeIn: 'quote', canShort: new Set(), accountCurrency: 'usd' },
    ...{ defaultBudget: decimalOf(10_000), opening: null, freshnessOf: () => USUAL_FRESHNESS, cronNext: () => undefined, schedule: [] },
    ...{ act() {}, escalateHalt: false, onNextDue() {} },
    onUnknown: ({ id }, isAwaited) => unknown.push(isAwaited ? `${id} awaited` : id),
    reserve: { size: reserve, waitMs: 1500, acquire: (lane) => lent.push(lane), release: (lane) => givenBack.push(lane) },
    notice: (level, text) => notices.push(`${level}: ${text}`),
    ...options,
  });
  const ids = standing.map(({ id }) => id);
  const context = { ...built, trades: new Map([OWNER, OTHER, MANUAL_BOOK].map((id) => [id, ids])) };
  context.feedback = {
    outcome(_, outcome, about) {
      heard.push({ outcome, why: about?.why, ...(about?.checks && { checks: about.checks }) });
      hearing();
      const { orderId: id, state } = outcome;
      if (id !== undefined && state !== 'refused' && state !== 'lapsed') parentOrders.settled(orderId(id), state);
    },
    attempted: (_, attempt) => told.push(attempt.kind === 'refused' ? `refused ${attempt.reason}` : attempt.kind),
    exitWaits: (order) => told.push(`exit ${order.id} waits`),
    runaway: (id, why) => told.push(`runaway ${id}: ${why}`),
  };
  const { log, market, scheduler, clockState, products } = context;
  const placer = new OrderPlacer(context);
  const parentOrders = new ParentOrders(context, placer);
  const reports = new ExecutionReports(context);
  let [n, now] = [0, T];
  const last = (): OrderCore => broker.submitted.at(-1) ?? expect.fail('no order was sent');
  const made = {
    ...{ last, context, placer, parentOrders, reports, broker, notices, lent, givenBack, unknown, heard, told, rows },
    /** What the strategy does as it hears of an outcome. */
    hear(work: () => void): void {
      hearing = work;
    },
    /** Time goes on, and a new event begins. */
    after(ms: number): void {
      now += ms;
      n += 1;
      log.inboxSeq = n;
      log.now = now;
      scheduler.runDue(now);
    },
    products(list = [btcProduct]): void {
      products.clear();
      for (const one of list) products.set(one.code, one);
      market.products(list);
    },
    ack({ id }: Lane = btcLane): void {
      market.change({ phase: 'opening', lane: id, epoch: 1 }, now);
      market.change({ phase: 'acked', lane: id, epoch: 1 }, now);
    },
    /** A quote comes, half a second after the event before, and lives for three seconds; what waits for it has its turn. */
    quote(price: number, { afterMs = 500, ...more }: Omit<QuoteOptions, 'buy'> & { readonly afterMs?: number } = {}): void {
      made.after(afterMs);
      const one = quote({ buy: price, validUntil: now + 3000, ...more });
      expect(market.accept(one, now)).toBeNull();
      for (const turn of ['manual', 'exit', 'strategy'] as const) parentOrders.onQuote(one.lane, turn);
    },
    /** The lane that was lent last comes up and has a quote of its amount. */
    lentQuote(price = 60_000): void {
      const lane = lent.at(-1) ?? expect.fail('no lane was lent');
      made.ack(lane);
      made.quote(price, { lane: lane.id, afterMs: 100, ...('base' in lane.amount && { size: lane.amount.base.toNumber() }) });
    },
    report(report: ExecutionReport, id: OrderId = last().id): void {
      made.after(10);
      reports.report(id, report);
    },
    /** The last order was sent, and is answered. */
    answer(answer: Partial<AnswerReport> = {}): void {
      const { id } = last();
      made.report({ type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: now }, id);
      const usual = { outcome: 'accepted', reason: 'HTTP_OK', httpStatus: 201, body: '{}', roundTripMs: 5 } as const;
      made.report({ type: 'answered', ...usual, figures: {}, late: false, why: '', ...answer }, id);
    },
    rejected: () => made.answer({ outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, why: 'no' }),
    unanswered: () => made.answer({ outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null }),
    expired: () => made.report({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }),
    notSent: () => made.report({ type: 'not_sent', reason: 'NOT_CONNECTED', why: 'refused' }),
    /** The strategy, or who else has that book, holds so much, bought at that price before. */
    holding(size: string, { price = 60_000, book = OWNER, product = BTC } = {}): void {
      const figure = decimalOf(size);
      const side = figure.isNegative() ? 'sell' : 'buy';
      const [value, money] = [figure.abs().times(price), quote()];
      const fill = { side, price: decimalOf(price), size: figure.abs(), value, fee: decimalOf(0) } as const;
      const { baseCcy, quoteCcy } = money;
      context.books.apply(book, product, { ...fill, baseCcy, quoteCcy, feeCcy: quoteCcy }, now);
    },
    held: () => context.books.book(OWNER, BTC).size.toString(),
    /** Side and size of each order that was sent. */
    orders: () => {
      expect(broker.broken).toEqual([]);
      return broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);
    },
    /** Kind and reason of each row, but those of the clock, of what was measured, and of a plan's beginning and end. */
    story: () =>
      rows()
        .filter(({ kind }) => !['clock', 'measured', 'working', 'worked', 'learned'].includes(kind))
        .map(({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`)),
    /** The newest row of a kind. */
    row: (kind: Decision['kind']) => rows().findLast((row) => row.kind === kind),
  };
  made.after(0);
  clockState.clock({ offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
  made.products();
  for (const lane of standing) made.ack(lane);
  return made;
}
