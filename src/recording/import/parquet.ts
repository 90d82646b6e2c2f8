import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { messageOf } from '../../domain/errors.ts';
import { isoMillis, millisOf } from './cells.ts';
import { type ColumnMap, unreadable } from './csv.ts';
import type { Ticks } from './ticks.ts';

/** Rows that are in memory together. */
const BATCH_ROWS = 200_000;

/**
 * Reads the rows of a Parquet file into `ticks`, telling the share that was read and waiting until that is over. Throws
 * DATA_UNREADABLE with file and row.
 */
export async function readParquet(path: string, map: ColumnMap, ticks: Ticks, onShare: (share: number) => Promise<void>): Promise<void> {
  let file: Awaited<ReturnType<typeof asyncBufferFromFile>>;
  let metadata: FileMetaData;
  try {
    file = await asyncBufferFromFile(path);
    metadata = await parquetMetadataAsync(file);
  } catch (error) {
    throw unreadable(path, `it is no Parquet file (${messageOf(error)})`, error);
  }
  const titles = metadata.schema.slice(1).map(({ name }) => name);
  for (const [option, name] of [
    ['time', map.time],
    ['bid', map.bid],
    ['ask', map.ask],
  ] as const) {
    if (!titles.includes(name))
      throw unreadable(path, `no column '${name}' (${titles.join(', ').slice(0, 200)}); name it with --${option}`);
  }
  const rows = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < rows; rowStart += BATCH_ROWS) {
    const rowEnd = Math.min(rows, rowStart + BATCH_ROWS);
    let objects: readonly Readonly<Record<string, unknown>>[];
    try {
      objects = await parquetReadObjects({ file, metadata, columns: [map.time, map.bid, map.ask], rowStart, rowEnd, compressors });
    } catch (error) {
      throw unreadable(path, `rows from ${rowStart + 1} on cannot be read (${messageOf(error)})`, error);
    }
    for (const [row, values] of objects.entries()) {
      const where = `${path}: row ${rowStart + row + 1}`;
      const at = timeOf(values[map.time], map);
      if (Number.isNaN(at))
        throw unreadable(where, `column '${map.time}': '${shown(values[map.time])}' is no time (--unit says which it is)`);
      const bid = Number(values[map.bid] ?? Number.NaN);
      const ask = Number(values[map.ask] ?? Number.NaN);
      if (!(bid > 0 && bid < Number.POSITIVE_INFINITY))
        throw unreadable(where, `column '${map.bid}': '${shown(values[map.bid])}' is not a price above zero`);
      if (!(ask > 0 && ask < Number.POSITIVE_INFINITY))
        throw unreadable(where, `column '${map.ask}': '${shown(values[map.ask])}' is not a price above zero`);
      const fault = ticks.add(at, bid, ask);
      if (fault !== undefined) throw unreadable(where, fault);
    }
    await onShare(rowEnd / rows);
  }
}

function timeOf(value: unknown, { unit }: ColumnMap): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return isoMillis(value);
  if (typeof value === 'bigint') return unit === 'auto' || unit === 'ns' ? bigMillis(value, unit) : millisOf(Number(value), unit);
  return typeof value === 'number' ? millisOf(value, unit) : Number.NaN;
}

/** Nanoseconds do not fit a double exactly: whole milliseconds are taken off first. */
function bigMillis(value: bigint, unit: 'auto' | 'ns'): number {
  return unit === 'ns' || value >= 10n ** 17n ? Number(value / 1_000_000n) : millisOf(Number(value), unit);
}

const shown = (value: unknown): string => String(value).slice(0, 40);
