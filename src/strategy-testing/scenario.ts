import { MemoryJournal, NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import type { RecoveryState } from '#adapters/journal/recovery.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import { boundStrategy, type LoadedStrategy, lanesOf, productText } from '#assembly/assemble.ts';
import { startFacts } from '#assembly/start-facts.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { EngineStrategy } from '#core/engine/engine-options.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { type Duration, durationMs } from '#core/strategy/duration.ts';
import { signalInputs } from '#core/strategy/inputs.ts';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Lane } from '#domain/lane.ts';
import { currency, type LaneId, type Millis, runId } from '#domain/names.ts';
import { type OutsideSignal, readFields } from '#domain/outside-signal.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import type { PastOutcome } from '#research/replay/backtest-broker.ts';
import { diagram, type Values } from './diagram.ts';
import { type Price, quoteFor } from './quotes.ts';
import { recoveredFrom } from './recovered.ts';
import { ordersIn, refusalsIn, type ScenarioOrder, type ScenarioRefusal } from './results.ts';
import { configOf, quotedProduct } from './scenario-config.ts';
import { scenarioEngine } from './scenario-engine.ts';
import type { ScenarioOptions } from './scenario-options.ts';
import type { VirtualEngine } from './virtual-engine.ts';

/** Prices as diagrams: of the strategy's own product, or by the names of its inputs. */
export type Lines = string | Readonly<Record<string, string>>;

/** The fields of a signal from outside. */
export type SignalFields = Readonly<Record<string, number | string | boolean>>;

const isPrice = (shown: IndicativeQuote | SignalFields): shown is IndicativeQuote => 'product' in shown && 'time' in shown;

/** Time between two quotes, as the service quotes, in milliseconds. */
const STEP_MS = 500;
/** Validity of a quote, in milliseconds. */
const VALIDITY_MS = 3_000;
/** Longest step of virtual time, in milliseconds; the service's clock is sampled in between. */
const STRIDE_MS = 30_000;

/**
 * A strategy under test, in the very engine that trades live: signals, sizing, risk, order placer, ledger and journal
 * are the real ones; time is virtual, and orders are executed by the paper venue's matching core. Nothing happens
 * without a call. Throws what the strategy throws, and a KairosError for invalid options.
 */
export class Scenario {
  /** Start time, in milliseconds since 1970. */
  readonly startAt: Millis;
  private readonly clock: VirtualClock;
  private readonly timers: VirtualTimers;
  private readonly journal = new MemoryJournal();
  private readonly config: DecidingConfig;
  private readonly strategy: EngineStrategy;
  private readonly latencyMs: Millis;
  private readonly feePercentage: number;
  private virtual: VirtualEngine;
  /** Lanes that get quotes: those of the configuration, and acquired lanes of other sizes. */
  private readonly open = new Map<LaneId, Lane>();
  private readonly lent: Lane[] = [];
  private readonly latest = new Map<LaneId, ReturnType<typeof quoteFor>>();
  private readonly prices = new Map<string, Price>();
  private readonly outcomes: PastOutcome[] = [];
  private quotes = 0;
  private signals = 0;
  private looked = 0;

  /** Throws CONFIG_INVALID for invalid options. */
  constructor(definition: MarkedStrategy, options: ScenarioOptions = {}) {
    this.config = configOf(options);
    const { settings } = this.config;
    const [entry] = settings.strategies;
    if (!entry) throw new KairosError('CONFIG_INVALID', 'a scenario runs one strategy');
    this.latencyMs = options.latencyMs ?? 0;
    this.feePercentage = options.feePercentage ?? 0.1;
    this.startAt = Date.parse(options.startAt ?? '2026-01-01T00:00:00.000Z');
    if (Number.isNaN(this.startAt))
      throw new KairosError('CONFIG_INVALID', `startAt: ${options.startAt} is no time; write 2026-01-31T08:00Z`);
    this.strategy = boundStrategy({ ...entry, origin: "the test's options" }, { definition }, settings.trading.seed);
    this.clock = new VirtualClock(this.startAt);
    this.timers = new VirtualTimers(this.clock);
    this.virtual = this.engineAfter(NOTHING_BEFORE);
    this.begin(NOTHING_BEFORE);
  }

