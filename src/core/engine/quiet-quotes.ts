import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { OpeningBalances } from '#core/portfolio/ledger.ts';
import type { ClockReading } from '#core/risk/clock-state.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { QuietSignals } from '#core/strategy/quiet-signals.ts';
import type { StrategyRunner } from '#core/strategy/strategy-runner.ts';
import { firstAt } from '#domain/columns-memory.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, Rows } from '#domain/quote-columns.ts';
import type { EngineContext } from './engine-context.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { ClockReadings, Silences, SilentSpan } from './silences.ts';
import type { StandingLane } from './standing-lane.ts';
import type { StrategyPositions } from './strategy-positions.ts';
import type { StrategyStates } from './strategy-states.ts';
import type { Views } from './views.ts';

/** The stages of a quote, in this order. Before them the market accepts it, and opening balances and the risk monitor mark it. */
export interface QuietStages {
  readonly openingBalances: OpeningBalances;
  readonly manual: ManualOrders;
  readonly exitWatch: ExitWatch;
  readonly host: StrategyHost;
  readonly parentOrders: ParentOrders;
  readonly positions: StrategyPositions;
  readonly states: StrategyStates;
  readonly silences: Silences;
  readonly views: Views;
}

/** Recorded quotes of one lane that come next, with nothing between them. */
interface QuoteSpan {
  readonly columns: QuoteColumns;
  readonly rows: Rows;
  /** The quote of a row as it will be delivered. */
  readonly quoteOf: (row: number) => Quote;
  /** When the service's clock is looked at, again and again; undefined where it is not. */
  readonly readings: ClockReadings | undefined;
}

/** What happened within a span. */
interface PassedSpan {
  /** The quote of its last row, and its time. */
  readonly last: { readonly quote: Quote; readonly at: Millis };
  /** When the service's clock was looked at last meanwhile; undefined where it was not. What each look has found. */
  readonly read: Millis | undefined;
  readonly reading: ClockReading;
  /** Number of its last event. */
  readonly n: number;
}

/**
 * Many quotes at once that nobody acts on: each part on a quote's way names the first row at which it may act, and takes the
 * rows before it as if they had come one by one.
 */
export class QuietQuotes {
  private readonly context: EngineContext;
  private readonly stages: QuietStages;
  private readonly signals = new Map<StrategyRunner, QuietSignals>();

  constructor(context: EngineContext, stages: QuietStages) {
    this.context = context;
    this.stages = stages;
  }

  /** False where something waits for the next quote, whatever it is. */
  isIdle(lane: StandingLane): boolean {
    const { openingBalances, manual, parentOrders } = this.stages;
    return !openingBalances.waits && manual.isIdle && parentOrders.atWork().length === 0 && lane.audience.fed.length === 0;
  }

  /** The first row at which the engine may do more than take the quote; the end of the span where it never does. It is idle; `pass` or `leave` must follow. */
  lookAhead(lane: StandingLane, span: QuoteSpan): number {
    const { columns, rows } = span;
    const [from] = rows;
    const { exitWatch, views } = this.stages;
    let end = this.timely(span, lane.state?.lookAhead(columns, rows) ?? from);
    if (end > from) end = this.free(lane, span, end);
    if (end > from) end = this.context.monitor.quiet.lookAhead(lane.monitored, columns, [from, end]);
    if (end > from) end = exitWatch.lookAhead(lane.watched, columns, [from, end]);
    for (const runner of lane.audience.runners) {
      if (end === from) return from;
      const view = views.rowsOf(runner.instance, { columns, quoteOf: span.quoteOf, state: () => runner.state?.value });
      end = this.signalsOf(runner).lookAhead(columns, [from, end], view);
    }
    return end;
  }

  /** Takes the rows that `lookAhead` let pass. */
  pass(lane: StandingLane, { columns, rows, readings }: QuoteSpan, { last, read, reading, n }: PassedSpan): void {
    const { log, clockState, monitor } = this.context;
    const { host, silences } = this.stages;
    if (read !== undefined) {
      log.enter(n, read);
      clockState.clock(reading);
    }
    log.enter(n, last.at);
    host.runTimers(last.at);
    silences.pass(this.silent(lane, { columns, rows, readings }));
    lane.state?.pass(columns, rows, last);
    monitor.quiet.pass(lane.monitored, { columns, span: rows, last });
    for (const runner of lane.audience.runners) this.signalsOf(runner).settle(rows, last.at);
  }

