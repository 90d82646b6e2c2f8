import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { runThread } from '#adapters/threads/thread.ts';
import type { ParquetColumn, ParquetThread } from './parquet-thread.ts';

runThread<ParquetThread>(async ({ data: { path, columns, maxBytes, tooMuch }, post, onMessage }) => {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  // The library's own believes the size that stands in the compressed bytes.
  const zstd: Unpack = (input, bytes) => zstdDecompressSync(input, { maxOutputLength: bytes });
  const unpacks = Object.entries({ ...compressors, ZSTD: zstd });
  const bounded = Object.fromEntries(unpacks.map(([name, unpack]) => [name, within(unpack, { maxBytes, tooMuch })]));
  onMessage(async ({ rowStart, rowEnd }) => {
    const rows: readonly Readonly<Record<string, unknown>>[] = await parquetReadObjects({
      file,
      metadata,
      columns: [...columns],
      rowStart,
      rowEnd,
      compressors: bounded,
    });
    post(columns.map((name) => column(rows, name)));
  });
});

type Unpack = (input: Uint8Array, bytes: number) => Uint8Array;

/** Refuses a page that says it is larger than memory allows, before there is memory for it. */
const within =
  (unpack: Unpack, { maxBytes, tooMuch }: Pick<ParquetThread['data'], 'maxBytes' | 'tooMuch'>): Unpack =>
  (input, bytes) => {
    if (bytes > maxBytes) throw new Error(tooMuch);
    return unpack(input, bytes);
  };

/** Numbers go to the other thread as such. */
function column(rows: readonly Readonly<Record<string, unknown>>[], name: string): ParquetColumn {
  const values = rows.map((row) => row[name]);
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values) : values;
}