  /** Time since the start, in milliseconds. */
  get now(): Millis {
    return this.clock.now() - this.startAt;
  }

  /** Quotes a price half a second later, on each lane of the product: the strategy's own, or that of a further input. */
  quote(price: Price, input = 'main'): this {
    return this.wait(STEP_MS).offer(price, input);
  }

  /**
   * Quotes prices half a second apart, one for each character: `play('ab-a', { a: 60_000, b: 59_900 })`; further inputs
   * have a line each: `play({ main: 'aaa', hedge: 'b-c' }, ...)`.
   */
  play(lines: Lines, values: Values<Price | IndicativeQuote>): this {
    const drawn = Object.entries(typeof lines === 'string' ? { main: lines } : lines).map(([input, text]) => ({
      input,
      ...diagram(text, values),
    }));
    const marks = drawn.flatMap(({ input, marks: own }) => own.map((mark) => ({ input, ...mark })));
    const from = this.now;
    for (const { at, value, input } of marks.sort((one, other) => one.at - other.at)) {
      this.waitUntil(from + at);
      if (typeof value === 'number' || 'buy' in value) this.offer(value, input);
      else this.show(input, value);
    }
    return this.waitUntil(from + Math.max(...drawn.map(({ lengthMs }) => lengthMs)));
  }

  /** Delivers a price of a display input, `basic()` or `fullBook()`, or the fields of a `signal()`. Throws CONFIG_INVALID for what it is not. */
  show(input: string, shown: IndicativeQuote | SignalFields): this {
    const { kind, source } = this.inputOf(input);
    if (kind === 'signal') this.virtual.give({ kind: 'signal', source, signal: this.signalOf(input, { ...shown }) });
    else if (isPrice(shown)) this.virtual.inbox.shown(source, shown);
    else throw new KairosError('CONFIG_INVALID', `inputs.${input}: is ${kind}(), which takes prices`);
    this.virtual.inbox.drain();
    return this.settle();
  }

  /** Lets time pass: milliseconds, or text such as `30s`. */
  wait(span: Duration): this {
    return this.waitUntil(this.now + durationMs(span, 'wait'));
  }

  /** Sets the outcome of later orders: executed, refused by the service, or never answered. */
  ordersAre(outcome: 'accepted' | 'rejected' | 'unknown'): this {
    this.outcomes.splice(0, 1, { outcome, httpStatus: outcome === 'rejected' ? 422 : null, body: '' });
    return this;
  }

  /** Books a deposit. */
  deposit(amount: number | string, of: string): this {
    const entries = [{ kind: 'deposit', book: 'treasury', currency: currency(of), amount: String(amount) }] as const;
    this.virtual.give({ kind: 'command', command: { act: 'book', who: 'scenario', why: 'a deposit', entries } });
    return this.settle();
  }

  /** Ends the data, as at the end of a backtest. */
  dataEnds(): this {
    this.virtual.give({ kind: 'end' });
    return this.settle();
  }

  /**
   * Kills and restarts the process: positions, plans and the strategy's `state` come from the journal, an order in
   * flight becomes unknown, and signals start anew.
   */
  restart(): this {
    const recovered = recoveredFrom(this.decisions, { config: this.config, at: this.clock.now() });
    this.clock.wakeAt(undefined, () => {});
    this.open.clear();
    this.lent.length = 0;
    this.virtual = this.engineAfter(recovered);
    this.begin(recovered);
    return this;
  }

  /** The strategy's position in its product, in base currency; negative when short. */
  get position(): number {
    const held = this.virtual.engine.snapshot(this.clock.now()).strategies.find(({ id }) => id === this.strategy.id);
    return Number(held?.position ?? 0);
  }

  /** Orders from the oldest, each in its present state. */
  get orders(): readonly ScenarioOrder[] {
    return ordersIn(this.decisions, this.startAt);
  }

  /** Intents that did not become orders, each with its reason code. */
  get refusals(): readonly ScenarioRefusal[] {
    return refusalsIn(this.decisions, this.startAt);
  }

  /** The journal: every decision with all its figures. */
  get decisions(): readonly Decision[] {
    this.journal.flush();
    return this.journal.decisions;
  }

