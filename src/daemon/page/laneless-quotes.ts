import { runSpans } from '#adapters/journal/booked.ts';
import { columnsOver, ROW_BYTES } from '#domain/columns-memory.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { currency, laneIdOf, productCode } from '#domain/names.ts';
import { entryOf } from '#domain/position.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { RunMoney } from '#report/record.ts';
import { PastHoldings } from './past-holdings.ts';
import type { PastTrades } from './past-trades.ts';
import type { RunQuotes } from './run-quotes.ts';

/** Prices at which a position could be closed: a long one at `sell`. */
interface Prices {
  readonly buy: number;
  readonly sell: number;
}

/** One quote for each product that a run held from before without a lane for it: the last recorded one, or the entry price where none is. */
export class LanelessQuotes {
  private readonly trades: PastTrades;
  private readonly quotes: RunQuotes;
  private readonly heldThen: PastHoldings;

  constructor(trades: PastTrades, quotes: RunQuotes) {
    this.trades = trades;
    this.quotes = quotes;
    this.heldThen = new PastHoldings(trades);
  }

  /** None where the run has no quotes at all: then it has no value. */
  of({ run, startedAt, earlier }: RunMoney, columns: readonly QuoteColumns[]): readonly QuoteColumns[] {
    if (columns.length === 0) return [];
    const quoted = new Set<string>(columns.map(({ product }) => product));
    return earlier.fills.flatMap(({ product, fill: { baseCcy, quoteCcy } }) => {
      if (quoted.has(product)) return [];
      const own = earlier.ledger.filter((movement) => movement.product === product && movement.currency === baseCcy);
      const held = Map.groupBy(own, ({ book }) => book);
      const isHeld = [...held.values()].some((rows) => !rows.reduce((sum, { amount }) => sum.plus(decimalOf(amount)), ZERO).isZero());
      const prices = isHeld ? (this.recorded(run, product) ?? this.entry(startedAt, product)) : undefined;
      return prices === undefined ? [] : [oneQuote({ product, baseCcy, quoteCcy, at: startedAt, prices })];
    });
  }

  private recorded(run: string, product: string): Prices | undefined {
    const runs = this.trades.journal.named(runSpans).map(({ run_id }) => run_id);
    for (const before of runs.slice(0, runs.indexOf(run)).reverse()) {
      const [newest] = this.quotes.of(before, { product }).toSorted((a, b) => (b.at[b.length - 1] ?? 0) - (a.at[a.length - 1] ?? 0));
      const [buy, sell] = [newest?.buy.price[newest.length - 1], newest?.sell.price[newest.length - 1]];
      if (buy !== undefined && sell !== undefined) return { buy, sell };
    }
    return undefined;
  }

  /** Of all books together. */
  private entry(at: number, product: string): Prices | undefined {
    const lots = this.heldThen.at(at - 1).flatMap((held) => (held.product === product ? held.lots : []));
    const price = entryOf(lots)?.toNumber();
    return price === undefined ? undefined : { buy: price, sell: price };
  }
}

interface OneQuote {
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly at: number;
  readonly prices: Prices;
}

function oneQuote({ product, baseCcy, quoteCcy, at, prices }: OneQuote): QuoteColumns {
  const names = {
    lane: laneIdOf(`${product}@base:1`),
    product: productCode(product),
    baseCcy: currency(baseCcy),
    quoteCcy: currency(quoteCcy),
  };
  const columns = columnsOver(new ArrayBuffer(ROW_BYTES), 1, { names, oddIds: new Map() });
  columns.at[0] = at;
  columns.buy.price[0] = prices.buy;
  columns.sell.price[0] = prices.sell;
  return columns;
}
