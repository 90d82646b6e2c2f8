import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { messageOf } from '#domain/errors.ts';
import { millisOf, textMillis } from './cells.ts';
import { unreadable } from './csv-head.ts';
import { byTitles, type Layout, type LayoutFault } from './layout.ts';
import { BAD_ROWS_TOLD, type ColumnMap, type LinesLeft, misshapen, OPTIONS_MEND, type Row, type TakeRow } from './row.ts';

/** Rows that are in memory together. */
const BATCH_ROWS = 200_000;

/** Throws DATA_UNREADABLE where the columns are not known. */
function columnsIn(path: string, layout: Layout | LayoutFault): Layout {
  if ('what' in layout) throw unreadable(path, layout.what);
  return layout;
}

/** A Parquet file whose columns are known. */
interface ParquetPrices {
  readonly layout: Layout;
  read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft>;
}

/** Finds the columns of a Parquet file. Throws DATA_UNREADABLE with file and row, then and while it is read. */
export async function openParquet(path: string, map: ColumnMap): Promise<ParquetPrices> {
  let file: Awaited<ReturnType<typeof asyncBufferFromFile>>;
  let metadata: FileMetaData;
  try {
    file = await asyncBufferFromFile(path);
    metadata = await parquetMetadataAsync(file);
  } catch (error) {
    throw unreadable(path, `it is no Parquet file (${messageOf(error)})`, error);
  }
  const titles = metadata.schema.slice(1).map(({ name }) => name);
  const layout = columnsIn(path, byTitles(titles, { at: 0, sample: [], map }));
  return { layout, read };

  async function read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft> {
    const reader = new Rows(layout, map);
    const rows = Number(metadata.num_rows);
    let bad = 0;
    const badRows: string[] = [];
    for (let rowStart = 0; rowStart < rows; rowStart += BATCH_ROWS) {
      const rowEnd = Math.min(rows, rowStart + BATCH_ROWS);
      let objects: readonly Readonly<Record<string, unknown>>[];
      try {
        objects = await parquetReadObjects({ file, metadata, columns: [...reader.columns], rowStart, rowEnd, compressors });
      } catch (error) {
        throw unreadable(path, `rows from ${rowStart + 1} on cannot be read (${messageOf(error)})`, error);
      }
      // Read on, a file that says more rows than it has would be read for ever.
      if (objects.length < rowEnd - rowStart) throw unreadable(path, `it says ${rows} rows and ends after ${rowStart + objects.length}`);
      for (const [row, values] of objects.entries()) {
        const fault = reader.read(values);
        if (fault !== undefined && map.bad === 'drop') {
          bad += 1;
          if (badRows.length < BAD_ROWS_TOLD) badRows.push(`row ${rowStart + row + 1} ${fault}`);
          continue;
        }
        const ends = fault ?? take(reader.row);
        if (ends !== undefined) throw unreadable(`${path}: row ${rowStart + row + 1}`, ends);
      }
      await onShare(rowEnd / rows);
    }
    return { bad, badRows, unfinished: 0 };
  }
}

/** Reads rows, one after the other, into one object. */
class Rows {
  readonly columns: ReadonlySet<string>;
  readonly row: Row = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: Number.NaN };
  private readonly map: ColumnMap;
  private readonly time: string;
  private readonly isBars: boolean;
  private readonly prices: readonly { readonly field: 'bid' | 'ask' | 'low' | 'high' | 'open'; readonly column: string }[];

  constructor({ titles, time, bid, ask, low, high, open, isBars }: Layout, map: ColumnMap) {
    this.map = map;
    this.isBars = isBars;
    const title = (column: number): string => titles[column] ?? '';
    this.time = title(time);
    this.prices = [
      { field: 'bid', column: title(bid) },
      { field: 'ask', column: title(ask) },
      { field: 'low', column: title(low < 0 ? bid : low) },
      { field: 'high', column: title(high < 0 ? ask : high) },
      ...(open < 0 ? [] : [{ field: 'open' as const, column: title(open) }]),
    ];
    this.columns = new Set([this.time, ...this.prices.map(({ column }) => column)]);
  }

  /** Returns what cannot be read. */
  read(values: Readonly<Record<string, unknown>>): string | undefined {
    const { row, time, map } = this;
    row.at = timeOf(values[time], map);
    if (Number.isNaN(row.at)) return `column '${time}': '${shown(values[time])}' is no time${(this.map.mends ?? OPTIONS_MEND).unit}`;
    for (const { field, column } of this.prices) {
      const price = Number(values[column] ?? Number.NaN);
      if (!(price > 0 && price < Number.POSITIVE_INFINITY))
        return `column '${column}': '${shown(values[column])}' is not a price above zero`;
      row[field] = price;
    }
    return this.isBars ? misshapen(row) : undefined;
  }
}

function timeOf(value: unknown, map: ColumnMap): number {
  const { unit } = map;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return textMillis(value, map);
  if (typeof value === 'bigint') return unit === 'auto' || unit === 'ns' ? bigMillis(value, unit) : millisOf(Number(value), unit);
  return typeof value === 'number' ? millisOf(value, unit) : Number.NaN;
}

/** Nanoseconds do not fit a double exactly: whole milliseconds are taken off first. */
function bigMillis(value: bigint, unit: 'auto' | 'ns'): number {
  return unit === 'ns' || value >= 10n ** 17n ? Number(value / 1_000_000n) : millisOf(Number(value), unit);
}

const shown = (value: unknown): string => String(value).slice(0, 40);
