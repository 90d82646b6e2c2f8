import { IN_MEMORY } from '#adapters/journal/files.ts';
import { type Recovered, SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { decodeFrame } from '#adapters/service/quotes/decode-frame.ts';
import { Engine } from '#core/engine/engine.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Limits } from '#core/risk/limits.ts';
import { above, buy, mid, observe, sell, sma, strategy } from '#core/strategy/index.ts';
import { Decimal, decimalOf } from '#domain/decimal.ts';
import type { InboxEvent, StartFacts } from '#domain/event.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Broker } from '#ports/broker.ts';
import type { EngineRules } from './engine-rules.ts';

const START = 1_000_000_000_000;
const PACE_MS = 500;
/** Quotes between two looks at the service's clock, which must not be minutes old. */
const CLOCK_EVERY = 100;
/** More orders a minute than there are. */
const MANY = 1000;
const BASE = 'aaa';
const QUOTE = 'bbb';
const PRODUCT = productCode(`${BASE}${QUOTE}`);
const AMOUNT = { base: new Decimal('0.01') };
const MUCH = new Map([[QUOTE, new Decimal(1e12)]]);

/**
 * Takes the way of an order as often as it is told, without any effect, so that real orders do not meet code that has never
 * run: frames, signals, sizing, risk, rows and their hashes, fills, with an engine, a journal in memory and a product of its
 * own, in virtual time. Nothing of it is kept, sent or seen by the run; decisions are the same with and without.
 */
export class OrderPractice {
  private readonly lane = laneFor(PRODUCT, AMOUNT);
  private readonly journal = SqliteJournal.open({ path: IN_MEMORY, book: 'practice', beforeCommit: () => {} });
  private readonly broker = new FillingBroker();
  private readonly engine: Engine;
  private events = 0;
  private quotes = 0;

  constructor(rules: EngineRules, factsOf: (nothingBefore: Recovered) => StartFacts) {
    const { lane, journal, broker } = this;
    const facts = factsOf(journal.recover(START));
    journal.beginRun({ run: facts.run, at: START, mode: facts.mode, version: facts.version, configHash: '', configJson: '{}' });
    this.engine = new Engine({
      ...rules,
      strategies: [{ ...TRIED, lane: lane.id, product: PRODUCT }],
      lanes: [lane],
      limits: widened(rules.limits),
      feeIn: 'quote',
      opening: null,
      arming: { arm: 'auto', rearmAfterMs: null, crashHalt: null },
      journal,
      broker,
      latch: new HaltLatch(),
      act: () => {},
      onNextDue: () => {},
      notice: () => {},
    });
    this.handle({ kind: 'start', facts });
    this.handle({ kind: 'products', products: [STEPS] });
    this.handle({ kind: 'lane', change: { phase: 'opening', lane: lane.id, epoch: 1 } });
    this.handle({ kind: 'lane', change: { phase: 'acked', lane: lane.id, epoch: 1 } });
  }

  /** Plays so many further quotes, nearly each of which is ordered on. Returns how many orders were executed so far. */
  play(quotes: number): number {
    for (const last = this.quotes + quotes; this.quotes < last; ) {
      if (this.quotes % CLOCK_EVERY === 0) this.handle({ kind: 'clock', offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
      this.quotes += 1;
      const frame = decodeFrame(frameText(this.quotes, this.at), { lane: this.lane.id, epoch: 1 });
      if (frame.kind === 'quote') this.handle({ kind: 'quote', quote: frame.quote });
    }
    return this.broker.executed;
  }

  /** Idempotent. */
  close(): void {
    this.journal.close();
  }

  private get at(): number {
    return START + this.quotes * PACE_MS;
  }

  private handle(event: InboxEvent): void {
    this.events += 1;
    this.engine.handle({ n: this.events, at: this.at, event });
    for (const [orderId, report] of this.broker.reports()) this.handle({ kind: 'answer', orderId, report });
  }
}

/** Buys on one quote and sells on the next. */
const TRIED = {
  id: strategyId('practice'),
  definition: strategy({
    name: 'practice',
    signals: ({ quotes$ }) => quotes$.pipe(mid(), above(observe('fast', sma(2)), observe('slow', sma(4)))),
    decide: (_standing, { position, amount }) => (position.isFlat ? buy(amount, 'flat') : sell('position', 'long')),
  }),
  amount: AMOUNT,
  params: {},
  seed: '',
  budget: MUCH,
  exits: null,
  windows: null,
  enabled: true,
};

const STEPS = { code: PRODUCT, minSize: '0.0001', minNotionalValue: '1', sizeIncrement: '0.0001', priceIncrement: '0.01' };

/** Every check is made, on limits that are far away. */
function widened(limits: Limits): Limits {
  return {
    ...limits,
    maxOrderValue: MUCH,
    maxPositionValue: MUCH,
    maxExitValue: MUCH,
    maxStrategyValue: MUCH,
    maxTotalValue: MUCH,
    maxDayValue: MUCH,
    maxDayLoss: MUCH,
    maxDrawdownPct: 100,
    maxOrdersPerMinute: MANY,
    maxOrdersPerMinuteOfStrategy: MANY,
    maxOrdersPerMinuteOfProduct: MANY,
    duplicateWindowMs: 0,
    maxLossStreak: null,
    maxLossStreakOfAll: null,
  };
}

/** A TQ as the service writes it (spec 2.8). */
function frameText(count: number, at: number): string {
  const price = 60_000 + (count % 7) / 100;
  const size = AMOUNT.base.toNumber();
  const value = decimalOf(price).times(size).toNumber();
  const side = { price, size, value, feeInBaseCcy: 0.00001, feeInQuoteCcy: 0.6, slippage: 0.0031875, slippagePercentage: 0.0000053 };
  return JSON.stringify({
    msgType: 'TQ',
    id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    productCode: PRODUCT,
    baseCcy: BASE,
    quoteCcy: QUOTE,
    buyQuote: side,
    sellQuote: side,
    avgQuote: { size, value, feeInBaseCcy: 0.00001, feeInQuoteCcy: 0.6 },
    feePercentage: 0.1,
    spread: 0,
    spreadPercentage: 0,
    dailyChangePercentage: 1.28125,
    validUntil: new Date(at + 3_000).toISOString(),
  });
}

/** Executes every order at its quote. */
class FillingBroker implements Broker {
  executed = 0;
  private waiting: (readonly [orderId: string, report: ExecutionReport])[] = [];

  connect(): void {}

  submit({ id, intentAt }: OrderCore): void {
    this.executed += 1;
    this.waiting.push([id, { type: 'written', timeLeftMs: 2_900, signatureAgeMs: 0, at: intentAt }]);
    const answer = { reason: 'HTTP_OK', httpStatus: 201, body: '{}', roundTripMs: 1.5, figures: {}, late: false, why: '' } as const;
    this.waiting.push([id, { type: 'answered', outcome: 'accepted', ...answer }]);
  }

  /** What became of orders since it was asked last. */
  reports(): readonly (readonly [orderId: string, report: ExecutionReport])[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  async close(): Promise<void> {}
}
