import { type Decimal, decimalOf } from '../src/domain/decimal.ts';
import { laneFor } from '../src/domain/lane.ts';
import { productCode, runId, strategyId } from '../src/domain/names.ts';
import type { OrderCore } from '../src/domain/order.ts';
import type { Quote } from '../src/domain/quote.ts';
import { SqliteJournal } from '../src/journal/sqlite-journal.ts';
import type { Broker, ReportSink } from '../src/ports/broker.ts';
import type { InboxLog } from '../src/ports/inbox-log.ts';
import { nextTime } from '../src/schedule/due-times.ts';
import { loadStrategy } from '../src/strategy/loader.ts';
import { VirtualClock } from '../src/time/virtual-clock.ts';
import { HaltLatch } from '../src/trading/latch.ts';
import type { Limits } from '../src/trading/limits.ts';
import { productText } from '../src/wiring/assemble.ts';
import { Engine } from '../src/wiring/engine.ts';
import { Inbox } from '../src/wiring/inbox.ts';
import { PACKAGED_STRATEGIES } from '../src/wiring/run.ts';

export const REPLAY_START = Date.UTC(2026, 0, 1);
export const REPLAY_PARAMS = { fast: 20, slow: 60 };
const SIZE = decimalOf('0.01');

const nothing: InboxLog = { append() {}, conflated() {}, flush() {} };

/** Fills every order at its quote as soon as it is asked. */
class FillingBroker implements Broker {
  count = 0;
  private sink: ReportSink = () => {};

  connect(sink: ReportSink): void {
    this.sink = sink;
  }

  submit(order: OrderCore): void {
    this.count += 1;
    this.sink(order.id, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: order.intentAt });
    this.sink(order.id, {
      type: 'answered',
      outcome: 'accepted',
      reason: 'HTTP_OK',
      httpStatus: 201,
      body: '',
      roundTripMs: 1,
      figures: {},
      late: false,
      why: '',
    });
  }

  async close(): Promise<void> {}
}

/** The checks all run; none of them refuses. */
const wide: ReadonlyMap<string, Decimal> = new Map([['usd', decimalOf(1e9)]]);
const LIMITS: Limits = {
  maxOrderValue: wide,
  maxPositionValue: wide,
  maxOrdersPerMinute: 1e6,
  maxSpreadPct: 50,
  minTimeLeftMs: 250,
  maxUnknown: 1,
};

export interface ReplayEngine {
  /** Handles one quote to its end, with all that it brings about. */
  quote(at: number, quote: Quote): void;
  /** Orders so far. */
  orders(): number;
  close(): void;
}

/** The real engine in virtual time with `sma-cross` on each product, a journal in memory, and orders that fill at once. */
export async function replayEngine(products: readonly string[]): Promise<ReplayEngine> {
  const { definition } = await loadStrategy('sma-cross', { cwd: PACKAGED_STRATEGIES, packaged: PACKAGED_STRATEGIES });
  const lanes = products.map((code) => laneFor(productCode(code), { base: SIZE }));
  const journal = SqliteJournal.open({ path: ':memory:', book: 'paper', beforeCommit: () => {} });
  const run = runId('bench');
  journal.beginRun({ run, at: REPLAY_START, mode: 'paper', version: 'bench', configHash: '', configJson: '{}' });
  const clock = new VirtualClock(REPLAY_START);
  const broker = new FillingBroker();
  const inbox: Inbox = new Inbox({ clock, log: nothing, first: 1, soon: () => {}, handle: (event) => engine.handle(event) });
  const engine: Engine = new Engine({
    journal,
    broker,
    latch: new HaltLatch(),
    strategies: lanes.map(({ id, product, amount }) => ({
      id: strategyId(`cross-${product}`),
      definition,
      lane: id,
      product,
      amount,
      params: REPLAY_PARAMS,
      seed: product,
      budget: wide,
      exits: null,
      enabled: true,
    })),
    lanes,
    limits: LIMITS,
    feeIn: 'quote',
    canShort: new Set(),
    defaultBudget: decimalOf(1e6),
    opening: null,
    staleMs: 2000,
    cronNext: nextTime,
    escalateHalt: false,
    act: () => {},
    onNextDue: (at) => clock.wakeAt(at, () => inbox.post({ kind: 'wake' })),
    notice: () => {},
  });
  broker.connect((orderId, report) => inbox.post({ kind: 'answer', orderId, report }));
  const facts = {
    fills: [],
    unknowns: [],
    latches: [],
    openings: [],
    exits: [],
    states: {},
    recentOrders: [],
    usedQuotes: [],
    strategySources: {},
  };
  const named = { book: 'paper', mode: 'paper', version: 'bench', node: process.versions.node, configHash: '', config: '{}' };
  inbox.post({ kind: 'start', facts: { run, ...named, ...facts } });
  inbox.post({
    kind: 'products',
    products: lanes.map(({ product: code }) =>
      productText({
        code,
        minSize: decimalOf('0.0001'),
        minNotionalValue: decimalOf(1),
        sizeIncrement: decimalOf('0.0001'),
        priceIncrement: decimalOf('0.01'),
      }),
    ),
  });
  for (const { id } of lanes) inbox.change({ phase: 'opening', lane: id, epoch: 1 });
  for (const { id } of lanes) inbox.change({ phase: 'acked', lane: id, epoch: 1 });
  inbox.drain();
  let clockReadAt = Number.NEGATIVE_INFINITY;
  return {
    quote(at, quote) {
      clock.moveTo(at);
      if (at - clockReadAt >= 60_000) {
        clockReadAt = at;
        inbox.post({ kind: 'clock', offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
      }
      inbox.quote(quote);
      inbox.drain();
    },
    orders: () => broker.count,
    close: () => journal.close(),
  };
}
