import { sent } from '#adapters/recording/derived-figures.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Currency, LaneId, Millis, ProductCode } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** What all quotes that prices are made into share. Plain data. */
export interface TickQuotes {
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  /** In base currency, of both sides. */
  readonly size: number;
  readonly feePercentage: number;
  readonly validMs: Millis;
}

/** Prices of one UTC day in the order of time. Plain data, an entry a row. */
export interface TickDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Quotes of the days before. */
  readonly before: number;
  readonly rows: number;
  /** When a row was known. */
  readonly at: Float64Array<ArrayBuffer>;
  readonly bid: Float64Array<ArrayBuffer>;
  readonly ask: Float64Array<ArrayBuffer>;
}

/** The quotes of a day. What follows from other figures is left out: it is not stored, and computed when it is read. */
export function quotesOfDay(quotes: TickQuotes, { before, rows, at, bid, ask }: TickDay): QuoteColumns {
  const { lane, product, baseCcy, quoteCcy, size, feePercentage, validMs } = quotes;
  const left = new Float64Array(rows);
  const sizes = new Float64Array(rows).fill(size);
  const line = new Float64Array(rows);
  const validUntil = new Float64Array(rows);
  const slippage = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    line[row] = before + row + 1;
    validUntil[row] = figureAt(at, row) + validMs;
    slippage[row] = sent((figureAt(ask, row) - figureAt(bid, row)) / 2);
  }
  const side = { size: sizes, value: left, feeInBaseCcy: left, feeInQuoteCcy: left, slippage, slippagePercentage: left };
  return {
    lane,
    product,
    baseCcy,
    quoteCcy,
    length: rows,
    line,
    n: new Float64Array(rows).fill(Number.NaN),
    at,
    epoch: new Float64Array(rows).fill(1),
    validUntil,
    buy: { ...side, price: ask },
    sell: { ...side, price: bid },
    feePercentage: new Float64Array(rows).fill(feePercentage),
    spread: left,
    spreadPercentage: left,
    dailyChangePercentage: left,
    ids: new Uint8Array(rows * 16),
    oddIds: new Map(),
  };
}
