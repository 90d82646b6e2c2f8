import { MemoryJournal, NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import { startFacts } from '#assembly/start-facts.ts';
import { Engine } from '#core/engine/engine.ts';
import { Inbox } from '#core/engine/inbox.ts';
import type { LaneStatus } from '#core/market/lane-status.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Decision } from '#domain/decision.ts';
import type { Lane } from '#domain/lane.ts';
import { type LaneId, type Millis, runId, type StrategyId } from '#domain/names.ts';
import type { TimedQuote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { BacktestBroker } from '../replay/backtest-broker.ts';
import { latencyText } from '../replay/latency.ts';
import { type Offer, RecordedFeed } from '../replay/recorded-feed.ts';
import type { BacktestOptions } from './backtest-options.ts';
import { listenedTo } from './emissions.ts';
import { LimitedSteps } from './limited-steps.ts';
import { limitsHeld } from './limits-held.ts';
import { type PlayedOneByOne, QuietSpans } from './quiet-spans.ts';
import { startInputs, startSchedule, surroundings } from './surroundings.ts';

/** The book of backtests, which no other mode has. */
export const BACKTEST_BOOK = 'backtest';

/** How long orders in flight at the end are waited for, in milliseconds, as after a stop. */
const DRAIN_MS = 60_000;

/** Quotes that their lanes refused, such as crossed ones, by reason. */
export type RefusedQuotes = Readonly<Partial<Record<Reason, number>>>;

/** The result of a backtest: every decision, as a journal would have it. */
export interface BacktestRun {
  readonly run: string;
  readonly decisions: readonly Decision[];
  readonly startedAt: Millis;
  readonly endedAt: Millis;
  /** Recorded quotes that were played, each once. */
  readonly quotes: number;
  /** Quotes that lanes were given: a recorded one as often as there are amounts that it stands for. */
  readonly delivered: number;
  readonly refusedQuotes: RefusedQuotes;
  readonly halted: boolean;
  readonly latency: string;
  /** Events that were played one by one, and spans of them that were played at once. */
  readonly steps: number;
  /** How often quotes were looked at together, and how many in all. */
  readonly looks: { readonly times: number; readonly rows: number };
  /** Strategies for which most quotes were played one by one without a request for it. */
  readonly oneByOne: readonly PlayedOneByOne[];
  /** The newest quotes at the end, by which what is held is valued. */
  readonly lastQuotes: readonly TimedQuote[];
  /** The strategies at the end: their observed values, and how often they were asked to decide. */
  readonly engine: Pick<Engine, 'observed' | 'inspect'>;
}

/**
 * Plays recorded quotes through the engine that trades live, in virtual time: the same strategies, checks, order placer
 * and journal, with the venue's matching core in place of the service. Its result depends on its arguments only.
 */
export class Backtest {
  private readonly options: BacktestOptions;
  private readonly clock: VirtualClock;
  private readonly timers: VirtualTimers;
  /** Answers to orders, handled after the quotes of the same millisecond, as is most frequent live. */
  private readonly answers: VirtualTimers;
  private readonly journal = new MemoryJournal();
  private readonly feed: RecordedFeed;
  private readonly broker: BacktestBroker;
  private readonly inbox: Inbox;
  private readonly engine: Engine;
  private readonly lanes: readonly Lane[];
  private readonly startedAt: Millis;
  private inside: StrategyId | undefined;
  private played = 0;
  private readonly steps = new LimitedSteps(() => this.inside);

  constructor(options: BacktestOptions) {
    this.options = options;
    const { config, strategies, sources, latency, outcomes, own, notice } = options;
    const { settings } = config;
    this.startedAt = options.from;
    this.clock = new VirtualClock(this.startedAt);
    this.timers = new VirtualTimers(this.clock);
    this.answers = new VirtualTimers(this.clock);
    const latch = new HaltLatch();
    const serviceClock = { now: () => ({ ms: this.clock.now(), halfWidthMs: 0 }) };
    const gate = new RealTimeGate({ timers: this.timers, serviceClock, latch, marginMs: settings.trading.sendMarginMs });
    this.broker = new BacktestBroker({
      timers: this.answers,
      gate,
      latency,
      outcomes,
      ...(own && { own }),
      seed: settings.trading.seed,
      feeIn: settings.service.feeIn,
      answerMs: settings.service.answerMs,
      latest: ({ lane }) => this.named(lane),
    });
    this.inbox = new Inbox({
      clock: this.clock,
      log: { append() {}, conflated() {}, flush() {} },
      first: (options.recovered?.lastInboxSeq ?? 0) + 1,
      soon: () => {},
      handle: (event) => this.engine.handle(event),
    });
    this.feed = new RecordedFeed(sources, {
      quote: (quote) => this.inbox.play(quote),
      change: (change) => this.inbox.change(change),
    });
    const playing = () => ({ engine: this.engine, inboxSeq: this.inbox.handled });
    const rules = engineRules(settings, listenedTo(strategies, options.onEmission, playing));
    this.lanes = rules.lanes;
    this.engine = new Engine({
      notesAsks: false,
      ...rules,
      ...(options.freshnessOf && { freshnessOf: options.freshnessOf }),
      isUnheard: ({ lane }) => this.feed.latest(lane)?.isRange === true,
      alongside: () => this.feed.alongside(),
      limits: limitsHeld(rules.limits, settings.backtest.limits),
      // No person arms a backtest.
      arming: { ...rules.arming, arm: 'auto', crashHalt: null },
      journal: this.journal,
      broker: this.broker,
      latch,
      reserve: {
        size: settings.lanes.reserve,
        waitMs: settings.lanes.waitMs,
        acquire: (lane) => this.feed.acquire(lane, this.clock.now()),
        release: (lane) => this.feed.release(lane),
      },
      act: ({ actionId }) =>
        this.inbox.post({ kind: 'action', answer: { actionId, status: 'failed', httpStatus: null, response: 'a backtest asks nobody' } }),
      onNextDue: (at) => this.clock.wakeAt(at, () => this.wake()),
      onInside: (strategy) => {
        this.inside = strategy ?? this.inside;
      },
      notice,
    });
    this.broker.connect((orderId, report) => this.inbox.post({ kind: 'answer', orderId, report }));
  }

  /** Plays everything. Throws NOT_FOUND naming a lane whose product was not recorded. */
  play(): BacktestRun {
    const { options, feed } = this;
    const { onHalt } = options.config.settings.backtest;
    this.steps.once(() => this.begin());
    const { clock, timers, answers, inbox, engine } = this;
    const until = options.until ?? Number.POSITIVE_INFINITY;
    const spans = new QuietSpans({ clock, timers, answers, feed, inbox, engine, until });
    let told = 0;
    this.steps.all(() => {
      if (!this.goesOn || (onHalt === 'end' && engine.isHalted)) return false;
      this.played += 1;
      if (options.everyQuote || !spans.play()) this.step(feed.nextAt, options.until);
      if (feed.delivered - told >= 10_000) {
        told = feed.delivered;
        options.onQuotes?.(feed.played);
      }
      return true;
    });
    this.steps.once(() => this.end());
    return this.result(spans.looks, options.everyQuote ? [] : spans.oneByOne());
  }

  /** False once the last quote was played, or at the end of the compared run: quotes of that millisecond had come before it. */
  private get goesOn(): boolean {
    const { clock, feed } = this;
    const { until } = this.options;
    return until === undefined ? feed.nextAt !== Number.POSITIVE_INFINITY : clock.now() < until || feed.nextAt <= until;
  }

  /**
   * Plays the next event at its own time. Order within a millisecond: timers of strategies, other timers, a quote,
   * answers to orders. Time never passes a wake, since an order decided by a timer may arrive before anything else.
   */
  private step(quoteAt: Millis, latest = Number.POSITIVE_INFINITY): void {
    const { clock, timers, answers, feed, inbox } = this;
    const timerAt = timers.nextDue ?? Number.POSITIVE_INFINITY;
    const answerAt = answers.nextDue ?? Number.POSITIVE_INFINITY;
    const wakeAt = clock.nextWake ?? Number.POSITIVE_INFINITY;
    clock.moveTo(Math.max(clock.now(), Math.min(wakeAt, timerAt, quoteAt, answerAt, latest)));
    if (timerAt <= clock.now()) timers.runDue();
    else if (quoteAt <= clock.now()) feed.deliver();
    else answers.runDue();
    inbox.drain();
  }

  private begin(): void {
    const { config, run, strategies, products, flows, warmUps, recovered = NOTHING_BEFORE } = this.options;
    const { inbox, timers } = this;
    const facts = startFacts({ config, run: runId(run), book: BACKTEST_BOOK, strategies, recovered, stall: undefined });
    inbox.post({ kind: 'start', facts: { ...facts, mode: 'backtest' } });
    inbox.post({ kind: 'products', products });
    for (const feed of warmUps) inbox.post({ kind: 'warmup', feed });
    surroundings(this.options.conditions, { inbox, timers, feed: this.feed });
    inbox.drain();
    startSchedule(config.settings.schedule, timers, (line) => inbox.post({ kind: 'due', line }));
    for (const { at, entry } of flows) {
      if (at < this.startedAt) continue;
      timers.at(at, () =>
        inbox.post({ kind: 'command', command: { act: 'book', who: 'backtest', why: 'backtest.deposits', entries: [entry] } }),
      );
    }
    startInputs(this.options.inputs, this.startedAt, { inbox, timers });
    for (const { to } of this.options.holes ?? []) if (to >= this.startedAt) timers.at(to, () => inbox.post({ kind: 'hole' }));
    for (const lane of this.lanes) this.feed.open(lane);
  }

  /** Ends the data, stops as a person would and waits for orders in flight: of a compared run as it did, with the stop first. */
  private end(): void {
    const { inbox, engine, journal, options } = this;
    if (options.until === undefined) {
      this.drain();
      if (!engine.isHalted) this.endData();
    } else this.timers.clear();
    inbox.post({ kind: 'command', command: { act: 'stop', who: 'backtest', why: 'the recording ends' } });
    this.drain();
    journal.end();
  }

  private result(looks: BacktestRun['looks'], oneByOne: readonly PlayedOneByOne[]): BacktestRun {
    const { clock, engine, feed, journal, options } = this;
    return {
      run: options.run,
      decisions: journal.decisions,
      startedAt: this.startedAt,
      endedAt: clock.now(),
      quotes: feed.played,
      delivered: feed.delivered,
      steps: this.played,
      looks,
      refusedQuotes: engine.inspect(({ market }) => refusedQuotes(market.lanes())),
      halted: engine.isHalted,
      latency: latencyText(options.latency),
      oneByOne,
      lastQuotes: this.lanes.flatMap(({ id }) => feed.latest(id) ?? []),
      engine,
    };
  }

  /** Reports the end of the data to strategies, then closes their positions if configured. */
  private endData(): void {
    const { inbox, engine, options } = this;
    inbox.post({ kind: 'end' });
    this.drain();
    if (options.config.settings.backtest.atEnd === 'keep') return;
    const held = engine.inspect(({ books }) => [...books.positions()].filter(({ size }) => !size.isZero()));
    for (const { strategy, product } of held) {
      inbox.post({ kind: 'command', command: { act: 'close', strategy, product, pct: 100, who: 'backtest', why: 'the data ends' } });
    }
    this.drain();
  }

  /** Waits for orders in flight. Only acquired lanes still get quotes. */
  private drain(): void {
    const { clock, timers, answers, broker, feed, inbox, engine } = this;
    inbox.drain();
    const latest = clock.now() + DRAIN_MS;
    for (;;) {
      const quoteAt = feed.nextAt <= clock.now() && !engine.isHalted ? feed.nextAt : Number.POSITIVE_INFINITY;
      const due = Math.min(timers.nextDue ?? latest, answers.nextDue ?? latest, clock.nextWake ?? latest, quoteAt);
      if (due >= latest || (broker.open === 0 && quoteAt > clock.now())) return;
      this.step(quoteAt);
    }
  }

  /** The quote for an order on a lane: the newest that the engine has accepted. */
  private named(lane: LaneId): Offer | undefined {
    const quote = this.engine.inspect(({ market }) => market.latest(lane));
    const delivered = this.feed.latest(lane);
    return quote && delivered && { quote, provenance: delivered.provenance };
  }

  private wake(): void {
    this.inbox.post({ kind: 'wake' });
    this.inbox.drain();
  }
}

function refusedQuotes(lanes: Iterable<LaneStatus>): RefusedQuotes {
  const sums = new Map<string, number>();
  for (const { counters } of lanes)
    for (const [reason, count] of Object.entries(counters.refused)) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return Object.fromEntries(sums);
}
