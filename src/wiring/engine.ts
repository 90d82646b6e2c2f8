import type { Decimal } from '../domain/decimal.ts';
import { KairosError, messageOf, never } from '../domain/errors.ts';
import type { Command, InboxEvent, Numbered, ProductText, StartFacts } from '../domain/event.ts';
import type { Lane } from '../domain/lane.ts';
import { type LaneId, orderId, type ProductCode, type StrategyId, strategyId } from '../domain/names.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type Product, productOf } from '../domain/product.ts';
import type { Quote } from '../domain/quote.ts';
import { Market } from '../market/market.ts';
import type { Broker } from '../ports/broker.ts';
import type { Journal } from '../ports/journal.ts';
import { type HostResult, type Signals, StrategyHost, type StrategyInstance } from '../strategy/host.ts';
import type { CronNext } from '../strategy/market-streams.ts';
import { EngineScheduler } from '../time/scheduler.ts';
import { Books } from '../trading/books.ts';
import { DecisionLog } from '../trading/decision-log.ts';
import { Desk } from '../trading/desk.ts';
import type { ExitRules } from '../trading/exits.ts';
import type { HaltLatch } from '../trading/latch.ts';
import { Openings } from '../trading/ledger.ts';
import type { Limits } from '../trading/limits.ts';
import { Settlement } from '../trading/settlement.ts';
import type { FeeIn } from '../trading/sizing.ts';
import { Streaks } from '../trading/streaks.ts';
import { Timing } from '../trading/timing.ts';
import { TradingState } from '../trading/trading-state.ts';
import { journalResult } from './host-results.ts';
import { type Notice, tellOutcome } from './notice.ts';
import { OrderFlow } from './order-flow.ts';
import { type Act, ScheduledActions } from './scheduled-actions.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { Views } from './views.ts';

/** One strategy instance with what the desk must know of it. */
export interface EngineStrategy extends StrategyInstance {
  /** Opening capital by currency; null for the default in the product's quote currency. */
  readonly budget: ReadonlyMap<string, Decimal> | null;
  /** When its positions are closed without its word; null: never. */
  readonly exits: ExitRules | null;
  readonly enabled: boolean;
}

export interface EngineOptions {
  readonly journal: Journal;
  readonly broker: Broker;
  readonly latch: HaltLatch;
  readonly strategies: readonly EngineStrategy[];
  readonly lanes: readonly Lane[];
  readonly limits: Limits;
  readonly feeIn: FeeIn;
  readonly canShort: ReadonlySet<ProductCode>;
  /** Opening capital where a strategy names none, in its product's quote currency. */
  readonly defaultBudget: Decimal;
  /** What the account holds at first, by currency; null where nothing is to be booked of it. */
  readonly opening: ReadonlyMap<string, Decimal> | null;
  readonly staleMs: number;
  /** Next time of a cron expression after an instant, for strategies that listen to one. */
  readonly cronNext: CronNext;
  readonly act: Act;
  /** A halt also asks the service to pause its own strategies. */
  readonly escalateHalt: boolean;
  /** Told whose code runs from now on, or null for none's. */
  readonly onInside?: (strategy: StrategyId | null) => void;
  /** Called when the time of the next timer changes; undefined when there is none. */
  readonly onNextDue: (at: number | undefined) => void;
  readonly notice: Notice;
}

/**
 * The engine: one event in, everything that follows from it out, and nothing else decides. It knows no mode: clock,
 * feed, broker and journal are what live, paper and replay supply.
 */
export class Engine {
  private readonly options: EngineOptions;
  private readonly log: DecisionLog;
  private readonly timing: Timing;
  private readonly books = new Books();
  private readonly state: TradingState;
  private readonly streaks: Streaks;
  private readonly desk: Desk;
  private readonly flow: OrderFlow;
  private readonly settlement: Settlement;
  private readonly actions: ScheduledActions;
  private readonly openings: Openings;
  private readonly market: Market;
  private readonly scheduler: EngineScheduler;
  private readonly host: StrategyHost;
  private readonly products = new Map<ProductCode, Product>();
  private readonly byLane = new Map<LaneId, Lane>();
  private readonly views: Views;
  private stopping = false;

