import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import { isoTime } from '#domain/names.ts';
import { shown } from '#domain/one-line.ts';
import { idAt, type QuoteColumns } from '#domain/quote-columns.ts';
import { type ColumnData, parquetOf } from './parquet-columns.ts';

export type ExportFormat = 'csv' | 'parquet';

export interface ExportOptions {
  readonly file: string;
  readonly format: ExportFormat;
  /** Told the share that is done, from 0 to 1. */
  readonly onShare?: (share: number) => void;
}

interface ExportColumn {
  readonly name: string;
  readonly of: (columns: QuoteColumns) => Float64Array;
}

/** Every figure of a quote under a name, also those that follow from others. */
const FIGURES: readonly ExportColumn[] = [
  { name: 'buy_price', of: ({ buy }) => buy.price },
  { name: 'buy_size', of: ({ buy }) => buy.size },
  { name: 'buy_value', of: ({ buy }) => buy.value },
  { name: 'buy_fee_base', of: ({ buy }) => buy.feeInBaseCcy },
  { name: 'buy_fee_quote', of: ({ buy }) => buy.feeInQuoteCcy },
  { name: 'buy_slippage', of: ({ buy }) => buy.slippage },
  { name: 'buy_slippage_pct', of: ({ buy }) => buy.slippagePercentage },
  { name: 'sell_price', of: ({ sell }) => sell.price },
  { name: 'sell_size', of: ({ sell }) => sell.size },
  { name: 'sell_value', of: ({ sell }) => sell.value },
  { name: 'sell_fee_base', of: ({ sell }) => sell.feeInBaseCcy },
  { name: 'sell_fee_quote', of: ({ sell }) => sell.feeInQuoteCcy },
  { name: 'sell_slippage', of: ({ sell }) => sell.slippage },
  { name: 'sell_slippage_pct', of: ({ sell }) => sell.slippagePercentage },
  { name: 'fee_pct', of: ({ feePercentage }) => feePercentage },
  { name: 'spread', of: ({ spread }) => spread },
  { name: 'spread_pct', of: ({ spreadPercentage }) => spreadPercentage },
  { name: 'daily_change_pct', of: ({ dailyChangePercentage }) => dailyChangePercentage },
];

/** Lines that are written together. */
const BATCH_LINES = 5000;

/**
 * Writes all quotes of the lanes into one file, lane after lane, every figure as it was sent. A file that was there is
 * replaced at once, when the new one is whole. Throws EXPORT_FAILED.
 */
export function exportQuotes(lanes: readonly QuoteColumns[], { file, format, onShare = () => {} }: ExportOptions): number {
  const rows = lanes.reduce((sum, { length }) => sum + length, 0);
  writeFile({ file, format, onShare }, rows, () =>
    format === 'csv' ? csvParts(lanes) : [{ bytes: parquetOf(rows, quoteColumns(lanes, rows), {}), rows }],
  );
  return rows;
}

/** Some bytes of a file, and how many of its rows they are. */
export interface FilePart {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Writes a file part by part, in place of one that was there when it is whole. Throws EXPORT_FAILED. */
export function writeFile({ file, onShare = () => {} }: ExportOptions, rows: number, partsOf: () => Iterable<FilePart>): void {
  const work = `${file}.${process.pid}`;
  try {
    const fd = openSync(work, 'w');
    try {
      let done = 0;
      for (const part of partsOf()) {
        for (let at = 0; at < part.bytes.length; ) at += writeSync(fd, part.bytes, at);
        done += part.rows;
        onShare(rows === 0 ? 1 : done / rows);
      }
    } finally {
      closeSync(fd);
    }
    renameSync(work, file);
  } catch (error) {
    rmSync(work, { force: true });
    throw new KairosError('EXPORT_FAILED', `${file} could not be written (${messageOf(error)})`, { cause: error });
  }
}

function* csvParts(lanes: readonly QuoteColumns[]): Generator<FilePart> {
  const head = ['product', 'lane', 'arrived_at', 'valid_until', 'n', 'epoch', 'id', ...FIGURES.map(({ name }) => name)];
  yield { bytes: Buffer.from(`${head.join(',')}\n`), rows: 0 };
  for (const lane of lanes) {
    const figures = FIGURES.map(({ of }) => of(lane));
    const names = `${cell(lane.product)},${cell(lane.lane)}`;
    for (let from = 0; from < lane.length; from += BATCH_LINES) {
      const to = Math.min(lane.length, from + BATCH_LINES);
      let text = '';
      for (let row = from; row < to; row += 1) {
        const n = figureAt(lane.n, row);
        const { at, validUntil, epoch } = lane;
        text += `${names},${isoTime(figureAt(at, row))},${isoTime(figureAt(validUntil, row))},${Number.isNaN(n) ? '' : n},${epoch[row]},${cell(idAt(lane, row) ?? '')}`;
        for (const figure of figures) text += `,${figure[row]}`;
        text += '\n';
      }
      yield { bytes: Buffer.from(text), rows: to - from };
    }
  }
}

/** A cell of text; names of products and lanes are plain, but a recording may hold any. */
export function cell(text: string): string {
  const safe = shown(text);
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The quotes of some lanes, `rows` in all, as columns of a file. */
export function quoteColumns(lanes: readonly QuoteColumns[], rows: number): readonly ColumnData[] {
  const numbers = (of: (lane: QuoteColumns) => Float64Array): Float64Array => {
    const all = new Float64Array(rows);
    let before = 0;
    for (const lane of lanes) {
      all.set(of(lane), before);
      before += lane.length;
    }
    return all;
  };
  const texts = (of: (lane: QuoteColumns, row: number) => string): string[] =>
    lanes.flatMap((lane) => Array.from({ length: lane.length }, (_, row) => of(lane, row)));
  const n = numbers((lane) => lane.n);
  const ids = texts((lane, row) => idAt(lane, row) ?? '');
  return [
    { name: 'product', kind: 'text', values: texts(({ product }) => product) },
    { name: 'lane', kind: 'text', values: texts(({ lane }) => lane) },
    { name: 'arrived_at', kind: 'time', values: numbers(({ at }) => at) },
    { name: 'valid_until', kind: 'time', values: numbers(({ validUntil }) => validUntil) },
    { name: 'n', kind: 'whole', values: n, present: Uint8Array.from(n, (one) => (Number.isNaN(one) ? 0 : 1)) },
    { name: 'epoch', kind: 'whole', values: numbers(({ epoch }) => epoch) },
    { name: 'id', kind: 'text', values: ids, present: Uint8Array.from(ids, (id) => (id === '' ? 0 : 1)) },
    ...FIGURES.map(({ name, of }): ColumnData => ({ name, kind: 'double', values: numbers(of) })),
  ];
}
