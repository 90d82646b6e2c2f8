import { DecisionLog } from '#core/decisions/decision-log.ts';
import { RepeatedRefusals } from '#core/decisions/repeated-refusals.ts';
import { ExecutionReports } from '#core/execution/execution-reports.ts';
import { type ChildOrderResult, OrderPlacer } from '#core/execution/order-placer.ts';
import type { Market } from '#core/market/market.ts';
import { Books } from '#core/portfolio/books.ts';
import { OpeningBalances } from '#core/portfolio/ledger.ts';
import { ClockState } from '#core/risk/clock-state.ts';
import { ExitBounds } from '#core/risk/exit-bounds.ts';
import { RiskMonitor } from '#core/risk/risk-monitor.ts';
import { TradingState } from '#core/risk/trading-state.ts';
import { type HostResult, type Signals, StrategyHost } from '#core/strategy/host.ts';
import { never } from '#domain/errors.ts';
import type { InboxEvent, Numbered, ProductText, StartFacts } from '#domain/event.ts';
import { type Lane, laneSetAside } from '#domain/lane.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import { type LaneId, orderId, type ProductCode, type StrategyId } from '#domain/names.ts';
import type { Outcome } from '#domain/outcome.ts';
import { type Product, productOf } from '#domain/product.ts';
import { Commands } from './commands.ts';
import { takeCondition } from './conditions.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EngineParts } from './engine-parts.ts';
import { feedWarmUp } from './feed-warm-up.ts';
import { Financing } from './financing.ts';
import { journalResult } from './host-results.ts';
import { ManualOrders } from './manual-orders.ts';
import { MoneyIn } from './money-in.ts';
import { QuotePath } from './quote-path.ts';
import { RemoteActs } from './remote-acts.ts';
import { restoreRun } from './restore-run.ts';
import { ScheduledActions } from './scheduled-actions.ts';
import { EngineScheduler } from './scheduler.ts';
import { Silences } from './silences.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { StrategyExecution } from './strategy-execution.ts';
import { StrategyStates } from './strategy-states.ts';
import { StrategySwitch } from './strategy-switch.ts';
import { exitWaitTold, outcomesTold, tooMuchTold } from './told.ts';
import { Views } from './views.ts';
import { watchedMarket } from './watched-market.ts';

/**
 * The engine: one event in, everything that follows from it out, and nothing else decides. It knows no mode: clock,
 * feed, broker and journal are what live, paper and replay supply.
 */
export class Engine {
  private readonly options: EngineOptions;
  private readonly log: DecisionLog;
  private readonly clockState: ClockState;
  private readonly books = new Books();
  private readonly state: TradingState;
  private readonly refusals: RepeatedRefusals;
  private readonly monitor: RiskMonitor;
  private readonly commands: Commands;
  private readonly placer: OrderPlacer;
  private readonly execution: StrategyExecution;
  private readonly manual: ManualOrders;
  private readonly reports: ExecutionReports;
  private readonly actions: ScheduledActions;
  /** What a person asked of the service's own strategies. */
  readonly remote: RemoteActs;
  private readonly openings: OpeningBalances;
  private readonly financing: Financing;
  private readonly tell: ReturnType<typeof outcomesTold>;
  private readonly tellTooMuch: ReturnType<typeof tooMuchTold>;
  private readonly market: Market;
  private readonly scheduler: EngineScheduler;
  private readonly host: StrategyHost;
  private readonly money: MoneyIn;
  private readonly quotes: QuotePath;
  private readonly products = new Map<ProductCode, Product>();
  private readonly switch: StrategySwitch;
  private readonly byLane = new Map<LaneId, Lane>();
  private readonly views: Views;
  private readonly states: StrategyStates;
  private readonly silences: Silences;
  private stopping = false;

