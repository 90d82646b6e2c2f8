import type { ExitLevel } from '#core/execution/exit-levels.ts';
import { Exits } from '#core/execution/exits.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { StartFacts } from '#domain/event.ts';
import type { LaneId, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';

type Needs = Pick<EngineContext, 'books' | 'log' | 'products' | 'strategies'>;

/** Exits without code, watched on the quotes of each strategy's own lane: what is due is closed as a parent order. */
export class ExitWatch {
  private readonly context: Needs;
  private readonly parentOrders: ParentOrders;
  private readonly exits: Exits;

  constructor(context: Needs, parentOrders: ParentOrders) {
    this.context = context;
    this.parentOrders = parentOrders;
    const { strategies, log, books } = context;
    const watched = strategies.flatMap(({ id, product, exits }) => (exits ? [{ strategy: id, product, rules: exits }] : []));
    this.exits = new Exits({ watched, log, bookOf: (strategy, product) => books.book(strategy, product) });
  }

  /** Strategies with exits whose own lane it is. */
  watchedOn(lane: LaneId): readonly EngineStrategy[] {
    return this.context.strategies.filter((strategy) => strategy.exits && strategy.lane === lane);
  }

  /** Where the exits of a strategy's position stand, as of `Exits`. */
  levels(strategy: StrategyId, feePct: number): readonly ExitLevel[] {
    return this.exits.levels(strategy, feePct);
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
  lookAhead(watched: readonly EngineStrategy[], columns: QuoteColumns, [from, to]: RowRange): number {
    let end = to;
    for (const { id, product } of watched) {
      const known = this.context.products.get(product);
      end = known ? this.exits.lookAhead(id, columns, { span: [from, end], product: known }) : from;
    }
    return end;
  }

  /** A lane has a new quote: exits of those `watched` there come before its strategies, also those of disabled and paused ones. */
  onQuote(quote: Quote, watched: readonly EngineStrategy[]): void {
    for (const { id, lane, product } of watched) {
      const known = this.context.products.get(product);
      const intent = known && this.exits.check(id, quote, known);
      // A part that is being closed, and that may wait for an outcome, keeps no exit from what is left; nor does another product.
      if (!intent || this.parentOrders.isClosingAll(id, product)) continue;
      this.parentOrders.close({ strategy: id, legs: [{ intent, lane, product }], signals: {}, onLegFailure: 'keep' });
    }
  }
}
