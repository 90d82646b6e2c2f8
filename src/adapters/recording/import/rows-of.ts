import { open } from 'node:fs/promises';
import { KairosError, messageOf } from '#domain/errors.ts';
import { cellsOf } from './csv-head.ts';
import { ParquetRows } from './parquet-rows.ts';

interface Table {
  /** By what its rows are counted. */
  readonly counted: 'line' | 'row';
  readonly rows: readonly Row[];
}

interface Row {
  /** Its place in the file, from 1. */
  readonly place: number;
  /** By the names of their columns. */
  readonly cells: Readonly<Record<string, unknown>>;
}

/** The rows of a small table, CSV with commas or Parquet. Throws DATA_UNREADABLE. */
export async function rowsOf(file: string): Promise<Table> {
  try {
    const text = await textUnlessParquet(file);
    return text === undefined ? { counted: 'row', rows: await parquetRows(file) } : { counted: 'line', rows: csvRows(text) };
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('DATA_UNREADABLE', `${file}: cannot be read as CSV or Parquet (${messageOf(error)})`);
  }
}

/** Four bytes tell a Parquet file. The rest is read behind them: what comes through a pipe can be read once. */
async function textUnlessParquet(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), { position: null });
    const head = buffer.subarray(0, bytesRead);
    return head.toString('latin1') === 'PAR1' ? undefined : Buffer.concat([head, await handle.readFile()]).toString('utf8');
  } finally {
    await handle.close();
  }
}

function csvRows(text: string): readonly Row[] {
  const [head, ...lines] = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, index) => ({ place: index + 1, cells: cellsOf(line, ',') }))
    .filter(({ cells }) => cells.length > 0);
  const names = head?.cells ?? [];
  return lines.map(({ place, cells }) => ({ place, cells: Object.fromEntries(names.map((name, column) => [name, cells[column]])) }));
}

async function parquetRows(path: string): Promise<readonly Row[]> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
  const flat = parquetSchema(metadata).children.filter(({ children }) => children.length === 0);
  const columns = flat.map(({ element }) => element.name);
  const source = new ParquetRows({ path, columns });
  const rows: Row[] = [];
  try {
    for await (const { rowStart, rowEnd, columns: values } of source.batches(Number(metadata.num_rows)))
      for (let row = 0; row < rowEnd - rowStart; row += 1)
        rows.push({
          place: rows.length + 1,
          cells: Object.fromEntries(columns.map((name, column) => [name, plain(values[column]?.[row])])),
        });
  } finally {
    await source.close();
  }
  return rows;
}

/** Times and whole numbers as senders write them. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}