  /** True where looks at the service's clock find what was told already: that the lane pauses. The engine is idle. */
  isPaused(lane: StandingLane): boolean {
    const { log, market, clockState } = this.context;
    const of = lane.state?.lane.id;
    if (of === undefined || market.untradable(of, log.now) !== 'LANE_STALE' || !Number.isFinite(clockState.knownUntil)) return false;
    return this.stages.silences.isTold(this.waiting());
  }

  /** Takes looks at the clock up to the last of them, which is the `n`th event. `isPaused` held. */
  passReadings(
    readings: ClockReadings,
    { last, reading, n }: { readonly last: Millis; readonly reading: ClockReading; readonly n: number },
  ): void {
    const { log, clockState } = this.context;
    const { host, silences } = this.stages;
    log.enter(n, last);
    host.runTimers(last);
    clockState.clock(reading);
    silences.passTold(readings, last);
  }

  /** Discards what `lookAhead` found. */
  leave(lane: StandingLane, { rows: [from] }: QuoteSpan): void {
    for (const runner of lane.audience.runners) this.signalsOf(runner).settle([from, from], this.context.log.now);
  }

  /** Why a strategy must take quotes one by one, in words; undefined if it need not. */
  oneByOne(): ReadonlyMap<StrategyId, string | undefined> {
    const reasons = [...this.stages.host.runners.all()].map((runner): readonly [StrategyId, string | undefined] => {
      const { instance } = runner;
      const hasInputs = Object.keys(instance.inputs ?? {}).length > 0;
      return [instance.id, hasInputs ? 'it has further inputs' : this.signalsOf(runner).oneByOne];
    });
    return new Map(reasons);
  }

  private signalsOf(runner: StrategyRunner): QuietSignals {
    const { positions, parentOrders } = this.stages;
    const isBusy = (): boolean => positions.inFlight(runner.instance) || parentOrders.isClosing(runner.instance.id);
    const known = this.signals.get(runner) ?? new QuietSignals({ runner, isBusy });
    this.signals.set(runner, known);
    return known;
  }

  /** The first row at which the service's time is no longer known well enough. */
  private timely({ columns: { at }, rows: [from], readings }: QuoteSpan, end: number): number {
    const until = this.context.clockState.knownUntil;
    if (readings) return Number.isFinite(until) ? end : from;
    return (at[end - 1] ?? 0) <= until ? end : Math.max(from, Math.min(end, firstAt(at, until)));
  }

  /** Up to where no strategy is kept from trading but by pauses of the lane, too short to be told. */
  private free(lane: StandingLane, { columns, rows: [from], readings }: QuoteSpan, to: number): number {
    const { strategies, log } = this.context;
    const { states, silences } = this.stages;
    const { price, size } = columns.buy;
    let end = to;
    for (const { id } of strategies) {
      const most = states.maxCost(id, log.now);
      if (most === undefined) return from;
      if ((lane.state?.oddRows(columns).maxCost ?? 0) <= most) continue;
      for (let row = from; row < end; row++) if ((price[row] ?? 0) * (size[row] ?? 0) > most) end = row;
    }
    return end === from ? from : silences.lookAhead(this.silent(lane, { columns, rows: [from, end], readings }));
  }

  private silent({ state }: StandingLane, of: Pick<QuoteSpan, 'columns' | 'rows' | 'readings'>): SilentSpan {
    const { columns, rows, readings } = of;
    const { staleMs = 0, receivedAt = 0 } = state ?? {};
    return { times: columns.at, rows, readings, staleMs, receivedAt, waiting: this.waiting() };
  }

  /** Strategies that pauses of their lanes keep from trading, and nothing else. */
  private waiting(): SilentSpan['waiting'] {
    return this.context.strategies.filter(({ id }) => !this.stages.states.isLatched(id));
  }
}
