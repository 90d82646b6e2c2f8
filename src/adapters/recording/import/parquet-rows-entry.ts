import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { runChild } from '#adapters/threads/child.ts';
import type { ParquetChild, ParquetColumn } from './parquet-rows.ts';

runChild<ParquetChild>(async ({ data: { path, columns, maxBytes, tooMuch }, asked, post }) => {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  // The library's own believes the size that stands in the compressed bytes.
  const zstd: Unpack = (input, bytes) => zstdDecompressSync(input, { maxOutputLength: bytes });
  const unpacks = Object.entries({ ...compressors, ZSTD: zstd });
  const bounded = Object.fromEntries(unpacks.map(([name, unpack]) => [name, within(unpack, { maxBytes, tooMuch })]));
  const groups = groupsOf(metadata);
  for await (const { rowStart, rowEnd } of asked) {
    const pages = new Map<string, number>();
    const rows: readonly Readonly<Record<string, unknown>>[] = await parquetReadObjects({
      file,
      metadata,
      columns: [...columns],
      rowStart,
      rowEnd,
      compressors: bounded,
      onPage: ({ pathInSchema: [name = ''], rowStart: from, rowEnd: to }) => {
        const key = `${name} ${groups.find(({ end }) => from < end)?.end}`;
        pages.set(key, Math.max(to, pages.get(key) ?? 0));
      },
    });
    for (const { begin, end } of groups.filter((group) => group.begin < rowEnd && group.end > rowStart)) {
      for (const name of columns) {
        const has = pages.get(`${name} ${end}`) ?? begin;
        // The library fills what is missing with nothing, and leaves out what is more.
        if (has > end || has < Math.min(end, rowEnd))
          throw new Error(`its header says rows ${begin + 1} to ${end}, and '${name}' has them to ${has}`);
      }
    }
    post(columns.map((name) => column(rows, name)));
  }
});

/** Where each group of rows begins and ends, by what the file says of itself. */
function groupsOf({ row_groups }: FileMetaData): readonly { readonly begin: number; readonly end: number }[] {
  let end = 0;
  return row_groups.map(({ num_rows }) => {
    const begin = end;
    end += Number(num_rows);
    return { begin, end };
  });
}

type Unpack = (input: Uint8Array, bytes: number) => Uint8Array;

/** Refuses a page that says it is larger than memory allows, before there is memory for it. */
const within =
  (unpack: Unpack, { maxBytes, tooMuch }: Pick<ParquetChild['data'], 'maxBytes' | 'tooMuch'>): Unpack =>
  (input, bytes) => {
    if (bytes > maxBytes) throw new Error(tooMuch);
    return unpack(input, bytes);
  };

/** Numbers go to the other process as such. */
function column(rows: readonly Readonly<Record<string, unknown>>[], name: string): ParquetColumn {
  const values = rows.map((row) => row[name]);
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values) : values;
}