  constructor(options: EngineOptions) {
    this.options = options;
    const { journal, broker, latch, limits, feeIn, strategies } = options;
    this.log = new DecisionLog(journal);
    this.timing = new Timing({ log: this.log, notice: options.notice });
    this.state = new TradingState({ log: this.log, latch });
    this.streaks = new Streaks(this.log);
    const onOutcome = (strategy: string, outcome: Outcome) => this.outcome(strategy, outcome);
    const shared = { books: this.books, log: this.log, state: this.state, limits, onOutcome };
    this.desk = new Desk({ ...shared, broker, streaks: this.streaks, timing: this.timing, feeIn });
    this.settlement = new Settlement(shared);
    this.actions = new ScheduledActions({
      log: this.log,
      state: this.state,
      act: options.act,
      notice: options.notice,
      escalateHalt: options.escalateHalt,
    });
    const capitals = strategies.map(({ id, product, budget }) => ({ strategy: id, product, budget }));
    this.openings = new Openings({ log: this.log, account: options.opening, capitals, defaultBudget: options.defaultBudget });
    this.market = new Market({ staleMs: options.staleMs });
    for (const lane of options.lanes) {
      this.byLane.set(lane.id, lane);
      this.market.open(lane);
    }
    this.scheduler = new EngineScheduler({ onNextDueChanged: options.onNextDue });
    this.flow = new OrderFlow({
      strategies,
      lanes: this.byLane,
      products: this.products,
      market: this.market,
      books: this.books,
      desk: this.desk,
      log: this.log,
      streaks: this.streaks,
      scheduler: this.scheduler,
      canShort: options.canShort,
      defaultBudget: options.defaultBudget,
      isDisabled: (id) => this.host.isDisabled(id),
      notice: options.notice,
      timing: this.timing,
      onOutcome,
    });
    this.views = new Views({
      market: this.market,
      books: this.books,
      products: this.products,
      canShort: options.canShort,
      budgetOf: (strategy, currency) => this.flow.budgetOf(strategy, currency),
      now: () => this.scheduler.now(),
    });
    this.host = new StrategyHost({
      instances: strategies,
      scheduler: this.scheduler,
      busy: (instance) => this.flow.isBusy(instance),
      viewOf: (instance, random) => this.views.of(instance, random),
      emit: (result) => this.onResult(result),
      cronNext: options.cronNext,
      ...(options.onInside && { onInside: options.onInside }),
    });
  }

  /** Handles one event to its end. Timers due at or before it fire first, each at its own due time. */
  handle({ n, at, event }: Numbered): void {
    this.log.enter(n, at);
    this.timing.look();
    this.host.runTimers(at);
    this.dispatch(event, at);
    this.actions.passOnHalt(event.kind);
  }

  private dispatch(event: InboxEvent, at: number): void {
    switch (event.kind) {
      case 'start':
        return this.start(event.facts);
      case 'products':
        return this.onProducts(event.products);
      case 'lane': {
        const { change } = event;
        this.market.change(change, at);
        if (change.phase === 'disabled') this.options.notice('error', `lane ${change.lane} is disabled: ${change.why}`);
        return;
      }
      case 'quote':
        return this.onQuote(event.quote, at);
      case 'answer':
        return this.settlement.report(orderId(event.orderId), event.report);
      case 'action':
        return this.actions.answered(event.answer);
      case 'command':
        return this.onCommand(event.command);
      case 'due':
        return this.actions.due(event.line);
      case 'condition':
        if (event.name === 'certificate' && event.on) this.state.halt('CERTIFICATE', 'kairos', 'the service could not prove who it is');
        return this.timing.condition(event.name, event.on, event.figure);
      case 'clock':
        return this.timing.clock(event);
      case 'wake':
        return;
      default:
        return never(event);
    }
  }

  /** Latches a halt because of an error that nobody handled, journal or not. */
  fault(error: unknown): void {
    const why = messageOf(error);
    const ofJournal = error instanceof KairosError && (error.code === 'JOURNAL_FAULT' || error.code === 'RECORDING_FAULT');
    this.options.latch.set();
    this.log.commit(this.log.make('halted', { who: 'kairos', why }, { reason: ofJournal ? 'JOURNAL_FAULT' : 'UNCAUGHT' }));
  }

