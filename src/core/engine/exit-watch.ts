import type { ExitLevel } from '#core/execution/exit-levels.ts';
import { Exits, type WatchedPosition } from '#core/execution/exits.ts';
import { LANE_DOWN_MS } from '#core/execution/lent-lanes.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import { tradedOn } from '#core/strategy/instance.ts';
import type { StartFacts } from '#domain/event.ts';
import type { LaneId, ProductCode, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import type { EngineContext } from './engine-context.ts';

type Needs = Pick<EngineContext, 'books' | 'laneById' | 'log' | 'market' | 'products' | 'strategies'>;

/** A position that exits watch on the quotes of a lane. */
export interface WatchedLane extends WatchedPosition {
  readonly lane: LaneId;
}

/** Exits without code, of each product that a strategy trades, watched on its first lane of it, and on any once that is down or set aside: what is due is closed as a parent order. */
export class ExitWatch {
  private readonly context: Needs;
  private readonly parentOrders: ParentOrders;
  private readonly watched: readonly WatchedLane[];
  private readonly exits: Exits;

  constructor(context: Needs, parentOrders: ParentOrders) {
    this.context = context;
    this.parentOrders = parentOrders;
    const { strategies, log, books } = context;
    this.watched = strategies.flatMap((strategy) => {
      const { id, exits: rules } = strategy;
      const lanes = new Map(
        tradedOn(strategy)
          .toReversed()
          .map(({ lane, product }) => [product, lane]),
      );
      return rules ? [...lanes].map(([product, lane]) => ({ strategy: id, product, lane, rules })) : [];
    });
    this.exits = new Exits({ watched: this.watched, log, bookOf: (strategy, product) => books.book(strategy, product) });
  }

  /** Positions that are, or may be, watched on the lane. */
  watchedOn(lane: LaneId): readonly WatchedLane[] {
    return this.watched.filter(({ product }) => product === this.context.laneById.get(lane)?.product);
  }

  /** Where the exits of a strategy's position stand, as of `Exits`. */
  levels(strategy: StrategyId, product: ProductCode, quote: Quote | undefined): readonly ExitLevel[] {
    const known = this.context.products.get(product);
    return known ? this.exits.levels(strategy, known, quote) : [];
  }

  /** Restores exits that were due, and peaks, after the books are restored. */
  restore({ exits, peaks }: Pick<StartFacts, 'exits' | 'peaks'>): void {
    this.exits.restore(exits);
    this.exits.restorePeaks(peaks);
  }

  /** The run ends: journals what a restart needs. */
  stop(): void {
    this.exits.stop();
  }

  /** The first row of a lane at which an exit of those `watched` there has something to do; the end of the span where none has. */
  lookAhead(watched: readonly WatchedLane[], columns: QuoteColumns, [from, to]: RowRange): number {
    let end = to;
    const { market } = this.context;
    for (const { strategy, lane, product } of watched) {
      if (!this.isWatchedOn(lane, columns.lane)) {
        const own = market.lane(lane);
        if (own?.isUp || own?.phase === 'new') continue;
        // As time goes on it is.
        return from;
      }
      const known = this.context.products.get(product);
      end = known ? this.exits.lookAhead(strategy, columns, { span: [from, end], product: known }) : from;
    }
    return end;
  }

  /** True where quotes of a lane count for a position with that lane of its own. */
  private isWatchedOn(own: LaneId, lane: LaneId): boolean {
    const { market, log } = this.context;
    return own === lane || market.stateOf(own)?.isDownFor(LANE_DOWN_MS, log.now) === true;
  }

  /** A lane has a new quote: exits of those `watched` there come before its strategies, also those of disabled and paused ones. */
  onQuote(quote: Quote, watched: readonly WatchedLane[]): void {
    for (const { strategy, lane, product } of watched) {
      if (!this.isWatchedOn(lane, quote.lane)) continue;
      const known = this.context.products.get(product);
      const intent = known && this.exits.check(strategy, quote, known);
      // A part that is being closed, and that may wait for an outcome, keeps no exit from what is left; nor does another product.
      if (!intent || this.parentOrders.isClosingAll(strategy, product)) continue;
      this.parentOrders.close({ strategy, legs: [{ intent, lane, product }], signals: {}, onLegFailure: 'keep' });
    }
  }
}
