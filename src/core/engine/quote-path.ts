import type { LaneState } from '#core/market/lane-state.ts';
import type { Market } from '#core/market/market.ts';
import type { OpeningBalances } from '#core/portfolio/ledger.ts';
import type { MonitoredLane, RiskMonitor } from '#core/risk/risk-monitor.ts';
import type { Audience, StrategyHost } from '#core/strategy/host.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { StrategyExecution } from './strategy-execution.ts';

interface QuotePathOptions {
  readonly lanes: readonly Lane[];
  readonly market: Market;
  readonly openings: OpeningBalances;
  readonly monitor: RiskMonitor;
  readonly manual: ManualOrders;
  readonly execution: StrategyExecution;
  readonly host: StrategyHost;
  /** Quotes for what is held alone. */
  readonly isUnheard?: ((quote: Quote) => boolean) | undefined;
}

/** What each part of the engine keeps of a standing lane, found once and not at each quote. */
interface Standing {
  readonly track: LaneState | undefined;
  readonly monitored: MonitoredLane;
  /** Strategies with exits that are watched here. */
  readonly watched: readonly EngineStrategy[];
  readonly audience: Audience;
}

/** The way of a quote through the engine: market, guard, exits, strategies, and what is at work on its lane. */
export class QuotePath {
  private readonly options: QuotePathOptions;
  private readonly standing: ReadonlyMap<LaneId, Standing>;
  private stopped = false;

  constructor(options: QuotePathOptions) {
    this.options = options;
    const { market, execution, host } = options;
    const standing = ({ id }: Lane): Standing => ({
      track: market.track(id),
      monitored: {},
      watched: execution.watchedOn(id),
      audience: host.audience(id),
    });
    this.standing = new Map(options.lanes.map((lane) => [lane.id, standing(lane)]));
  }

  /** The run ends: quotes are kept as their lane's latest, and nothing comes of them. */
  stop(): void {
    this.stopped = true;
  }

  /** Takes a quote to its end; nothing comes of one that its lane refuses. */
  take(quote: Quote, at: Millis): void {
    const lane = this.standing.get(quote.lane);
    if (lane === undefined) return this.takeLent(quote, at);
    const { market, openings, monitor, manual, execution, host, isUnheard } = this.options;
    if (market.accept(quote, at, lane.track) !== null || this.stopped) return;
    openings.quoted(quote.product, quote.quoteCcy);
    monitor.quoted(quote, at, lane.monitored);
    manual.onQuote(quote);
    execution.exits(quote, lane.watched);
    if (isUnheard?.(quote)) return;
    host.deliver(quote, lane.audience);
    execution.onQuote(quote.lane);
  }

  /** A lane that is lent is one order's, and nobody's measure of the market. */
  private takeLent(quote: Quote, at: Millis): void {
    const { market, openings, manual, execution } = this.options;
    if (market.accept(quote, at) !== null || this.stopped) return;
    openings.quoted(quote.product, quote.quoteCcy);
    manual.onQuote(quote);
    execution.exits(quote, []);
    execution.onQuote(quote.lane);
  }
}
