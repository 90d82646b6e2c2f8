import { figureAt } from '#domain/figure-at.ts';
import { firstAt } from './first-where.ts';
import type { Currency, LaneId, Millis, ProductCode } from './names.ts';
import type { QuoteColumns, SideColumns } from './quote-columns.ts';

/** What all quotes of a set of columns share. */
export interface ColumnNames {
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  /** As in `QuoteColumns`. */
  readonly barMs?: Millis;
}

const namesOf = ({ lane, product, baseCcy, quoteCcy, barMs }: ColumnNames): ColumnNames => ({
  lane,
  product,
  baseCcy,
  quoteCcy,
  ...(barMs !== undefined && { barMs }),
});

/** Columns of doubles, before the ids; `figuresOf` says their order. */
const FIGURES = 23;
const ID_BYTES = 16;

/** Memory of one quote, in bytes. */
export const ROW_BYTES = FIGURES * 8 + ID_BYTES;

/** Lays columns of `rows` quotes over memory of `rows * ROW_BYTES` bytes, one column after the other, ids last. */
export function columnsOver(
  memory: ArrayBufferLike,
  rows: number,
  from: { readonly names: ColumnNames; readonly oddIds: ReadonlyMap<number, string> },
): QuoteColumns {
  let place = 0;
  const next = (): Float64Array => new Float64Array(memory, 8 * rows * place++, rows);
  const side = (): SideColumns => ({
    price: next(),
    size: next(),
    value: next(),
    feeInBaseCcy: next(),
    feeInQuoteCcy: next(),
    slippage: next(),
    slippagePercentage: next(),
  });
  return {
    ...namesOf(from.names),
    length: rows,
    line: next(),
    n: next(),
    at: next(),
    epoch: next(),
    validUntil: next(),
    buy: side(),
    sell: side(),
    feePercentage: next(),
    spread: next(),
    spreadPercentage: next(),
    dailyChangePercentage: next(),
    ids: new Uint8Array(memory, FIGURES * 8 * rows, ID_BYTES * rows),
    oddIds: from.oddIds,
  };
}

/** The columns of doubles in the order in which they lie in memory. */
export function figuresOf(columns: QuoteColumns): readonly Float64Array[] {
  const { line, n, at, epoch, validUntil, buy, sell, feePercentage, spread, spreadPercentage, dailyChangePercentage } = columns;
  const side = (s: SideColumns): readonly Float64Array[] => [
    s.price,
    s.size,
    s.value,
    s.feeInBaseCcy,
    s.feeInQuoteCcy,
    s.slippage,
    s.slippagePercentage,
  ];
  return [line, n, at, epoch, validUntil, ...side(buy), ...side(sell), feePercentage, spread, spreadPercentage, dailyChangePercentage];
}

/** The quotes `from` to before `to`, in the same memory. */
export function windowOf(columns: QuoteColumns, from: number, to: number): QuoteColumns {
  const part = (figure: Float64Array): Float64Array => figure.subarray(from, to);
  const side = (s: SideColumns): SideColumns => ({
    price: part(s.price),
    size: part(s.size),
    value: part(s.value),
    feeInBaseCcy: part(s.feeInBaseCcy),
    feeInQuoteCcy: part(s.feeInQuoteCcy),
    slippage: part(s.slippage),
    slippagePercentage: part(s.slippagePercentage),
  });
  return {
    ...namesOf(columns),
    length: Math.max(0, to - from),
    line: part(columns.line),
    n: part(columns.n),
    at: part(columns.at),
    epoch: part(columns.epoch),
    validUntil: part(columns.validUntil),
    buy: side(columns.buy),
    sell: side(columns.sell),
    feePercentage: part(columns.feePercentage),
    spread: part(columns.spread),
    spreadPercentage: part(columns.spreadPercentage),
    dailyChangePercentage: part(columns.dailyChangePercentage),
    ids: columns.ids.subarray(from * ID_BYTES, to * ID_BYTES),
    oddIds: oddIdsWithin(columns, from, to),
  };
}

