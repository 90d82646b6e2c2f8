import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { RepeatedRefusals } from '#core/decisions/repeated-refusals.ts';
import type { AtWork } from '#core/execution/at-work.ts';
import { Exits } from '#core/execution/exits.ts';
import { LanePool, type LanePoolOptions } from '#core/execution/lane-pool.ts';
import { MANUAL_BOOK, MANUAL_TAG } from '#core/execution/manual-order.ts';
import type { ChildOrderResult, OrderPlacer } from '#core/execution/order-placer.ts';
import { ParentOrders } from '#core/execution/parent-orders.ts';
import type { Leg, Plan } from '#core/execution/plan.ts';
import { canBeOrdered, leastOrder } from '#core/execution/sizing.ts';
import type { Market } from '#core/market/market.ts';
import type { Books } from '#core/portfolio/books.ts';
import { TradingHours } from '#core/schedule/windows.ts';
import type { HostResult, StrategyInstance } from '#core/strategy/host.ts';
import { type Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import type { StartFacts } from '#domain/event.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount, Lane, LaneChange } from '#domain/lane.ts';
import { type LaneId, orderId as orderIdOf, type ProductCode, type StrategyId } from '#domain/names.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { Notice } from '#ports/notice.ts';
import type { EngineStrategy } from './engine-options.ts';
import { LANE_DOWN_MS, lendingFrom, standIn } from './lent-lanes.ts';
import type { EngineScheduler } from './scheduler.ts';
import { isSpent, timedIntent } from './timed-intent.ts';

interface StrategyExecutionOptions {
  readonly strategies: readonly EngineStrategy[];
  readonly lanes: ReadonlyMap<LaneId, Lane>;
  readonly products: ReadonlyMap<ProductCode, Product>;
  readonly market: Market;
  readonly books: Books;
  readonly placer: OrderPlacer;
  readonly log: DecisionLog;
  readonly refusals: RepeatedRefusals;
  readonly scheduler: EngineScheduler;
  readonly canShort: ReadonlySet<ProductCode>;
  /** Opening capital where a strategy names none, in its product's quote currency. */
  readonly defaultBudget: Decimal;
  /** Lanes that may be lent; null: none. */
  readonly reserve: LanePoolOptions | null;
  readonly notice: Notice;
  readonly isDisabled: (strategy: StrategyId) => boolean;
  readonly onOutcome: (strategy: StrategyId, outcome: Outcome) => void;
  /** Told what each attempt of a plan at work came to. */
  readonly onAttempt: (plan: Plan, attempt: ChildOrderResult, quote: Quote) => void;
}

/** Leads what strategies decide to the order placer: the lane and book of each intent, and the quotes on which it is worked. */
export class StrategyExecution {
  private readonly options: StrategyExecutionOptions;
  private readonly parentOrders: ParentOrders;
  private readonly byId: ReadonlyMap<StrategyId, EngineStrategy>;
  private readonly exitRules: Exits;
  private readonly reserve: LanePool | null;
  /** When strategies with windows may open positions. */
  readonly hours: ReadonlyMap<StrategyId, TradingHours>;
  /** Strategies with exits, by the lane on whose quotes they are watched. */
  private readonly watched = new Map<LaneId, EngineStrategy[]>();
  /** Who trades on each lane, in which product. */
  private readonly traders = new Map<LaneId, { readonly id: StrategyId; readonly product: ProductCode }[]>();

  constructor(options: StrategyExecutionOptions) {
    this.options = options;
    const { log, refusals, market, books, scheduler, onOutcome } = options;
    this.byId = new Map(options.strategies.map((strategy) => [strategy.id, strategy]));
    this.hours = new Map(options.strategies.flatMap(({ id, windows }) => (windows ? [[id, new TradingHours(windows)] as const] : [])));
    const watched = options.strategies.flatMap(({ id, product, exits }) => (exits ? [{ strategy: id, product, rules: exits }] : []));
    this.exitRules = new Exits({ watched, log, bookOf: (strategy, product) => books.book(strategy, product) });
    for (const strategy of options.strategies) {
      const traded = Object.values(strategy.inputs ?? {}).filter(({ kind }) => kind === 'lane');
      for (const { source, product } of [{ source: strategy.lane, product: strategy.product }, ...traded]) {
        this.traders.set(source, [...(this.traders.get(source) ?? []), { id: strategy.id, product }]);
      }
      if (strategy.exits) this.watched.set(strategy.lane, [...(this.watched.get(strategy.lane) ?? []), strategy]);
    }
    this.reserve = options.reserve && new LanePool(lendingFrom(options.reserve, market));
    this.parentOrders = new ParentOrders({
      reserve: this.reserve,
      log,
      refusals,
      latest: (lane) => market.latest(lane),
      isSpent: (lane) => isSpent(lane, options),
      attempt: (plan, leg, quote) => {
        const attempt = this.attempt(plan, leg, quote);
        options.onAttempt(plan, attempt, quote);
        return attempt;
      },
      isClosingInFlight: (strategy, { product, intent }) =>
        books.openOf(strategy, product).some((order) => order.side === intent.side && order.state !== 'unknown'),
      standIn: (strategy, leg) => standIn(options, strategy, leg),
      onTrouble: (strategy, why) => options.notice('error', `${strategy}: the position could not be closed: ${why}`),
      held: (strategy, product) => books.book(strategy, product).size,
      after: (delayMs, work) => {
        const timer = scheduler.schedule(() => work(), delayMs);
        return () => timer.unsubscribe();
      },
      onOutcome,
    });
  }

  /** Begins to work what a strategy decided, on the present quotes. */
  begin({ instance, intents, signals }: Extract<HostResult, { kind: 'intents' }>): void {
    const legs = intents.map((intent, index): Leg => {
      const input = intent.on === null ? undefined : instance.inputs?.[intent.on];
      const lane = input?.source ?? instance.lane;
      return { intent: index === 0 ? timedIntent(intent, lane, this.options) : intent, lane, product: input?.product ?? instance.product };
    });
    const onLegFailure = instance.definition.onLegFailure ?? 'keep';
    this.parentOrders.begin({ strategy: instance.id, legs, signals, onLegFailure });
  }

  /** Takes over what earlier runs have learned, exits that were due, peaks and what was at work, once books are as they were. */
  restore({ exits, peaks, works, learned }: Pick<StartFacts, 'exits' | 'peaks' | 'works' | 'learned'>): void {
    this.options.market.restore(learned);
    this.exitRules.restore(exits);
    this.exitRules.restorePeaks(peaks);
    this.parentOrders.restore(works, ({ lane }) => this.options.lanes.has(lane));
  }

  /** The run ends: what a restart needs is kept. */
  stop(): void {
    this.exitRules.stop();
  }

  /** Strategies with exits that are watched on a lane. */
  watchedOn(lane: LaneId): readonly EngineStrategy[] {
    return this.watched.get(lane) ?? [];
  }

  /** What the feed says of a lane: exits do not wait long for one that is down. */
  laneChanged({ lane, phase }: LaneChange): void {
    if (phase === 'opening' || phase === 'acked') return;
    this.options.scheduler.schedule(() => this.parentOrders.onLaneDown(lane), LANE_DOWN_MS);
  }

  /** A lane has a new quote: exits of those `watched` there come before its strategies, also those of disabled and paused ones. */
  exits(quote: Quote, watched: readonly EngineStrategy[]): void {
    for (const { id, lane, product } of watched) {
      const limits = this.options.products.get(product);
      const intent = limits && this.exitRules.check(id, quote, limits);
      if (!intent || this.parentOrders.isClosing(id)) continue;
      this.parentOrders.close({ strategy: id, legs: [{ intent, lane, product }], signals: {}, onLegFailure: 'keep' });
    }
    this.parentOrders.onExitQuote(quote.lane);
  }

  /** A lane has a new quote, which its strategies have seen already. */
  onQuote(lane: LaneId): void {
    this.parentOrders.onQuote(lane);
  }

  /** What became of an order, before its strategy hears of it. */
  settled(strategy: StrategyId, { orderId, state, price }: Outcome): void {
    if (orderId === undefined || state === 'refused' || state === 'lapsed') return;
    if (state === 'accepted') this.nameDust(strategy, price ?? 0);
    this.parentOrders.settled(orderIdOf(orderId), state);
  }

  /** Says which part of a position no order can close, as soon as it is there. */
  private nameDust(strategy: StrategyId, price: number): void {
    const { books, products, log } = this.options;
    const code = this.byId.get(strategy)?.product;
    const product = code === undefined ? undefined : products.get(code);
    if (!product) return;
    const held = books.book(strategy, product.code).size;
    if (held.isZero()) return;
    const closable = floorToStep(held, product.sizeIncrement);
    const dust = canBeOrdered(closable, product, { price }) ? held.minus(closable) : held;
    if (dust.isZero()) return;
    const least = leastOrder(product, price);
    const detail = { held: held.toString(), dust: dust.toString(), least: least.toString() };
    log.defer(log.make('dust', detail, { strategy, product: product.code, reason: 'DUST' }));
  }

  /** True while no decision of the instance is wanted: an order of it is on its way, or its position is being closed. */
  isBusy(instance: StrategyInstance): boolean {
    const { books } = this.options;
    if (books.inFlight(instance.id, instance.product) || this.parentOrders.isClosing(instance.id)) return true;
    const { inputs } = instance;
    return inputs !== undefined && books.hasOpen && Object.values(inputs).some(({ product }) => books.inFlight(instance.id, product));
  }

  /** Begins to close a position and does not stop before it is closed. */
  close(plan: Plan): void {
    this.parentOrders.close(plan);
  }

  /** The plan by which a person closes that share of what the strategy holds of a product, where one is at work. */
  manualClosing(strategy: StrategyId, product: ProductCode, pct: number): Plan | undefined {
    return this.parentOrders.closingOf(strategy, ({ product: its, intent: { tag, size } }) => {
      return its === product && tag === MANUAL_TAG && (size.kind === 'percent' ? size.percent : 100) === pct;
    });
  }

  /** True while a position of the strategy is being closed, whatever it says. */
  isClosing(strategy: StrategyId): boolean {
    return this.parentOrders.isClosing(strategy);
  }

  /** Plans that wait for quotes or answers. */
  atWork(): readonly AtWork[] {
    return this.parentOrders.atWork();
  }

  /** A lane of exactly that amount for a person's order; undefined while every one is lent. */
  acquireLane(product: ProductCode, amount: Amount): Lane | undefined {
    return this.reserve?.acquire(product, amount, String(this.options.log.inboxSeq));
  }

  releaseLane(lane: LaneId): void {
    this.reserve?.release(lane);
  }

  /** How long a lent lane may take to bring a quote. */
  get reserveWaitMs(): number {
    return this.reserve?.waitMs ?? 0;
  }

  /** True while a strategy that trades on the lane holds something in its product there, or has an order on its way. */
  restsOn(lane: LaneId): boolean {
    const { books } = this.options;
    return (this.traders.get(lane) ?? []).some(
      ({ id, product }) => !books.book(id, product).size.isZero() || books.openOf(id, product).length > 0,
    );
  }

  /** Tries one purchase of the lane's own amount for the book of people, on the present quote, through all checks. */
  tryManualOrder(lane: Lane, reason: string): ChildOrderResult {
    const quote = this.options.market.latest(lane.id);
    if (!quote) return { kind: 'nothing' };
    const intent: Intent = {
      kind: 'intent',
      side: 'buy',
      size: { kind: 'amount', amount: lane.amount },
      reason,
      tag: null,
      limit: null,
      within: null,
      on: null,
    };
    const leg: Leg = { intent, lane: lane.id, product: lane.product };
    return this.attempt({ strategy: MANUAL_BOOK, legs: [leg], signals: {}, onLegFailure: 'keep' }, leg, quote);
  }

  /** Opening capital of a strategy in a currency. */
  budgetOf(id: StrategyId, currency: string): Decimal {
    const named = this.byId.get(id)?.budget;
    return named ? (named.get(currency) ?? decimalOf(0)) : this.options.defaultBudget;
  }

  /** What a strategy may still spend of a currency in a product. */
  budgetLeft(id: StrategyId, product: ProductCode, currency: string): Decimal {
    return this.budgetWith(id, product, currency).plus(this.options.books.book(id, product).cash);
  }

  /** The budget with what the strategy earned less spent in its other products of that currency: one covers them all. */
  private budgetWith(id: StrategyId, product: ProductCode, currency: string): Decimal {
    const strategy = this.byId.get(id);
    const { market, books } = this.options;
    let sum = this.budgetOf(id, currency);
    if (!strategy?.inputs) return sum;
    const others = new Map([[strategy.product, strategy.lane]]);
    for (const input of Object.values(strategy.inputs)) if (input.kind === 'lane') others.set(input.product, input.source);
    others.delete(product);
    for (const [other, lane] of others) if (market.latest(lane)?.quoteCcy === currency) sum = sum.plus(books.book(id, other).cash);
    return sum;
  }

  /** Sizes, checks and sends one leg on a quote. */
  attempt(plan: Plan, leg: Leg, quote: Quote): ChildOrderResult {
    const { products, lanes, market, placer, log, canShort, isDisabled } = this.options;
    const product = products.get(leg.product);
    const lane = lanes.get(quote.lane) ?? this.reserve?.lane(quote.lane);
    if (!product || !lane) return { kind: 'nothing' };
    return placer.place({
      strategy: plan.strategy,
      intent: leg.intent,
      signals: plan.signals,
      quote,
      laneAmount: lane.amount,
      product,
      untradable: market.untradable(lane.id, log.now),
      quarantined: market.isQuarantined(leg.product),
      disabled: isDisabled(plan.strategy),
      closed: this.hours.get(plan.strategy)?.closedAt(log.now) ?? null,
      budget: this.budgetWith(plan.strategy, leg.product, quote.quoteCcy),
      canShort: canShort.has(leg.product),
      work: leg.work,
    });
  }
}
