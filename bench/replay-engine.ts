import { join } from 'node:path';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { loadStrategies, productText } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { startFacts } from '#assembly/start-facts.ts';
import { Engine } from '#core/engine/engine.ts';
import { Inbox } from '#core/engine/inbox.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { InboxEvent } from '#domain/event.ts';
import { runId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import type { Broker, ReportSink } from '#ports/broker.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import { type BenchStrategy, benchConfig } from './settings.ts';

export const REPLAY_START = Date.UTC(2026, 0, 1);
export const REPLAY_PARAMS = { fast: 20, slow: 60 };
/** In base currency. */
export const REPLAY_SIZE = 0.01;

const nothing: InboxLog = { append() {}, conflated() {}, flush() {} };

/** Fills every order at its quote as soon as it is asked. */
class FillingBroker implements Broker {
  count = 0;
  private readonly onOrder: (() => void) | undefined;
  private sink: ReportSink = () => {};

  constructor(onOrder: (() => void) | undefined) {
    this.onOrder = onOrder;
  }

  connect(sink: ReportSink): void {
    this.sink = sink;
  }

  submit(order: OrderCore): void {
    this.count += 1;
    this.onOrder?.();
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

export interface ReplayEngine {
  /** Handles one quote to its end, with all that it brings about. */
  quote(at: number, quote: Quote): void;
  /** Handles one event to its end. */
  give(at: number, event: InboxEvent): void;
  /** Hands what waits to the operating system, without waiting for the disk. */
  write(): void;
  /** What a daemon does once a second: rows that waited are written. */
  flush(): void;
  /** Orders so far. */
  orders(): number;
  /** Events so far. */
  handled(): number;
  inspect: Engine['inspect'];
  close(): void;
}

export interface ReplayEngineOptions {
  readonly strategies: readonly BenchStrategy[];
  /** What the journal is made of: decisions in memory, rows and tables in memory, or those in a file, durable at each commit. */
  readonly keeps: 'decisions' | 'tables' | 'file';
  /** Called when an order is handed to the broker. */
  readonly onOrder?: () => void;
}

/** The real engine in virtual time, with orders that fill at once. */
export async function replayEngine(folder: string, { strategies: wanted, keeps, onOrder }: ReplayEngineOptions): Promise<ReplayEngine> {
  const config = benchConfig({ folder, baseUrl: null, strategies: wanted });
  const strategies = await loadStrategies(config.settings, { cwd: PACKAGED_STRATEGIES, packaged: PACKAGED_STRATEGIES });
  const run = runId('bench');
  const tables = SqliteJournal.open({
    path: keeps === 'file' ? join(folder, 'engine.db') : ':memory:',
    book: 'paper',
    beforeCommit: () => {},
  });
  const recovered = tables.recover(REPLAY_START);
  tables.beginRun({ run, at: REPLAY_START, mode: 'paper', version: 'bench', configHash: config.hash, configJson: config.json });
  const journal = keeps === 'decisions' ? new MemoryJournal() : tables;
  const clock = new VirtualClock(REPLAY_START);
  const broker = new FillingBroker(onOrder);
  const inbox: Inbox = new Inbox({ clock, log: nothing, first: 1, soon: () => {}, handle: (event) => engine.handle(event) });
  const rules = engineRules(config.settings, strategies);
  const engine: Engine = new Engine({
    notesAsks: false,
    ...rules,
    journal,
    broker,
    latch: new HaltLatch(),
    reserve: { size: 0, waitMs: 0, acquire() {}, release() {} },
    act: () => {},
    onNextDue: (at) => clock.wakeAt(at, () => inbox.post({ kind: 'wake' })),
    notice: () => {},
  });
  broker.connect((orderId, report) => inbox.post({ kind: 'answer', orderId, report }));
  inbox.post({ kind: 'start', facts: startFacts({ config, run, book: 'paper', strategies, recovered, stall: undefined }) });
  inbox.post({
    kind: 'products',
    products: rules.lanes.map(({ product: code }) =>
      productText({
        code,
        minSize: decimalOf('0.0001'),
        minNotionalValue: decimalOf(1),
        sizeIncrement: decimalOf('0.0001'),
        priceIncrement: decimalOf('0.01'),
      }),
    ),
  });
  for (const { id } of rules.lanes) inbox.change({ phase: 'opening', lane: id, epoch: 1 });
  for (const { id } of rules.lanes) inbox.change({ phase: 'acked', lane: id, epoch: 1 });
  inbox.drain();
  let clockReadAt = Number.NEGATIVE_INFINITY;
  return {
    quote(at, quote) {
      clock.moveTo(at);
      if (at - clockReadAt >= 60_000) {
        clockReadAt = at;
        inbox.post({ kind: 'clock', offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
      }
      inbox.play(quote);
    },
    give(at, event) {
      clock.moveTo(at);
      inbox.post(event);
      inbox.drain();
    },
    write: () => journal.write(),
    orders: () => broker.count,
    handled: () => inbox.handled,
    inspect: (read) => engine.inspect(read),
    flush: () => journal.flush(),
    close: () => tables.close(),
  };
}