  /** Orders whose outcome is still open. */
  get openOrders(): number {
    return [...this.books.openOrders()].filter((order) => order.state !== 'unknown').length;
  }

  /** The values that a strategy has named, as they stand. */
  observed(strategy: StrategyId): Signals {
    return this.host.observed(strategy);
  }

  get isHalted(): boolean {
    return this.state.isHalted;
  }

  /** What it is doing, for people and monitors. */
  snapshot(now: number): Snapshot {
    const { market, books, host, state } = this;
    return snapshotOf({ now, market, books, host, state, strategies: this.options.strategies });
  }

  private start(facts: StartFacts): void {
    const { strategies } = this.options;
    this.log.commit(this.log.make('started', { config: facts.configHash, strategies: strategies.map((s) => s.id) }));
    this.openings.start(facts.openings);
    this.state.restore(facts.latches);
    this.desk.recover(facts);
    this.flow.restore(facts.exits);
    // Before any strategy's code runs: one that held up the process before must not get another chance to.
    if (facts.stalled) this.disableStalled(strategyId(facts.stalled.strategy), facts.stalled.why);
    for (const latch of facts.latches) {
      if (latch.kind === 'disabled' && latch.strategy !== null) this.host.disable(strategyId(latch.strategy), latch.why);
    }
    for (const strategy of strategies) if (!strategy.enabled) this.host.disable(strategy.id, 'enabled: false in the configuration');
    for (const [id, state] of Object.entries(facts.states)) this.host.restore(strategyId(id), state);
    this.host.start();
  }

  private disableStalled(strategy: StrategyId, why: string): void {
    this.log.commit(this.log.make('disabled', { who: 'watchdog', why }, { strategy, reason: 'STALLED' }));
    this.options.notice('error', `strategy ${strategy} is disabled until a person enables it: ${why}`);
    this.host.disable(strategy, why);
  }

  private onProducts(products: readonly ProductText[]): void {
    for (const product of products.map(productOf)) this.products.set(product.code, product);
    this.market.products([...this.products.values()]);
  }

  private onQuote(quote: Quote, at: number): void {
    if (this.market.accept(quote, at) !== null || this.stopping) return;
    this.openings.quoted(quote.product, quote.quoteCcy);
    this.flow.exits(quote);
    this.host.deliver(quote);
    this.flow.onQuote(quote.lane);
  }

  private onResult(result: HostResult): void {
    if (result.kind === 'intents') {
      if (this.products.has(result.instance.product) && !this.stopping) this.flow.begin(result);
    } else journalResult(result, { log: this.log, streaks: this.streaks, notice: this.options.notice });
  }

  private outcome(strategy: string, outcome: Outcome): void {
    this.views.outcome(strategy, outcome);
    tellOutcome(this.options.notice, strategy, outcome);
    this.flow.settled(outcome);
    this.host.outcome(strategyId(strategy), outcome);
  }

  private onCommand(command: Command): void {
    const { who, why } = command;
    switch (command.act) {
      case 'pause':
        return this.state.pause(command.strategy === null ? null : strategyId(command.strategy), { reason: 'BY_PERSON', who, why });
      case 'resume':
        this.options.notice('warn', `${command.strategy ?? 'trading'} resumed by ${who}: ${why}`);
        return this.state.resume(command.strategy === null ? null : strategyId(command.strategy), who, why);
      case 'enable':
        if (command.strategy === null) return;
        this.host.enable(strategyId(command.strategy));
        return this.log.commit(this.log.make('enabled', { who, why }, { strategy: strategyId(command.strategy), reason: 'BY_PERSON' }));
      case 'halt':
        this.options.notice('error', `halted by ${who}: ${why}; no order goes out until a person resumes`);
        return this.state.halt('BY_PERSON', who, why);
      case 'stop':
        this.stopping = true;
        this.streaks.endAll();
        return this.log.commit(this.log.make('stopped', { who, why }));
      default:
        return never(command);
    }
  }
}
