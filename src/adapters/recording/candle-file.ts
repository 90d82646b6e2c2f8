import { decimalOf } from '#domain/decimal.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { cell, type ExportOptions, type FilePart, writeFile } from './export-file.ts';
import { type ColumnData, parquetOf } from './parquet-columns.ts';

/** Which prices candles are of: selling is at the bid, buying at the ask, the mid is between them at each quote. */
export type CandlePrices = 'both' | 'bid' | 'ask' | 'mid';

export interface CandleOptions extends ExportOptions {
  readonly widthMs: Millis;
  readonly prices: CandlePrices;
  /** Lanes whose quotes are bars, known at their end: what comes at the end of a width belongs to it. */
  readonly areBars: (columns: QuoteColumns) => boolean;
}

const SIDES = { both: ['bid', 'ask'], bid: ['bid'], ask: ['ask'], mid: ['mid'] } as const;
const FIELDS = ['open', 'high', 'low', 'close'] as const;

/** Lines that are written together. */
const BATCH_LINES = 5000;

/** The candles of a lane: begin, then open, high, low and close of each side, then how many quotes. */
interface Candles {
  readonly lane: QuoteColumns;
  readonly length: number;
  readonly at: Float64Array;
  readonly sides: readonly (readonly Float64Array[])[];
  readonly quotes: Float64Array;
}

/**
 * Writes candles of the lanes into one file, lane after lane: a quote belongs to `floor(time / width)`, and a width without a quote
 * has none. A file that was there is replaced at once, when the new one is whole. Returns how many there are. Throws EXPORT_FAILED.
 */
export function exportCandles(lanes: readonly QuoteColumns[], options: CandleOptions): number {
  const { format, prices } = options;
  const all = lanes.map((lane) => candlesOf(lane, options));
  const rows = all.reduce((sum, { length }) => sum + length, 0);
  const titles = SIDES[prices].flatMap((side) => FIELDS.map((field) => `${side}_${field}`));
  writeFile(options, rows, () =>
    format === 'csv' ? csvParts(all, titles) : [{ bytes: parquetOf(rows, parquetColumns(all, titles), {}), rows }],
  );
  return rows;
}

function candlesOf(lane: QuoteColumns, { widthMs, prices, areBars }: CandleOptions): Candles {
  const { length, at, buy, sell } = lane;
  const early = areBars(lane) ? 1 : 0;
  const begins = new Float64Array(length);
  const quotes = new Float64Array(length);
  const mid = (row: number): number => midOf(figureAt(sell.price, row), figureAt(buy.price, row));
  const priceOf = { bid: (row: number) => figureAt(sell.price, row), ask: (row: number) => figureAt(buy.price, row), mid };
  const sides = SIDES[prices].map((side) => ({ price: priceOf[side], ohlc: FIELDS.map(() => new Float64Array(length)) }));
  let last = -1;
  for (let row = 0; row < length; row += 1) {
    const begin = Math.floor((figureAt(at, row) - early) / widthMs) * widthMs;
    const isNew = last < 0 || begin !== begins[last];
    if (isNew) last += 1;
    begins[last] = begin;
    quotes[last] = figureAt(quotes, last) + 1;
    for (const { price, ohlc } of sides) take(price(row), { ohlc, at: last, isNew });
  }
  const count = last + 1;
  return {
    lane,
    length: count,
    at: begins.subarray(0, count),
    sides: sides.map(({ ohlc }) => ohlc.map((field) => field.subarray(0, count))),
    quotes: quotes.subarray(0, count),
  };
}

/** The exact middle of two decimals: half the sum of their doubles would have digits that neither has. */
const midOf = (bid: number, ask: number): number => decimalOf(bid).plus(decimalOf(ask)).times(0.5).toNumber();

function take(
  price: number,
  { ohlc, at, isNew }: { readonly ohlc: readonly Float64Array[]; readonly at: number; readonly isNew: boolean },
): void {
  const [open, high, low, close] = ohlc;
  if (!open || !high || !low || !close) return;
  if (isNew) open[at] = price;
  high[at] = isNew ? price : Math.max(high[at] ?? price, price);
  low[at] = isNew ? price : Math.min(low[at] ?? price, price);
  close[at] = price;
}

function* csvParts(all: readonly Candles[], titles: readonly string[]): Generator<FilePart> {
  yield { bytes: Buffer.from(`${['product', 'lane', 'ts_ms_open', ...titles, 'quotes'].join(',')}\n`), rows: 0 };
  for (const { lane, length, at, sides, quotes } of all) {
    const names = `${cell(lane.product)},${cell(lane.lane)}`;
    const figures = sides.flat();
    for (let from = 0; from < length; from += BATCH_LINES) {
      const to = Math.min(length, from + BATCH_LINES);
      let text = '';
      for (let row = from; row < to; row += 1) {
        text += `${names},${at[row]}`;
        for (const figure of figures) text += `,${figure[row]}`;
        text += `,${quotes[row]}\n`;
      }
      yield { bytes: Buffer.from(text), rows: to - from };
    }
  }
}

function parquetColumns(all: readonly Candles[], titles: readonly string[]): readonly ColumnData[] {
  const joined = (of: (candles: Candles) => Float64Array | undefined): Float64Array =>
    Float64Array.from(all.flatMap((candles) => [...(of(candles) ?? [])]));
  const texts = (of: (lane: QuoteColumns) => string): string[] =>
    all.flatMap(({ lane, length }) => new Array<string>(length).fill(of(lane)));
  return [
    { name: 'product', kind: 'text', values: texts(({ product }) => product) },
    { name: 'lane', kind: 'text', values: texts(({ lane }) => lane) },
    { name: 'ts_ms_open', kind: 'whole', values: joined(({ at }) => at) },
    ...titles.map((name, place): ColumnData => ({ name, kind: 'double', values: joined(({ sides }) => sides.flat()[place]) })),
    { name: 'quotes', kind: 'whole', values: joined(({ quotes }) => quotes) },
  ];
}
