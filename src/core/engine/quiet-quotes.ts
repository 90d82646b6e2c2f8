import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { OpeningBalances } from '#core/portfolio/ledger.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { QuietSignals } from '#core/strategy/quiet-signals.ts';
import type { StrategyRunner } from '#core/strategy/strategy-runner.ts';
import { firstAt } from '#domain/first-where.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import type { QuoteTape } from '#domain/quote-tape.ts';
import type { EngineContext } from './engine-context.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { ManualOrders } from './manual-orders.ts';
import { ShownRows } from './row-view.ts';
import type { StandingLane } from './standing-lane.ts';
import type { StrategyPositions, Views } from './views.ts';

/** The stages of a quote, in this order. Before them the market accepts it, and opening balances and the risk monitor mark it. */
export interface QuietStages {
  readonly openingBalances: OpeningBalances;
  readonly manual: ManualOrders;
  readonly exitWatch: ExitWatch;
  readonly host: StrategyHost;
  readonly parentOrders: ParentOrders;
  readonly positions: StrategyPositions;
  readonly views: Views;
}

/** Recorded quotes that come next, with nothing between them. */
interface QuoteSpan {
  readonly tape: QuoteTape;
  /** The lanes of the tape. */
  readonly lanes: readonly StandingLane[];
  /** The quote of a row of a lane as it will be delivered. */
  readonly quoteOf: readonly ((row: number) => Quote)[];
}

/** What happened within a span. */
interface PassedSpan {
  /** The place behind its last quote. */
  readonly end: number;
  /** When its last quote came. */
  readonly at: Millis;
  /** The last quote of each lane, and its time; undefined where it has none in the span. */
  readonly last: readonly ({ readonly quote: Quote; readonly at: Millis } | undefined)[];
  /** Number of its last event. */
  readonly n: number;
}

const monitoredOf = ({ monitored }: StandingLane): StandingLane['monitored'] => monitored;

function unknownQuote(): never {
  throw new RangeError('a lane of the tape has quotes');
}

/** The first place before `end` at which a lane's rows, of which the first that acts is named, may act. */
function upTo(tape: QuoteTape, lane: number, end: number, ahead: (columns: QuoteColumns, rows: RowRange) => number): number {
  const rows = tape.rows(lane, end);
  const columns = tape.lanes[lane]?.columns;
  if (rows[0] === rows[1] || columns === undefined) return end;
  const row = ahead(columns, rows);
  return row === rows[1] ? end : tape.placeOf(lane, row);
}

type Needs = Pick<EngineContext, 'clockState' | 'log' | 'monitor'>;

/**
 * Many quotes at once that nobody acts on: each part on a quote's way names the first row at which it may act, and takes the
 * rows before it as if they had come one by one.
 */
export class QuietQuotes {
  private readonly context: Needs;
  private readonly stages: QuietStages;
  private readonly signals = new Map<StrategyRunner, QuietSignals>();
  private readonly shown: ShownRows;

  constructor(context: Needs, stages: QuietStages) {
    this.context = context;
    this.stages = stages;
    this.shown = new ShownRows(stages.views);
  }

  /** False where something waits for the next quote, whatever it is. */
  isIdle(lanes: readonly StandingLane[]): boolean {
    const { openingBalances, manual, parentOrders } = this.stages;
    const isWaiting = openingBalances.waiting.length > 0 || manual.tasks.open.length > 0 || parentOrders.atWork().length > 0;
    return !isWaiting && lanes.every(({ audience }) => audience.fed.length === 0);
  }

  /** The first place at which a strategy may act on its signal, or a quote is not like the one before; the end of the tape where none is. The engine is idle. */
  signalled(span: QuoteSpan): number {
    const { tape, lanes, quoteOf } = span;
    let end = tape.length;
    for (let lane = 0; lane < lanes.length && end > 0; lane++) {
      const { state, audience } = lanes[lane] ?? {};
      end = upTo(tape, lane, end, (columns, rows) => state?.lookAhead(columns, rows) ?? rows[0]);
      for (const runner of audience?.runners ?? []) {
        end = upTo(tape, lane, end, (columns, rows) => {
          const state = (): unknown => runner.state?.value;
          const view = this.shown.of(runner.instance, { columns, quoteOf: quoteOf[lane] ?? unknownQuote, state });
          return this.signalsOf(runner).lookAhead(columns, rows, view);
        });
      }
    }
    return end;
  }

  /** The first place before one that `signalled` found at which the engine may do more than take the quote. `pass` or `leave` must follow. */
  lookAhead(span: QuoteSpan, before: number): number {
    const { tape, lanes } = span;
    const { exitWatch } = this.stages;
    let end = this.timely(span, before);
    if (end > 0) end = this.context.monitor.quiet.lookAhead(lanes.map(monitoredOf), tape, end);
    for (let lane = 0; lane < lanes.length && end > 0; lane++) {
      const { watched = [] } = lanes[lane] ?? {};
      if (watched.length > 0) end = upTo(tape, lane, end, (columns, rows) => exitWatch.lookAhead(watched, columns, rows));
    }
    return end;
  }

  /** Takes the quotes that `lookAhead` let pass. */
  pass(span: QuoteSpan, { end, at, last, n }: PassedSpan): void {
    const { log, monitor } = this.context;
    const { host } = this.stages;
    const { tape, lanes } = span;
    log.inboxSeq = n;
    log.now = at;
    host.runTimers(at);
    monitor.quiet.pass(lanes.map(monitoredOf), tape, { end, last });
    for (let lane = 0; lane < lanes.length; lane++) {
      const rows = tape.rows(lane, end);
      const [own, columns, latest] = [lanes[lane], tape.lanes[lane]?.columns, last[lane]];
      if (columns && latest) own?.state?.pass(columns, rows, latest);
      for (const runner of own?.audience.runners ?? []) this.signalsOf(runner).settle(rows, latest?.at ?? at);
    }
  }

  /** Discards what `lookAhead` found. */
  leave({ tape, lanes }: QuoteSpan): void {
    for (const [lane, { audience }] of lanes.entries())
      for (const runner of audience.runners) this.signalsOf(runner).settle(tape.rows(lane, 0), this.context.log.now);
  }

  /** Why a strategy must take quotes one by one, in words; undefined if it need not. */
  oneByOne(): ReadonlyMap<StrategyId, string | undefined> {
    const reasons = [...this.stages.host.runners.byId.values()].map((runner): readonly [StrategyId, string | undefined] => {
      const { instance } = runner;
      const hasInputs = Object.keys(instance.inputs ?? {}).length > 0;
      return [instance.id, hasInputs ? 'it has further inputs' : this.signalsOf(runner).oneByOne];
    });
    return new Map(reasons);
  }

  private signalsOf(runner: StrategyRunner): QuietSignals {
    const { positions } = this.stages;
    const known = this.signals.get(runner) ?? new QuietSignals({ runner, isBusy: () => positions.isBusy(runner.instance) });
    this.signals.set(runner, known);
    return known;
  }

  /** The first place at which the service's time is no longer known well enough. */
  private timely({ tape }: QuoteSpan, before: number): number {
    const until = this.context.clockState.knownUntil;
    let end = before;
    if (until === Number.POSITIVE_INFINITY) return end;
    for (const lane of tape.lanes.keys())
      end = upTo(tape, lane, end, ({ at }, [from, to]) =>
        (at[to - 1] ?? 0) <= until ? to : Math.max(from, Math.min(to, firstAt(at, until))),
      );
    return end;
  }
}
