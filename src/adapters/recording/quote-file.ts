import { type ColumnNames, type ColumnsPart, columnsOver, figuresOf, filledColumns, ROW_BYTES } from '#domain/columns-memory.ts';
import { figureAt } from '#domain/figure-at.ts';
import { currency, laneIdOf, productCode } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { LARGEST_DELTA } from './delta.ts';
import { fillDerived } from './derived-figures.ts';
import { type ColumnData, type ColumnType, DECIMAL_SCALE, parquetOf } from './parquet-columns.ts';
import { ParquetFile } from './parquet-file.ts';

/** Version of the columns below; readers refuse others. */
const QUOTE_FORMAT = 1;

/** Key under which a file says what it holds. */
const ABOUT = 'kairos';

interface About extends Readonly<Record<Exclude<keyof ColumnNames, 'barMs'>, string>> {
  readonly format: number;
}

interface StoredColumn {
  readonly name: string;
  /** How it is stored where its numbers allow; else as doubles. */
  readonly kind: ColumnType;
  readonly of: (columns: QuoteColumns) => Float64Array;
}

/** What is stored of every quote, besides its id. */
const STORED: readonly StoredColumn[] = [
  { name: 'line', kind: 'whole', of: ({ line }) => line },
  { name: 'n', kind: 'whole', of: ({ n }) => n },
  { name: 'arrived_at', kind: 'time', of: ({ at }) => at },
  { name: 'valid_until', kind: 'time', of: ({ validUntil }) => validUntil },
  { name: 'epoch', kind: 'whole', of: ({ epoch }) => epoch },
  { name: 'buy_price', kind: 'decimal', of: ({ buy }) => buy.price },
  { name: 'sell_price', kind: 'decimal', of: ({ sell }) => sell.price },
  { name: 'buy_size', kind: 'decimal', of: ({ buy }) => buy.size },
  { name: 'sell_size', kind: 'decimal', of: ({ sell }) => sell.size },
  { name: 'fee_pct', kind: 'decimal', of: ({ feePercentage }) => feePercentage },
  { name: 'buy_slippage', kind: 'decimal', of: ({ buy }) => buy.slippage },
  { name: 'daily_change_pct', kind: 'decimal', of: ({ dailyChangePercentage }) => dailyChangePercentage },
];

/** What follows from the above, and is stored only where it does not; its place is its bit in `differs`. */
const DERIVED: readonly Omit<StoredColumn, 'kind'>[] = [
  { name: 'buy_value', of: ({ buy }) => buy.value },
  { name: 'buy_fee_base', of: ({ buy }) => buy.feeInBaseCcy },
  { name: 'buy_fee_quote', of: ({ buy }) => buy.feeInQuoteCcy },
  { name: 'buy_slippage_pct', of: ({ buy }) => buy.slippagePercentage },
  { name: 'sell_value', of: ({ sell }) => sell.value },
  { name: 'sell_fee_base', of: ({ sell }) => sell.feeInBaseCcy },
  { name: 'sell_fee_quote', of: ({ sell }) => sell.feeInQuoteCcy },
  { name: 'sell_slippage', of: ({ sell }) => sell.slippage },
  { name: 'sell_slippage_pct', of: ({ sell }) => sell.slippagePercentage },
  { name: 'spread', of: ({ spread }) => spread },
  { name: 'spread_pct', of: ({ spreadPercentage }) => spreadPercentage },
];

/**
 * Quotes of one lane as a Parquet file. `derived` says whether figures that follow from others were made that way, so that
 * there is nothing to compare.
 */
export function quoteFile(columns: QuoteColumns, derived: 'compared' | 'follows'): Uint8Array {
  const { length, lane, product, baseCcy, quoteCcy } = columns;
  const about: About = { format: QUOTE_FORMAT, lane, product, baseCcy, quoteCcy };
  const stored = STORED.map((one): ColumnData => numberColumn(one, one.of(columns)));
  const columnsOfFile = [
    ...stored,
    ...idColumns(columns),
    ...(derived === 'compared' ? exceptions(columns) : [differing(new Float64Array(length))]),
  ];
  return parquetOf(length, columnsOfFile, { [ABOUT]: JSON.stringify(about) });
}

/** Reads a file of `rows` quotes of `quoteFile` back, every double as it was, into memory that threads can share. Throws where it is none. */
export function quotesIn(bytes: Uint8Array<ArrayBuffer>, rows: number): QuoteColumns {
  const file = openQuotes(bytes, rows);
  return filledColumns(file.names, [{ rows: file.rows, fill: file.fill }]);
}

/** Opens a file of `rows` quotes of `quoteFile`, whose quotes can then be written where they belong. Throws where it is none. */
export function openQuotes(bytes: Uint8Array<ArrayBuffer>, rows: number): ColumnsPart & { readonly names: ColumnNames } {
  const file = new ParquetFile(bytes, rows);
  const said = file.said(ABOUT);
  if (said === undefined) throw new RangeError('it has no header of a recording');
  const about: About = JSON.parse(said);
  if (about.format !== QUOTE_FORMAT) throw new RangeError(`its format is ${about.format}, this Kairos reads ${QUOTE_FORMAT}`);
  const names: ColumnNames = {
    lane: laneIdOf(about.lane),
    product: productCode(about.product),
    baseCcy: currency(about.baseCcy),
    quoteCcy: currency(about.quoteCcy),
  };
  return { rows, names, fill: (target) => readInto(file, target) };
}

