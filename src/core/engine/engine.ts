import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import { LANE_DOWN_MS } from '#core/execution/lent-lanes.ts';
import type { SignalValues, StrategyHost } from '#core/strategy/host.ts';
import { durationText } from '#domain/duration-text.ts';
import { never } from '#domain/errors.ts';
import type { InboxEvent, NumberedEvent, ProductText, StartFacts, WarmUpFeed } from '#domain/event.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import { type Lane, type LaneChange, laneSetAside } from '#domain/lane.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import { isBacktest } from '#domain/mode.ts';
import { isoTime, type LaneId, type Millis, orderId, type StrategyId } from '#domain/names.ts';
import { type PastSignal, sourceName } from '#domain/outside-signal.ts';
import { productOf } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import { type BuiltParts, buildParts } from './build-parts.ts';
import { Commands } from './commands.ts';
import { type EngineContext, engineContext } from './engine-context.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EngineParts } from './engine-parts.ts';
import { QuietQuotes, type QuietStages } from './quiet-quotes.ts';
import { restoreRun } from './restore-run.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import type { StandingLane } from './standing-lane.ts';

/**
 * The engine: one event in, everything that follows from it out, and nothing else decides. It knows no mode: clock,
 * feed, broker and journal are what live, paper and replay supply.
 */
export class Engine {
  private readonly context: EngineContext;
  private readonly parts: BuiltParts;
  private readonly inspected: EngineParts;
  readonly quotes: QuotePath;
  private readonly commands: Commands;
  private readonly handlers: EventHandlers;
  /** The answer to an order that is being handled. */
  private inHand: EventOf<'answer'> | undefined;

  constructor(options: EngineOptions) {
    this.context = engineContext(options);
    this.parts = buildParts(this.context);
    this.inspected = { ...this.context, ...this.parts };
    this.quotes = new QuotePath(this.context, this.parts);
    this.commands = new Commands(this.context, this.parts, () => this.stop());
    this.handlers = this.eventHandlers();
  }

  /** Handles one event to its end. Timers due at or before it fire first, each at its own due time. */
  handle({ n, at, event }: NumberedEvent): void {
    const { log, clockState, state } = this.context;
    const { host, manual, actions, silences } = this.parts;
    log.inboxSeq = n;
    log.now = at;
    if (event.kind === 'answer') this.inHand = event;
    if (at > clockState.standsUntil) clockState.poll();
    host.runTimers(at);
    if (event.kind === 'quote') this.quotes.process(event.quote, at);
    else handleWith(this.handlers, event, at);
    this.inHand = undefined;
    if (manual.tasks.open.length > 0) manual.poll();
    if ((state.halted !== null) !== actions.wasHalted) actions.passOnHalt(event);
    if (at >= silences.nextLook) silences.poll(at);
  }

  private eventHandlers(): EventHandlers {
    const { context, parts, quotes, commands } = this;
    const { host, reports, remote, actions, money } = parts;
    return {
      start: ({ facts }) => this.start(facts),
      products: ({ products }) => this.takeProducts(products),
      warmup: ({ feed }) => feedWarmUp(feed, context, host),
      lane: ({ change }, at) => this.changeLane(change, at),
      shown: ({ source, shown }) => quotes.takeShown(source, shown),
      signal: ({ source, signal }, at) => takeSignal({ at, source, signal }, context, host),
      answer: ({ orderId: id, report }) => reports.report(orderId(id), report),
      action: ({ answer }) => void (remote.answered(answer) || actions.answered(answer)),
      notification: ({ notified }) => money.notified(notified),
      command: ({ command }) => commands.perform(command),
      due: ({ line }) => actions.due(line),
      condition: (event) => takeCondition(event, context),
      clock: (reading) => context.clockState.clock(reading),
      hole: () => host.start(),
      end: () => host.dataEnded(),
      wake() {},
    };
  }

  /**
   * Latches a halt because of an error that nobody handled, journal or not; false where its row is not durable. The answer that the error
   * kept from being booked is booked behind it; one that is booked already changes nothing.
   */
  fault(error: unknown): boolean {
    const { inHand } = this;
    const { log, state } = this.context;
    this.inHand = undefined;
    try {
      return state.fault(error);
    } finally {
      if (inHand) handleWith(this.handlers, inHand, log.now);
    }
  }

  /** Orders whose outcome is still open. */
  get openOrders(): number {
    return [...this.context.books.openOrders()].filter((order) => order.state !== 'unknown').length;
  }

  /** What an end of the run would cut off or leave open, in words; undefined at a quiet moment. */
  get underWay(): string | undefined {
    const { actions, manual, parentOrders, remote } = this.parts;
    const [order] = this.context.books.openOrders();
    if (order) return `order ${order.id} is ${order.state}`;
    const [work] = parentOrders.atWork();
    if (work) return `${work.strategy} is to ${work.wants}`;
    const isAsking = actions.isAsking || remote.isAsking || manual.tasks.open.length > 0;
    return isAsking ? 'an action has no answer yet' : undefined;
  }

