import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { runThread } from '#adapters/threads/thread.ts';
import type { ParquetColumn, ParquetThread } from './parquet-thread.ts';

runThread<ParquetThread>(async ({ data: { path, columns }, post, onMessage }) => {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  onMessage(async ({ rowStart, rowEnd }) => {
    const rows: readonly Readonly<Record<string, unknown>>[] = await parquetReadObjects({
      file,
      metadata,
      columns: [...columns],
      rowStart,
      rowEnd,
      compressors,
    });
    post(columns.map((name) => column(rows, name)));
  });
});

/** Numbers go to the other thread as such. */
function column(rows: readonly Readonly<Record<string, unknown>>[], name: string): ParquetColumn {
  const values = rows.map((row) => row[name]);
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values) : values;
}
