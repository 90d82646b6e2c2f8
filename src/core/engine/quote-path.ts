import type { StrategyHost } from '#core/strategy/host.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineContext } from './engine-context.ts';
import { QuietQuotes, type QuietStages } from './quiet-quotes.ts';
import type { StandingLane } from './standing-lane.ts';

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
