import { readFile } from 'node:fs/promises';
import { KairosError, messageOf } from '#domain/errors.ts';
import { cellsOf } from './csv-head.ts';

type Cells = Readonly<Record<string, unknown>>;

/** The rows of a small table, CSV with commas or Parquet, by the names of its columns. Throws DATA_UNREADABLE. */
export async function rowsOf(file: string): Promise<readonly Cells[]> {
  try {
    const bytes = await readFile(file);
    return bytes.subarray(0, 4).toString('latin1') === 'PAR1' ? await parquetRows(bytes) : csvRows(bytes.toString('utf8'));
  } catch (error) {
    throw new KairosError('DATA_UNREADABLE', `${file}: cannot be read as CSV or Parquet (${messageOf(error)})`);
  }
}

function csvRows(text: string): readonly Cells[] {
  const [names = [], ...lines] = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => cellsOf(line, ','))
    .filter((cells) => cells.length > 0);
  return lines.map((cells) => Object.fromEntries(names.map((name, column) => [name, cells[column]])));
}

async function parquetRows(bytes: Buffer): Promise<readonly Cells[]> {
  const { parquetReadObjects } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({ file, compressors });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

/** Times and whole numbers as senders write them. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}
