import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, type SchemaElement } from 'hyparquet';
import { messageOf } from '#domain/errors.ts';
import { unreadable } from './csv-head.ts';
import { byTitles, type Layout, type LayoutFault } from './layout.ts';
import { PATIENCE_MS, type ParquetColumn, ParquetRows } from './parquet-rows.ts';
import type { ColumnMap, LinesLeft, TakeRow } from './row.ts';
import { RowReader } from './row-reader.ts';

/** Throws DATA_UNREADABLE where the columns are not known. */
function columnsIn(path: string, layout: Layout | LayoutFault): Layout {
  if ('what' in layout) throw unreadable(path, layout.what);
  return layout;
}

/** Where the text of a date, or of a time that clocks show somewhere, ends; undefined for a column of instants. */
function endOfClock({ logical_type: is, converted_type }: Partial<SchemaElement> = {}): number | undefined {
  if (is?.type === 'DATE' || converted_type === 'DATE') return '2024-03-01'.length;
  return is?.type === 'TIMESTAMP' && !is.isAdjustedToUTC ? '2024-03-01T14:30:00.000'.length : undefined;
}

/** What the library takes for an instant of UTC, as a text that names no zone. */
const asClockShows = (value: unknown, end: number): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, end) : value;

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
    const { time, bid, ask, low, high, open, spreads, whole, subjects } = layout;
    const wanted = [...new Set([time, bid, ask, low, high, open, spreads, whole, ...subjects].filter((column) => column >= 0))];
    const places = titles.map((_, column) => wanted.indexOf(column));
    const reader = new RowReader({ path, counted: 'row', layout, map, sign: map.decimal }, take);
    const rows = Number(metadata.num_rows);
    const source = new ParquetRows({ path, columns: wanted.map((column) => titles[column] ?? '') }, patienceMs);
    let [columns, row]: [readonly ParquetColumn[], number] = [[], 0];
    const end = endOfClock(metadata.schema[time + 1]);
    const cell = (column: number): unknown => {
      const value = columns[places[column] ?? -1]?.[row];
      return column === time && end !== undefined ? asClockShows(value, end) : value;
    };
    try {
      for await (const { rowStart, rowEnd, columns: came } of source.batches(rows)) {
        columns = came;
        for (row = 0; row < rowEnd - rowStart; row += 1) reader.read(rowStart + row + 1, cell);
        await onShare(rowEnd / rows);
      }
    } finally {
      await source.close();
    }
    return reader.end();
  }
}