  private get loaded(): readonly LoadedStrategy[] {
    return [{ strategy: this.strategy, sourceHash: '' }];
  }

  private engineAfter({ lastInboxSeq }: RecoveryState): VirtualEngine {
    const { clock, timers, journal, latencyMs, outcomes } = this;
    return scenarioEngine(
      {
        settings: this.config.settings,
        strategies: this.loaded,
        clock,
        timers,
        journal,
        first: lastInboxSeq + 1,
        latencyMs,
        outcomes,
        latest: (lane) => this.latest.get(lane),
        acquire: (lane) => this.lent.push(lane),
        release: (lane) => this.open.delete(lane),
      },
      (engine) => engine !== this.virtual,
    );
  }

  /** Delivers the first events of a run. */
  private begin(recovered: RecoveryState): void {
    const { config, loaded: strategies, virtual } = this;
    const facts = startFacts({ config, run: runId('scenario'), book: 'paper', strategies, recovered, stall: undefined });
    virtual.give({ kind: 'start', facts });
    virtual.give({ kind: 'products', products: VB_PRODUCTS.map(productText) });
    for (const lane of lanesOf(config.settings)) this.serve(lane);
    virtual.keepClock();
    this.poll();
  }

  private waitUntil(at: Millis): this {
    const until = this.startAt + at;
    while (this.clock.now() < until) {
      const due = Math.min(this.timers.nextDue ?? until, this.clock.nextWake ?? until);
      this.virtual.moveTo(Math.max(this.clock.now(), Math.min(due, until, this.clock.now() + STRIDE_MS)));
      this.settle();
    }
    return this;
  }

  private offer(price: Price, input: string): this {
    const product = input === 'main' ? this.strategy.product : this.inputOf(input).product;
    this.prices.set(product, price);
    for (const lane of [...this.open.values()]) if (lane.product === product) this.quoteOn(lane, price);
    return this.settle();
  }

  /** Delivers the answers that are due, and opens requested lanes of other sizes. */
  private settle(): this {
    do {
      this.timers.runDue();
      for (const lane of this.lent.splice(0)) {
        this.serve(lane);
        const price = this.prices.get(lane.product);
        if (price !== undefined) this.quoteOn(lane, price);
      }
    } while (this.lent.length > 0 || (this.timers.nextDue ?? Number.POSITIVE_INFINITY) <= this.clock.now());
    this.poll();
    return this;
  }

  private serve(lane: Lane): void {
    this.open.set(lane.id, lane);
    this.virtual.ack(lane);
  }

  private quoteOn(lane: Lane, price: Price): void {
    if (!this.open.has(lane.id)) return;
    this.quotes += 1;
    const { feePercentage, quotes: number } = this;
    const validUntil = this.clock.now() + VALIDITY_MS;
    const quote = quoteFor({ lane, product: quotedProduct(lane.product), price, feePercentage, validUntil, number });
    this.latest.set(lane.id, quote);
    this.virtual.quote(quote);
  }

  private inputOf(name: string) {
    const input = this.strategy.inputs?.[name];
    if (!input) throw new KairosError('CONFIG_INVALID', `inputs.${name}: the strategy has no such input`);
    return input;
  }

  private signalOf(name: string, fields: Readonly<Record<string, unknown>>): OutsideSignal {
    const schemas = signalInputs(this.strategy.definition.inputs).flatMap(([one, { schema }]) => (one === name ? [schema] : []));
    const read = readFields(schemas, fields);
    if ('field' in read) throw new KairosError('CONFIG_INVALID', `inputs.${name}: ${read.field} ${read.must}`);
    this.signals += 1;
    return { id: `scenario-${this.signals}`, madeAt: null, value: read.value };
  }

  /** Throws the strategy's error, which live trading would journal and survive. */
  private poll(): void {
    const { decisions } = this;
    const threw = decisions.slice(this.looked).find((one): one is DecisionOf<'threw'> => one.kind === 'threw');
    this.looked = decisions.length;
    if (threw) throw new Error(`the strategy failed: ${threw.detail.error}\n${threw.detail.stack}`);
  }
}

/** Runs a strategy through the real engine, on the prices of a test. */
export const scenario = (strategy: MarkedStrategy, options: ScenarioOptions = {}): Scenario => new Scenario(strategy, options);