  /** The values that a strategy has named, as they stand. */
  observed(strategy: StrategyId): SignalValues {
    return this.parts.host.observed(strategy);
  }

  /** Result of the last order that a halt drill tried. */
  get drillOrder(): ChildOrderResult | undefined {
    return this.commands.drillOrder;
  }

  /** What a person asked for and what has come of it, by its id; the last one without. */
  manualTask(id?: string): ManualTask | undefined {
    return this.parts.manual.task(id);
  }

  /** The id of the action of the schedule line that a person ran last. */
  get lastLineRun(): string | undefined {
    return this.parts.actions.lastOfPerson;
  }

  /** What a person asked of the service's own strategies. */
  get remote(): BuiltParts['remote'] {
    return this.parts.remote;
  }

  /** True while a position or an order on its way rests on the lane, so that it must be connected before others. */
  restsOn(lane: LaneId): boolean {
    return this.parts.positions.restsOn(lane);
  }

  get isHalted(): boolean {
    return this.context.state.isHalted;
  }

  /** Its present state, for people and monitors. */
  snapshot(now: Millis): Snapshot {
    return this.inspect((parts) => snapshotOf(parts, now));
  }

  /** Lets `read` inspect its parts; it must change nothing. */
  inspect<Seen>(read: (parts: EngineParts) => Seen): Seen {
    return read(this.inspected);
  }

  private start(facts: StartFacts): void {
    const { actions, silences } = this.parts;
    restoreRun(facts, this.context, this.parts);
    actions.start(facts.schedule, facts.unanswered);
    // Nobody waits at a backtest: what it played says when quotes were silent.
    if (!isBacktest(facts.mode)) silences.start(this.context.log.now);
  }

  private stop(): void {
    const { silences, results, exitWatch } = this.parts;
    silences.stop();
    this.quotes.stop();
    results.stop();
    this.context.refusals.endAll();
    exitWatch.stop();
  }

  private takeProducts(listed: readonly ProductText[]): void {
    const { market, products } = this.context;
    const { strategySwitch, views, manual } = this.parts;
    strategySwitch.applyProducts(listed.map(productOf));
    views.productsChanged();
    market.products([...products.values()]);
    manual.resume();
  }

  private changeLane(change: LaneChange, at: Millis): void {
    const { lane, phase } = change;
    const { market, notice, after } = this.context;
    market.change(change, at);
    // Exits do not wait long for a lane that is down.
    if (phase !== 'opening' && phase !== 'acked') after(LANE_DOWN_MS, () => this.parts.parentOrders.onQuote(lane, 'exit'));
    if (phase === 'disabled') notice('error', laneSetAside(change));
  }
}

/** Every event but quotes, which are nearly all events and go their own way. */
type OtherEvent = Exclude<InboxEvent, { kind: 'quote' }>;
type Kind = OtherEvent['kind'];

type EventOf<One extends Kind> = Extract<OtherEvent, { kind: One }>;

/** What is done with each kind of event: the compiler names a kind that is missing. `at` is engine time. */
type EventHandlers = { readonly [One in Kind]: (event: EventOf<One>, at: Millis) => void };

function handleWith<One extends Kind>(handlers: EventHandlers, event: EventOf<One>, at: Millis): void {
  const handle: (event: EventOf<One>, at: Millis) => void = handlers[event.kind];
  handle(event, at);
}

/** Applies what was measured outside: certificates, the token, the clock, and how late this machine is. */
function takeCondition({ name, on, figure }: EventOf<'condition'>, { state, clockState, escalateHalt }: EngineContext): void {
  switch (name) {
    case 'certificate':
      if (on) state.halt('CERTIFICATE', 'kairos', 'the service could not prove who it is');
      return;
    case 'token': {
      const why = `no valid bearer token for ${durationText(figure)}, so a halt could not pause the service's strategies`;
      // While a halt could not be passed on, no further risk is taken.
      if (on && escalateHalt) state.reduce('TOKEN_GONE', 'kairos', why);
      return;
    }
    case 'clock-step':
    case 'clock':
    case 'lag':
      return clockState.condition(name, on, figure);
    default:
      return never(name);
  }
}

/** A signal from outside: journaled first, so that what is ordered on it is committed with it, then given to the strategies. */
function takeSignal(past: PastSignal, { log, notice }: EngineContext, host: StrategyHost): void {
  const { id, madeAt, value } = past.signal;
  log.defer(log.make('signal', { source: sourceName(past.source), id, madeAt: madeAt === null ? null : isoTime(madeAt), value }));
  if (!host.deliverSignal(past)) {
    notice('warn', `${past.source}: signal ${id} was made before the last one, which decide goes on with; streams have both`);
  }
}

