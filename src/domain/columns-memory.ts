import type { Currency, LaneId, ProductCode } from './names.ts';
import type { QuoteColumns, SideColumns } from './quote-columns.ts';

/** What all quotes of some columns share. */
export interface ColumnNames {
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
}

/** Columns of doubles, before the ids; `figuresOf` says their order. */
const FIGURES = 23;
const ID_BYTES = 16;

/** Bytes that a quote takes in memory. */
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
  const { lane, product, baseCcy, quoteCcy } = from.names;
  return {
    lane,
    product,
    baseCcy,
    quoteCcy,
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

/** The quotes `from` to before `to` as columns of their own, in memory that threads can share. */
export function slicedColumns(columns: QuoteColumns, from: number, to: number): QuoteColumns {
  const rows = Math.max(0, to - from);
  const oddIds = new Map<number, string>();
  for (const [index, id] of columns.oddIds) if (index >= from && index < to) oddIds.set(index - from, id);
  const sliced = columnsOver(new SharedArrayBuffer(rows * ROW_BYTES), rows, { names: columns, oddIds });
  const targets = figuresOf(sliced);
  for (const [place, figure] of figuresOf(columns).entries()) targets[place]?.set(figure.subarray(from, to));
  sliced.ids.set(columns.ids.subarray(from * ID_BYTES, to * ID_BYTES));
  return sliced;
}

/** Columns of the same lane, one after the other, as one. */
export function joinedColumns(parts: readonly QuoteColumns[]): QuoteColumns {
  const [first] = parts;
  if (!first) throw new RangeError('no columns to join');
  if (parts.length === 1) return first;
  const rows = parts.reduce((sum, { length }) => sum + length, 0);
  const oddIds = new Map<number, string>();
  const joined = columnsOver(new SharedArrayBuffer(rows * ROW_BYTES), rows, { names: first, oddIds });
  const targets = figuresOf(joined);
  let before = 0;
  for (const part of parts) {
    for (const [place, figure] of figuresOf(part).entries()) targets[place]?.set(figure, before);
    joined.ids.set(part.ids, before * ID_BYTES);
    for (const [index, id] of part.oddIds) oddIds.set(before + index, id);
    before += part.length;
  }
  return joined;
}