function readInto(file: ParquetFile, columns: QuoteColumns): ReadonlyMap<number, string> {
  for (const { name, of } of STORED) file.numbers(name, of(columns));
  fillDerived(columns);
  readExceptions(file, columns);
  if (file.nulls('id') < file.rows) file.uuids('id', columns.ids);
  const oddIds = new Map<number, string>();
  if (file.has('id_text')) for (const [row, text] of file.texts('id_text').entries()) if (text !== undefined) oddIds.set(row, text);
  return oddIds;
}

/** Packed where that keeps every double, else as doubles. Without a value are, among whole numbers, those that are none. */
function numberColumn({ name, kind }: Omit<StoredColumn, 'of'>, values: Float64Array): ColumnData {
  if (kind === 'decimal') {
    const scaled = scaledOf(values);
    return scaled ? { name, kind, values: scaled } : { name, kind: 'double', values };
  }
  if (name === 'n') {
    const present = new Uint8Array(values.length);
    for (let row = 0; row < values.length; row += 1) present[row] = Number.isNaN(values[row]) ? 0 : 1;
    return isPackable(values, present) ? { name, kind: 'whole', values, present } : { name, kind: 'double', values };
  }
  return isPackable(values) ? { name, kind: kind === 'time' ? 'time' : 'whole', values } : { name, kind: 'double', values };
}

function scaledOf(values: Float64Array): Float64Array | undefined {
  const scaled = new Float64Array(values.length);
  let last = Number.NaN;
  let lastWhole = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = figureAt(values, i);
    // Sizes, fees and quiet prices repeat.
    if (value === last && !Object.is(value, -0)) {
      scaled[i] = lastWhole;
      continue;
    }
    const whole = Math.round(value * DECIMAL_SCALE);
    if (whole / DECIMAL_SCALE !== value || !(Math.abs(whole) <= LARGEST_DELTA) || (value === 0 && Object.is(value, -0))) return undefined;
    scaled[i] = whole;
    last = value;
    lastWhole = whole;
  }
  return scaled;
}

function isPackable(values: Float64Array, present?: Uint8Array): boolean {
  for (let i = 0; i < values.length; i += 1) {
    if (present && present[i] !== 1) continue;
    const value = figureAt(values, i);
    if (!Number.isInteger(value) || Math.abs(value) > LARGEST_DELTA || Object.is(value, -0)) return false;
  }
  return true;
}

function idColumns({ ids, oddIds, length }: QuoteColumns): readonly ColumnData[] {
  const aligned = ids.byteOffset % 4 === 0 ? ids : ids.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const present = new Uint8Array(length);
  for (let row = 0; row < length; row += 1) {
    const at = row * 4;
    present[row] = words[at] || words[at + 1] || words[at + 2] || words[at + 3] ? 1 : 0;
  }
  const columns: ColumnData[] = [{ name: 'id', kind: 'uuid', values: ids, present }];
  if (oddIds.size > 0) {
    const texts = Array.from({ length }, (_, row) => oddIds.get(row) ?? '');
    columns.push({ name: 'id_text', kind: 'text', values: texts, present: Uint8Array.from(texts, (_, row) => (oddIds.has(row) ? 1 : 0)) });
  }
  return columns;
}

/** The column `differs`, and what does not follow. */
function exceptions(columns: QuoteColumns): readonly ColumnData[] {
  const { length } = columns;
  const derived = columnsOver(new ArrayBuffer(length * ROW_BYTES), length, { names: columns, oddIds: columns.oddIds });
  const from = figuresOf(columns);
  for (const [place, figure] of figuresOf(derived).entries()) figure.set(from[place] ?? figure);
  fillDerived(derived);
  const differs = new Float64Array(length);
  const found: ColumnData[] = [];
  for (const [bit, { name, of }] of DERIVED.entries()) {
    const values = of(columns);
    const follows = of(derived);
    const present = new Uint8Array(length);
    let any = false;
    for (let row = 0; row < length; row += 1) {
      if (Object.is(values[row], follows[row])) continue;
      present[row] = 1;
      differs[row] = figureAt(differs, row) + 2 ** bit;
      any = true;
    }
    if (any) found.push({ name, kind: 'double', values, present });
  }
  return [differing(differs), ...found];
}

const differing = (values: Float64Array): ColumnData => ({ name: 'differs', kind: 'whole', values });

function readExceptions(file: ParquetFile, columns: QuoteColumns): void {
  const present = DERIVED.filter(({ name }) => file.has(name));
  if (present.length === 0) return;
  const differs = new Float64Array(file.rows);
  file.numbers('differs', differs);
  const values = new Float64Array(file.rows);
  for (const [bit, { name, of }] of DERIVED.entries()) {
    if (!present.some((one) => one.name === name)) continue;
    file.numbers(name, values);
    const target = of(columns);
    for (let row = 0; row < values.length; row += 1) {
      if ((figureAt(differs, row) >> bit) & 1) target[row] = figureAt(values, row);
    }
  }
}