/** A gap in the warm-up data from which a person is told, in milliseconds. */
const TOLD_FROM_MS = 10_000;

/** Feeds the signals of strategies with recorded quotes, journals which quotes of which lanes these were, and tells who must wait for more. */
function feedWarmUp({ ranges, past }: WarmUpFeed, { log, market, notice, scheduler }: EngineContext, host: StrategyHost): void {
  host.warm(market.screened(past));
  for (const { lane, from, to, gapMs, ...rest } of ranges) {
    log.defer(log.make('warmed', { lane, from: isoTime(from), to: isoTime(to), gapMs, ...rest }));
    const gap = gapMs > TOLD_FROM_MS ? `, with a gap of ${durationText(gapMs)}` : '';
    notice(gap === '' ? 'info' : 'warn', `${lane}: signals warm up on ${rest.quotes} recorded quotes up to ${isoTime(to)}${gap}`);
  }
  for (const { instance, warmUp, disabled } of host.runners.byId.values()) {
    const left = disabled === undefined ? warmUp.left(scheduler.now()) : undefined;
    if (!left) continue;
    const { quotes, spanMs } = warmUp;
    const what = spanMs > 0 ? durationText(spanMs) : `${quotes} quotes`;
    const rest = spanMs > 0 ? durationText(left.ms ?? spanMs) : `${quotes - left.seen}`;
    notice('warn', `${instance.id}: what is recorded is not all of its warm-up: it waits for ${rest} of ${what}`);
  }
}

/** The stages of a quote, in this order. Before them the market accepts it, and opening balances and the risk monitor mark it. */
interface QuoteStages extends QuietStages {
  readonly host: StrategyHost;
}

/** The way of a quote through the engine: accept, mark, what people ordered, exits, strategies, what strategies ordered. */
export class QuotePath {
  private readonly context: EngineContext;
  private readonly stages: QuoteStages;
  /** The same path for many quotes at once. */
  readonly quiet: QuietQuotes;
  private readonly standing: ReadonlyMap<LaneId, StandingLane>;
  private stopped = false;

  constructor(context: EngineContext, stages: QuoteStages) {
    this.context = context;
    this.stages = stages;
    this.quiet = new QuietQuotes(context, stages);
    const standing = ({ id }: Lane): StandingLane => ({
      state: context.market.stateOf(id),
      monitored: {},
      watched: stages.exitWatch.watchedOn(id),
      audience: stages.host.audience(id),
    });
    this.standing = new Map(context.lanes.map((lane) => [lane.id, standing(lane)]));
  }

  /** The engine's state of a standing lane while quotes are handled; undefined once the run ends. */
  standingOf(lane: LaneId): StandingLane | undefined {
    return this.stopped ? undefined : this.standing.get(lane);
  }

  /** True once the run ends. */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** The run ends: quotes still become their lane's latest, and nothing acts on them. */
  stop(): void {
    this.stopped = true;
  }

  /** Handles a quote to its end. A quote that its lane refuses has no effect. */
  process(quote: Quote, at: Millis): void {
    const lane = this.standing.get(quote.lane);
    if (lane === undefined) return this.takeLent(quote, at);
    const { monitor, isUnheard } = this.context;
    const { openingBalances, exitWatch, host, parentOrders } = this.stages;
    const refused = lane.state?.accept(quote, at);
    // Exits do not wait for a lane that is set aside.
    if (refused !== null && lane.state?.quarantined && !this.stopped) parentOrders.onQuote(quote.lane, 'exit');
    if (refused !== null || this.stopped) return;
    if (openingBalances.waiting.length > 0) openingBalances.quoted(quote.product, quote.quoteCcy);
    monitor.quoted(quote, at, lane.monitored);
    parentOrders.onQuote(quote.lane, 'manual');
    if (lane.watched.length > 0) exitWatch.onQuote(quote, lane.watched);
    parentOrders.onQuote(quote.lane, 'exit');
    if (isUnheard?.(quote)) return;
    host.deliver(quote, lane.audience);
    parentOrders.onQuote(quote.lane, 'strategy');
  }

  /** Handles a quote of an input that is for display only. */
  takeShown(source: LaneId, shown: IndicativeQuote): void {
    if (!this.stopped) this.stages.host.deliverInput(source, shown);
  }

  /** Handles a quote of a lent lane, which serves one order and no measure of the market. */
  private takeLent(quote: Quote, at: Millis): void {
    const { openingBalances, parentOrders } = this.stages;
    if (this.context.market.accept(quote, at) !== null || this.stopped) return;
    openingBalances.quoted(quote.product, quote.quoteCcy);
    parentOrders.onQuote(quote.lane, 'manual');
    parentOrders.onQuote(quote.lane, 'exit');
    parentOrders.onQuote(quote.lane, 'strategy');
  }
}