  constructor(options: EngineOptions) {
    this.options = options;
    const { journal, broker, latch, feeIn, strategies } = options;
    this.log = new DecisionLog(journal);
    this.clockState = new ClockState({ log: this.log, notice: options.notice });
    this.tell = outcomesTold(options.notice);
    this.tellTooMuch = tooMuchTold(options.notice);
    this.state = new TradingState({ log: this.log, latch, arming: options.arming, tell: (text) => options.notice('error', text) });
    this.refusals = new RepeatedRefusals(this.log);
    const onOutcome = (strategy: StrategyId, outcome: Outcome, why?: string) => this.outcome(strategy, outcome, why);
    const { books, log, state, refusals, clockState } = this;
    const capitals = strategies.map(({ id, product, budget }) => ({ strategy: id, product, budget }));
    const shared = { ...options, books, log, state };
    this.monitor = new RiskMonitor({
      ...shared,
      watched: new Set(options.lanes.map(({ product }) => product)),
      capitals,
      account: options.opening,
      onRunaway: (strategy, why) => this.switch.disable(strategy, { reason: 'RUNAWAY', who: 'kairos', why }),
    });
    const settled = { ...shared, monitor: this.monitor, exits: new ExitBounds(books), onOutcome };
    this.placer = new OrderPlacer({ ...settled, broker, refusals, clockState, feeIn, onExitWaits: exitWaitTold(options.notice) });
    this.reports = new ExecutionReports(settled);
    this.remote = new RemoteActs({ ...options, log });
    this.commands = new Commands({
      log,
      state,
      monitor: this.monitor,
      notice: options.notice,
      latch,
      lanes: options.lanes,
      tryManualOrder: (lane, reason) => this.execution.tryManualOrder(lane, reason),
      manual: (asked) => this.manual.perform(asked),
      booked: (entries) => this.money.booked(entries),
      remote: (command) => this.remote.perform(command),
      resolve: ({ order, ...word }) => this.reports.resolve(orderId(order), word),
      enable: (strategy) => this.switch.enable(strategy),
      disable: (strategy, by) => this.switch.disable(strategy, by),
      stop: () => this.stop(),
    });
    this.actions = new ScheduledActions({ ...options, log, state, manual: (asked, reason) => this.manual.perform(asked, reason) });
    this.openings = new OpeningBalances({ log: this.log, account: options.opening, capitals, defaultBudget: options.defaultBudget });
    this.market = watchedMarket(options, this.log);
    for (const lane of options.lanes) this.byLane.set(lane.id, lane);
    this.scheduler = new EngineScheduler({ onNextDueChanged: options.onNextDue });
    const after = (delayMs: number, work: () => void) => {
      const timer = this.scheduler.schedule(() => work(), delayMs);
      return () => timer.unsubscribe();
    };
    this.financing = new Financing({ ...options, log, books, monitor: this.monitor, after });
    const { placer, market, products, scheduler } = this;
    const parts = { lanes: this.byLane, products, market, books, placer, log, refusals, scheduler };
    this.execution = new StrategyExecution({
      ...options,
      ...parts,
      isDisabled: (id) => this.host.isDisabled(id),
      reserve: options.reserve ?? null,
      onOutcome,
      onAttempt: (plan, attempt, quote) => this.manual.attempted(plan, attempt, quote),
    });
    this.manual = new ManualOrders({ ...settled, market, products, execution: this.execution, after });
    this.views = new Views({
      ...parts,
      canShort: options.canShort,
      budgetOf: (strategy, currency) => this.execution.budgetOf(strategy, currency),
      now: () => this.scheduler.now(),
    });
    this.host = new StrategyHost({
      instances: strategies,
      scheduler: this.scheduler,
      busy: (instance) => this.execution.isBusy(instance),
      viewOf: (instance, random) => this.views.of(instance, random),
      emit: (result) => this.onResult(result),
      cronNext: options.cronNext,
      ...(options.onInside && { onInside: options.onInside }),
    });
    this.switch = new StrategySwitch({ ...options, log, lanes: this.byLane, products: this.products, host: this.host });
    const { monitor, openings, execution, manual, host } = this;
    this.states = new StrategyStates({ ...options, ...parts, state, clockState, monitor, execution, host });
    this.silences = new Silences({ ...options, states: this.states, log });
    this.money = new MoneyIn({ log, monitor, host, notice: options.notice });
    this.quotes = new QuotePath({ lanes: options.lanes, market, openings, monitor, manual, execution, host, isUnheard: options.isUnheard });
  }

  /** Handles one event to its end. Timers due at or before it fire first, each at its own due time. */
  handle({ n, at, event }: Numbered): void {
    this.log.enter(n, at);
    this.clockState.poll();
    this.host.runTimers(at);
    this.dispatch(event, at);
    this.manual.poll();
    this.actions.passOnHalt(event.kind);
    this.silences.poll(at);
  }