function oddIdsWithin({ oddIds }: QuoteColumns, from: number, to: number): ReadonlyMap<number, string> {
  const within = new Map<number, string>();
  for (const [index, id] of oddIds) if (index >= from && index < to) within.set(index - from, id);
  return within;
}

/** The quotes `from` to before `to` as columns of their own, in memory that threads can share. */
export function slicedColumns(columns: QuoteColumns, from: number, to: number): QuoteColumns {
  const rows = Math.max(0, to - from);
  const oddIds = oddIdsWithin(columns, from, to);
  const sliced = columnsOver(new SharedArrayBuffer(rows * ROW_BYTES), rows, { names: columns, oddIds });
  copyColumns(windowOf(columns, from, to), sliced);
  return sliced;
}

/** A part of columns that has yet to be loaded. */
export interface ColumnsPart {
  /** Number of quotes of the part. */
  readonly rows: number;
  /** Writes the whole part into columns of as many rows; returns the ids that do not fit into 16 bytes, by index. */
  readonly fill: (target: QuoteColumns) => ReadonlyMap<number, string>;
}

/** Columns of one lane in memory that threads can share. Each part is written in place, without a copy. */
export function filledColumns(names: ColumnNames, parts: readonly ColumnsPart[]): QuoteColumns {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const oddIds = new Map<number, string>();
  const columns = columnsOver(new SharedArrayBuffer(rows * ROW_BYTES), rows, { names, oddIds });
  let before = 0;
  for (const part of parts) {
    for (const [index, id] of part.fill(windowOf(columns, before, before + part.rows))) oddIds.set(before + index, id);
    before += part.rows;
  }
  return columns;
}

/** The quotes by their times, those of one time in the order in which they stand, in memory that threads can share. */
export function byTime(columns: QuoteColumns): QuoteColumns {
  const { at, length, ids } = columns;
  const order = Uint32Array.from(at, (_, row) => row).sort((a, b) => figureAt(at, a) - figureAt(at, b) || a - b);
  const oddIds = new Map<number, string>();
  const sorted = columnsOver(new SharedArrayBuffer(length * ROW_BYTES), length, { names: columns, oddIds });
  const targets = figuresOf(sorted);
  for (const [place, figure] of figuresOf(columns).entries()) targets[place]?.set(Float64Array.from(order, (row) => figureAt(figure, row)));
  for (const [place, row] of order.entries()) {
    sorted.ids.set(ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES), place * ID_BYTES);
    const odd = columns.oddIds.get(row);
    if (odd !== undefined) oddIds.set(place, odd);
  }
  return sorted;
}

/** Copies all quotes into columns of as many rows; returns the ids that do not fit into 16 bytes, by index. */
export function copyColumns(from: QuoteColumns, to: QuoteColumns): ReadonlyMap<number, string> {
  const targets = figuresOf(to);
  for (const [place, figure] of figuresOf(from).entries()) targets[place]?.set(figure);
  to.ids.set(from.ids);
  return from.oddIds;
}

/** The inclusive begin of a period that begins at `from`. A bar stamped with `from` itself belongs to the period before, where there is one. */
export const beginWithin = ({ barMs, at }: Pick<QuoteColumns, 'barMs' | 'at'>, from: Millis): Millis =>
  barMs !== undefined && (at[0] ?? from) < from ? from + 1 : from;

/** The exclusive end of a period that ends at `to`. A bar stamped with `to` itself still belongs to the period. */
export const endWithin = ({ barMs }: Pick<QuoteColumns, 'barMs'>, to: Millis): Millis => (barMs === undefined ? to : to + 1);

/** The rows of a period: the first, and the one behind the last. */
export const rowsWithin = (
  columns: QuoteColumns,
  { from, to }: { readonly from: Millis; readonly to: Millis },
): readonly [first: number, end: number] => [firstAt(columns.at, beginWithin(columns, from)), firstAt(columns.at, endWithin(columns, to))];
