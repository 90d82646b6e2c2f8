import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { instanceOf } from '#adapters/journal/instance.ts';
import { type DecisionRecord, detailOf } from '#adapters/journal/records.ts';
import { type RecoveryState, SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { productText } from '#assembly/assemble.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { EngineStrategy } from '#core/engine/engine-options.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import type { FeeCurrency } from '#core/execution/sizing.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Limits } from '#core/risk/limits.ts';
import type { Arming } from '#core/risk/trading-state.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import type { Windows } from '#core/schedule/windows.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import type { BoundInput } from '#core/strategy/inputs.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { AnswerReport, ExecutionReport } from '#domain/execution-report.ts';
import type { FinancingRules } from '#domain/financing.ts';
import { type FreshnessOf, USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Lane } from '#domain/lane.ts';
import { type LaneId, type Millis, type RunId, runId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import type { Journal } from '#ports/journal.ts';
import { VirtualEngine } from '#strategy-testing/virtual-engine.ts';
import { HeldBroker } from './held-broker.ts';
import { JournalJudge } from './journal-judge.ts';
import { NO_LIMITS, usd } from './limits.ts';
import { BTC, btcLane, btcProduct, type QuoteOptions, quote } from './market-data.ts';

export const START = Date.UTC(2026, 0, 1);

export interface RigOptions {
  readonly strategies: Readonly<Record<string, MarkedStrategy>>;
  readonly limits?: Partial<Limits>;
  readonly arming?: Partial<Arming>;
  readonly configHash?: string;
  readonly build?: string;
  /** When the run starts. */
  readonly startAt?: Millis;
  readonly canShort?: boolean;
  readonly escalateHalt?: boolean;
  readonly freshnessOf?: FreshnessOf;
  readonly mendEnables?: boolean;
  readonly schedule?: readonly ScheduleLine[];
  readonly windows?: Windows;
  readonly opening?: ReadonlyMap<string, Decimal>;
  readonly isOpeningWhole?: boolean;
  readonly accountCurrency?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly financing?: FinancingRules;
  readonly exits?: Partial<ExitRules>;
  /** Lanes that may be lent. */
  readonly reserve?: number;
  readonly feeIn?: FeeCurrency;
  readonly inputs?: Readonly<Record<string, BoundInput>>;
  readonly lanes?: readonly Lane[];
  /** A journal of an earlier rig, to start again on. */
  readonly folder?: string;
  /** The id of the machine. */
  readonly machine?: string;
  /** Adds to what the journal has of earlier runs. */
  readonly recovered?: (past: RecoveryState) => RecoveryState;
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly log?: InboxLog;
  readonly run?: string;
  /** False where the test plays the feed: no lane is acknowledged by itself. */
  readonly acksLanes?: boolean;
  /** False where the test itself says what is known of the service's clock. */
  readonly keepsClock?: boolean;
  /** Milliseconds from the start to when products are known, in which timers fire. */
  readonly slowStartMs?: number;
}

const NO_EXITS: ExitRules = {
  takeProfitPct: null,
  stopLossPct: null,
  trailingPct: null,
  activateAtPct: null,
  maxHoldSeconds: null,
  net: false,
};

const LIMITS: Limits = {
  ...NO_LIMITS,
  maxOrderValue: usd(5000),
  maxPositionValue: usd(20_000),
  maxExitValue: usd(60_000),
  maxOrdersPerMinute: 100,
  maxSpreadPct: 1,
  minTimeLeftMs: 250,
  maxUnknown: 1,
};

/** Kinds that only say where things stand. */
const STANDING: ReadonlySet<string> = new Set(['clock', 'working', 'worked', 'peak', 'learned', 'blocked']);

/** One row of `decisions`, as a test wants to look at it. */
export interface Row {
  readonly kind: string;
  readonly strategy: string | null;
  readonly reason: string | null;
  readonly quote_id: string | null;
  readonly order_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * The real engine on a real journal in virtual time, with a broker that the test speaks for. What a test gives enters
 * by the inbox; what it looks at is the journal.
 */
export class Rig {
  readonly clock: VirtualClock;
  readonly broker = new HeldBroker(
    (id) => this.query(`SELECT 1 FROM decisions WHERE order_id = '${id}' AND kind = 'approved'`).length === 1,
  );
  readonly latch = new HaltLatch();
  readonly notices: string[] = [];
  /** Orders of unknown outcome that the engine told of, `id` or `id awaited`. */
  readonly unknown: string[] = [];
  readonly asked: string[] = [];
  /** Lanes that the engine asked for and gave back. */
  readonly lent: Lane[] = [];
  readonly givenBack: LaneId[] = [];
  readonly folder: string;
  readonly journal: SqliteJournal;
  readonly engine: Engine;
  readonly inbox: Inbox;
  private readonly run: RunId;
  private readonly virtual: VirtualEngine;
  private crashed = false;

  constructor(options: RigOptions) {
    this.folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'kairos-rig-'));
    const lanes = options.lanes ?? [btcLane];
    const { id: lane, product, amount } = lanes[0] ?? btcLane;
    this.run = runId(options.run ?? 'run-1');
    const { run } = this;
    this.journal = SqliteJournal.open({ path: this.path, book: 'paper', beforeCommit: () => options.log?.flush() });
    const at = options.startAt ?? START;
    const configHash = options.configHash ?? 'hash';
    const recovered = this.journal.recover(at);
    const { lastInboxSeq, ...past } = options.recovered?.(recovered) ?? recovered;
    const configJson = JSON.stringify({ account: { financing: options.financing ?? null } });
    this.journal.beginRun({ run, at, mode: 'paper', version: 'test', configHash, configJson });
    this.clock = new VirtualClock(at);
    this.virtual = new VirtualEngine({
      clock: this.clock,
      first: lastInboxSeq + 1,
      ...(options.log && { log: options.log }),
      keepsClock: options.keepsClock ?? true,
      engine: {
        journal: options.wrapJournal?.(this.journal) ?? this.journal,
        broker: this.broker,
        latch: this.latch,
        onUnknown: ({ id }, isAwaited) => this.unknown.push(isAwaited ? `${id} awaited` : id),
        strategies: Object.entries(options.strategies).map(
          ([id, definition]): EngineStrategy => ({
            id: strategyId(id),
            definition,
            ...{ lane, product, amount },
            params: options.params ?? {},
            ...(options.inputs && { inputs: options.inputs }),
            seed: 'seed',
            budget: null,
            windows: options.windows ?? null,
            exits: options.exits ? { ...NO_EXITS, ...options.exits } : null,
            enabled: true,
          }),
        ),
        lanes,
        limits: { ...LIMITS, ...options.limits },
        arming: { arm: 'auto', rearmAfterMs: null, crashHalt: null, ...options.arming },
        feeIn: options.feeIn ?? 'quote',
        reserve: {
          size: options.reserve ?? 0,
          waitMs: 1500,
          acquire: (lane) => this.lent.push(lane),
          release: (lane) => this.givenBack.push(lane),
        },
        ...(options.financing && { financing: options.financing }),
        canShort: new Set(options.canShort ? [BTC, ...lanes.map(({ product }) => product)] : []),
        defaultBudget: decimalOf(10_000),
        accountCurrency: options.accountCurrency ?? 'usd',
        opening: options.opening ?? null,
        isOpeningWhole: options.isOpeningWhole ?? false,
        mendEnables: options.mendEnables ?? false,
        freshnessOf: options.freshnessOf ?? (() => USUAL_FRESHNESS),
        cronNext: nextTime,
        schedule: options.schedule ?? [],
        escalateHalt: options.escalateHalt ?? false,
        act: ({ actionId, action }) => this.asked.push(`${actionId} ${action}`),
        remote: (id, { action }) => this.asked.push(`${id} remote.${action}`),
        notice: (level, text) => this.notices.push(`${level}: ${text}`),
      },
    });
    this.engine = this.virtual.engine;
    this.inbox = this.virtual.inbox;
    this.broker.connect((orderId, report) => this.inbox.post({ kind: 'answer', orderId, report }));
    this.give({
      kind: 'start',
      facts: {
        run,
        book: 'paper',
        mode: 'paper',
        version: 'test',
        node: '24',
        configHash,
        build: options.build ?? 'build',
        instance: instanceOf(this.path, at, options.machine),
        config: '{}',
        strategySources: {},
        ...past,
      },
    });
    this.virtual.moveTo(this.clock.now() + (options.slowStartMs ?? 0));
    this.give({ kind: 'products', products: [productText(btcProduct)] });
    if (options.acksLanes ?? true) for (const lane of lanes) this.ack(lane);
    this.virtual.keepClock();
  }

  get path(): string {
    return path.join(this.folder, 'kairos.db');
  }

  /** The lane's subscription is acknowledged. */
  ack(lane: Lane = btcLane): void {
    this.virtual.ack(lane);
  }

  give(event: InboxEvent): void {
    this.virtual.give(event);
  }

  quote(quote: Quote): void {
    this.virtual.quote(quote);
  }

  /** A quote at that price, good for three seconds, half a second later unless it is said. True if an order was sent meanwhile. */
  price(buy = 60_000, { afterMs = 500, ...parts }: Omit<QuoteOptions, 'buy'> & { readonly afterMs?: Millis } = {}): boolean {
    const before = this.broker.submitted.length;
    this.moveBy(afterMs);
    this.quote(quote({ buy, validUntil: this.clock.now() + 3000, ...parts }));
    return this.broker.submitted.length > before;
  }

  moveBy(ms: Millis): void {
    this.virtual.moveTo(this.clock.now() + ms);
  }

  /** The last order that reached the broker. */
  get last(): OrderCore {
    const order = this.broker.submitted.at(-1);
    if (!order) throw new Error('no order reached the broker');
    return order;
  }

  report(order: OrderCore, report: ExecutionReport): void {
    this.broker.report(order.id, report);
    this.inbox.drain();
  }

  /** The gate passed and the service answered. */
  answer(order: OrderCore, answer: Partial<AnswerReport> = {}): void {
    this.report(order, { type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: this.clock.now() });
    this.report(order, {
      type: 'answered',
      outcome: 'accepted',
      reason: 'HTTP_OK',
      httpStatus: 201,
      body: '{}',
      roundTripMs: 5,
      figures: {},
      late: false,
      why: '',
      ...answer,
    });
  }

  /** Rows, but those of `allRows` that only say where things stand: the service's time, what is at work, peaks. */
  rows(): Row[] {
    return this.allRows().filter(({ kind }) => !STANDING.has(kind));
  }

  /** Every row. */
  allRows(): Row[] {
    this.journal.flush();
    return this.query<DecisionRecord>('SELECT * FROM decisions ORDER BY seq').map((row) => ({ ...row, detail: detailOf(row) }));
  }

  /** `kind` and reason of every row after the start, one text each; where profit was measured is left out. */
  story(): string[] {
    return this.rows()
      .filter(({ kind }) => kind !== 'started' && kind !== 'measured')
      .map(({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`));
  }

  /** What a reader finds within a quarter of a second. */
  query<T>(sql: string): T[] {
    if (!this.crashed) this.journal.writeOrders();
    const database = new Database(this.path, { readonly: true });
    try {
      return database.prepare<[], T>(sql).all();
    } finally {
      database.close();
    }
  }

  /** Ends the process as SIGKILL would see it from outside: what is committed stays, nothing else is written. */
  crash(): void {
    this.crashed = true;
    this.journal.close();
  }

  /** Ends the run in good order. */
  end(): void {
    this.journal.end(this.run, 'stopped');
  }

  close(): void {
    if (!this.crashed) this.journal.close();
  }

  /** After `close` of every rig on the folder. Throws where what was journaled breaks an invariant (I01 to I20). */
  remove(): void {
    if (!existsSync(this.path)) return;
    const judge = new JournalJudge(this.path);
    const broken = [...this.broker.broken, ...judge.look(), ...judge.wholeness()];
    rmSync(this.folder, { recursive: true, force: true });
    if (broken.length > 0) throw new Error(broken.join('\n'));
  }
}
