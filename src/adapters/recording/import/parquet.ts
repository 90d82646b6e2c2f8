import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import type { UnclearTime } from '#domain/clock-change.ts';
import { messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { isPrice, localNumber, millisOf, textMillis } from './cells.ts';
import { unreadable } from './csv-head.ts';
import { otherSign } from './decimal-sign.ts';
import { byTitles, type Layout, type LayoutFault } from './layout.ts';
import { OneSubject } from './one-subject.ts';
import { PATIENCE_MS, type ParquetColumn, ParquetRows } from './parquet-thread.ts';
import { leftOutBy, RepeatedHours } from './repeated-hours.ts';
import { type ColumnMap, type DecimalSign, type LinesLeft, misshapen, OPTIONS_MEND, type Row, type TakeRow } from './row.ts';
import { RowsAtFault } from './rows-at-fault.ts';
import { isSpread, NO_SPREAD, type PutApart, putApartIn } from './spread.ts';

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

/**
 * Finds the columns of a Parquet file. Throws DATA_UNREADABLE with file and row, then and while it is read, also where nothing comes of
 * rows for `patienceMs`.
 */
export async function openParquet(path: string, map: ColumnMap, patienceMs = PATIENCE_MS): Promise<ParquetPrices> {
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
  } catch (error) {
    throw unreadable(path, `it is not a Parquet file (${messageOf(error)})`, error);
  }
  const titles = metadata.schema.slice(1).map(({ name }) => name);
  const layout = columnsIn(path, byTitles(titles, { at: 0, rows: [], map }));
  return { layout, read };

  async function read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft> {
    const reader = new Rows(layout, map);
    const rows = Number(metadata.num_rows);
    const atFault = new RowsAtFault({ path, counted: 'row', bad: map.bad });
    const hours = new RepeatedHours((row, place) => {
      const ends = take(row);
      if (ends !== undefined) throw atFault.fault(place, ends);
    });
    const source = new ParquetRows({ path, columns: reader.columns }, patienceMs);
    try {
      for (let rowStart = 0; rowStart < rows; rowStart += BATCH_ROWS) {
        const rowEnd = Math.min(rows, rowStart + BATCH_ROWS);
        const columns = await source.read({ rowStart, rowEnd }).catch((error: unknown) => {
          throw unreadable(path, `rows from ${rowStart + 1} on cannot be read (${messageOf(error)})`, error);
        });
        const came = columns[0]?.length ?? 0;
        // Read on, a file that says more rows than it has would be read for ever.
        if (came < rowEnd - rowStart) throw unreadable(path, `its header says ${rows} rows, and it ends after ${rowStart + came}`);
        for (let row = 0; row < came; row++) {
          const fault = reader.read(columns, row);
          if (fault !== undefined) atFault.add(rowStart + row + 1, fault);
          if (fault !== undefined || atFault.isRefused) continue;
          const other = reader.otherSubject(columns, row);
          if (other !== undefined) throw atFault.fault(rowStart + row + 1, other);
          hours.take(reader.row, rowStart + row + 1, reader.unclear);
        }
        await onShare(rowEnd / rows);
      }
    } finally {
      await source.close();
    }
    return { ...atFault.end(), unfinished: 0, repeatedHours: hours.end() };
  }
}

