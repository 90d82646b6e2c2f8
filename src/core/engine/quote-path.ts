import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { LaneState } from '#core/market/lane-state.ts';
import type { OpeningBalances } from '#core/portfolio/ledger.ts';
import type { MonitoredLane } from '#core/risk/risk-monitor.ts';
import type { Audience, StrategyHost } from '#core/strategy/host.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { ManualOrders } from './manual-orders.ts';

/** Those that a quote passes, in this order; before them the market accepts it, and openings and the risk monitor mark it. */
interface QuoteStages {
  readonly openings: OpeningBalances;
  readonly manual: ManualOrders;
  readonly exitWatch: ExitWatch;
  readonly host: StrategyHost;
  readonly parentOrders: ParentOrders;
}

/** What each part of the engine keeps of a standing lane, found once and not at each quote. */
interface LaneParts {
  readonly track: LaneState | undefined;
  readonly monitored: MonitoredLane;
  /** Strategies with exits that are watched here. */
  readonly watched: readonly EngineStrategy[];
  readonly audience: Audience;
}

/** The way of a quote through the engine: accept, mark, manual orders, exits, strategies, parent orders. */
export class QuotePath {
  private readonly context: EngineContext;
  private readonly stages: QuoteStages;
  private readonly standing: ReadonlyMap<LaneId, LaneParts>;
  private stopped = false;

  constructor(context: EngineContext, stages: QuoteStages) {
    this.context = context;
    this.stages = stages;
    const standing = ({ id }: Lane): LaneParts => ({
      track: context.market.track(id),
      monitored: {},
      watched: stages.exitWatch.watchedOn(id),
      audience: stages.host.audience(id),
    });
    this.standing = new Map(context.lanes.map((lane) => [lane.id, standing(lane)]));
  }

  /** The run ends: quotes are kept as their lane's latest, and nothing comes of them. */
  stop(): void {
    this.stopped = true;
  }

  /** Takes a quote to its end; nothing comes of one that its lane refuses. */
  take(quote: Quote, at: Millis): void {
    const lane = this.standing.get(quote.lane);
    if (lane === undefined) return this.takeLent(quote, at);
    const { market, monitor, isUnheard } = this.context;
    const { openings, manual, exitWatch, host, parentOrders } = this.stages;
    if (market.accept(quote, at, lane.track) !== null || this.stopped) return;
    openings.quoted(quote.product, quote.quoteCcy);
    monitor.quoted(quote, at, lane.monitored);
    manual.onQuote(quote);
    exitWatch.onQuote(quote, lane.watched);
    if (isUnheard?.(quote)) return;
    host.deliver(quote, lane.audience);
    parentOrders.onQuote(quote.lane);
  }

  /** A quote of an input that is looked at and never traded on. */
  takeShown(source: LaneId, shown: IndicativeQuote): void {
    if (!this.stopped) this.stages.host.deliverInput(source, shown);
  }

  /** A lane that is lent is one order's, and nobody's measure of the market. */
  private takeLent(quote: Quote, at: Millis): void {
    const { openings, manual, exitWatch, parentOrders } = this.stages;
    if (this.context.market.accept(quote, at) !== null || this.stopped) return;
    openings.quoted(quote.product, quote.quoteCcy);
    manual.onQuote(quote);
    exitWatch.onQuote(quote, []);
    parentOrders.onQuote(quote.lane);
  }
}