  private dispatch(event: InboxEvent, at: number): void {
    switch (event.kind) {
      case 'start':
        return this.start(event.facts);
      case 'products':
        return this.onProducts(event.products);
      case 'warmup':
        return feedWarmUp(event.feed, { host: this.host, log: this.log, notice: this.options.notice });
      case 'lane':
        this.market.change(event.change, at);
        this.execution.laneChanged(event.change);
        if (event.change.phase === 'disabled') this.options.notice('error', laneSetAside(event.change));
        return;
      case 'quote':
        return this.quotes.take(event.quote, at);
      case 'shown':
        return this.stopping ? undefined : this.host.deliverInput(event.source, event.shown);
      case 'answer':
        return this.reports.report(orderId(event.orderId), event.report);
      case 'action':
        return void (this.remote.answered(event.answer) || this.actions.answered(event.answer));
      case 'notification':
        return this.money.notified(event.notified);
      case 'command':
        return this.commands.perform(event.command);
      case 'due':
        return this.actions.due(event.line);
      case 'condition':
        return takeCondition(event, { state: this.state, clockState: this.clockState, escalateHalt: this.options.escalateHalt });
      case 'clock':
        return this.clockState.clock(event);
      case 'end':
        return this.host.dataEnded();
      case 'wake':
        return;
      default:
        return never(event);
    }
  }

  /** Latches a halt because of an error that nobody handled, journal or not. */
  fault(error: unknown): void {
    this.state.fault(error);
  }

  /** Orders whose outcome is still open. */
  get openOrders(): number {
    return [...this.books.openOrders()].filter((order) => order.state !== 'unknown').length;
  }

  /** The values that a strategy has named, as they stand. */
  observed(strategy: StrategyId): Signals {
    return this.host.observed(strategy);
  }

  /** What came of the last order that a halt drill tried. */
  get drillOrder(): ChildOrderResult | undefined {
    return this.commands.drillOrder;
  }

  /** What a person asked for and what has come of it, by its id; the last one without. */
  manualTask(id?: string): ManualTask | undefined {
    return this.manual.task(id);
  }

  /** True while a position or an order on its way rests on the lane, so that it must be connected before others. */
  restsOn(lane: LaneId): boolean {
    return this.execution.restsOn(lane);
  }

  get isHalted(): boolean {
    return this.state.isHalted;
  }

  /** What it is doing, for people and monitors. */
  snapshot(now: number): Snapshot {
    return this.inspect((parts) => snapshotOf({ now, ...parts }));
  }

  /** Shows its parts to someone who changes nothing. */
  inspect<Seen>(read: (parts: EngineParts) => Seen): Seen {
    const { market, books, host, state, clockState, monitor, manual, remote, execution, states, silences } = this;
    const { strategies } = this.options;
    return read({ market, books, host, state, clockState, monitor, manual, remote, execution, states, silences, strategies });
  }

  private start(facts: StartFacts): void {
    const { log, openings, state, placer, financing, reports, remote, execution, manual, host } = this;
    const money = { openings, financing, reports };
    restoreRun(facts, { ...this.options, ...money, log, state, placer, remote, execution, manual, host, switch: this.switch });
    this.actions.start(facts.schedule ?? [], facts.unanswered ?? []);
    this.silences.start(log.now);
  }

  private stop(): void {
    this.stopping = true;
    this.silences.stop();
    this.quotes.stop();
    this.refusals.endAll();
    this.execution.stop();
  }

  private onProducts(products: readonly ProductText[]): void {
    this.switch.take(products.map(productOf));
    this.views.productsChanged();
    this.market.products([...this.products.values()]);
    this.manual.resume();
  }

  private onResult(result: HostResult): void {
    if (result.kind === 'intents') {
      if (this.products.has(result.instance.product) && !this.stopping) this.execution.begin(result);
    } else journalResult(result, { log: this.log, refusals: this.refusals, notice: this.options.notice });
  }

  private outcome(strategy: StrategyId, outcome: Outcome, why?: string): void {
    this.views.outcome(strategy, outcome);
    this.tell(strategy, outcome, why);
    if (outcome.state === 'rejected') this.tellTooMuch(strategy, outcome, { held: this.books.largestOf(strategy).toNumber(), why });
    this.execution.settled(strategy, outcome);
    this.manual.heard(outcome);
    this.host.outcome(strategy, outcome);
  }
}