/** Reads rows, one after the other, into one object. */
class Rows {
  /** Titles of what is read, each once. */
  readonly columns: readonly string[];
  readonly row: Row = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: Number.NaN };
  /** What the time of the row says, where that names no single instant. */
  unclear: UnclearTime | undefined;
  private readonly map: ColumnMap;
  private readonly isBars: boolean;
  private readonly time: number;
  private readonly spread: number;
  private readonly putApart: PutApart | undefined;
  private readonly subjects: readonly string[];
  private readonly subject = new OneSubject();
  private readonly prices: readonly { readonly field: 'bid' | 'ask' | 'low' | 'high' | 'open'; readonly column: number }[];

  constructor(layout: Layout, map: ColumnMap) {
    const { titles, time, bid, ask, low, high, open, spreads, isBars, subjects } = layout;
    this.putApart = putApartIn(layout, map);
    this.map = map;
    this.isBars = isBars;
    const prices = [
      { field: 'bid' as const, at: bid },
      { field: 'ask' as const, at: ask },
      { field: 'low' as const, at: low < 0 ? bid : low },
      { field: 'high' as const, at: high < 0 ? ask : high },
      ...(open < 0 ? [] : [{ field: 'open' as const, at: open }]),
    ];
    const titleOf = (at: number): string => titles[at] ?? '';
    this.columns = [...new Set([time, ...prices.map(({ at }) => at), ...(spreads < 0 ? [] : [spreads]), ...subjects].map(titleOf))];
    this.subjects = subjects.map(titleOf);
    this.spread = spreads < 0 ? -1 : this.columns.indexOf(titleOf(spreads));
    this.time = this.columns.indexOf(titleOf(time));
    this.prices = prices.map(({ field, at }) => ({ field, column: this.columns.indexOf(titleOf(at)) }));
  }

  /** Returns what cannot be read. */
  read(columns: readonly ParquetColumn[], at: number): string | undefined {
    const { row, map } = this;
    const value = columns[this.time]?.[at];
    const time = timeOf(value, map);
    this.unclear = typeof time === 'number' ? undefined : time;
    row.at = typeof time === 'number' ? time : (time.instants[0] ?? Number.NaN);
    if (Number.isNaN(row.at)) {
      const why = this.unclear ? leftOutBy(this.unclear) : `is not a time${(map.mends ?? OPTIONS_MEND).unit}`;
      return `column '${this.columns[this.time]}': '${shown(value)}' ${why}`;
    }
    for (const { field, column } of this.prices) {
      const value = columns[column]?.[at];
      const price = numberOf(value, map);
      if (!isPrice(price)) return `column '${this.columns[column]}': '${shown(value)}' ${noPrice(value, map)}`;
      row[field] = price;
    }
    return (this.isBars ? misshapen(row, { hasTitles: true }) : undefined) ?? this.apart(columns[this.spread]?.[at]);
  }

  /** Puts bid and ask apart, where the file has their distance. Returns why they cannot be. */
  private apart(value: unknown): string | undefined {
    if (!this.putApart) return undefined;
    const units = numberOf(value, this.map);
    const fault = isSpread(units) ? this.putApart(this.row, units) : NO_SPREAD;
    return fault === undefined ? undefined : `column '${this.columns[this.spread]}': '${shown(value)}' ${fault}`;
  }

  /** What is wrong with a row whose prices are of something else than those before it. */
  otherSubject(columns: readonly ParquetColumn[], at: number): string | undefined {
    for (const title of this.subjects) {
      const other = this.subject.see(title, String(columns[this.columns.indexOf(title)]?.[at] ?? ''));
      if (other !== undefined) return other;
    }
    return undefined;
  }
}

/** The number of a cell; NaN for none. Texts have the declared decimal sign, and a comma only where one was declared. */
function numberOf(value: unknown, { decimal }: ColumnMap): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || (decimal === undefined && value.includes(','))) return Number.NaN;
  return localNumber(value, decimal ?? 'point');
}

/** Why a cell is no price. */
function noPrice(value: unknown, { decimal, mends = OPTIONS_MEND }: ColumnMap): string {
  const isPriceBy = (sign: DecimalSign): boolean => typeof value === 'string' && isPrice(localNumber(value, sign));
  if (decimal === undefined) return isPriceBy('comma') || isPriceBy('point') ? `has a comma: ${mends.decimal(decimal)}` : NO_PRICE;
  const other = otherSign(decimal);
  return isPriceBy(other) ? `has a decimal ${other}: ${mends.decimal(decimal)}` : NO_PRICE;
}

const NO_PRICE = 'is not a price above zero';

function timeOf(value: unknown, map: ColumnMap): Millis | UnclearTime {
  const { unit } = map;
  if (typeof value === 'string') return textMillis(value, map);
  if (map.clocks) map.clocks.counted = true;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint') return unit === 'auto' || unit === 'ns' ? bigMillis(value, unit) : millisOf(Number(value), unit);
  return typeof value === 'number' ? millisOf(value, unit) : Number.NaN;
}

/** Nanoseconds do not fit a double exactly: whole milliseconds are taken off first. */
function bigMillis(value: bigint, unit: 'auto' | 'ns'): number {
  return unit === 'ns' || value >= 10n ** 17n ? Number(value / 1_000_000n) : millisOf(Number(value), unit);
}

const shown = (value: unknown): string => String(value).slice(0, 40);
