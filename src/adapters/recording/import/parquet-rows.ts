import { statSync } from 'node:fs';
import { Child } from '#adapters/threads/child.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { messageOf } from '#domain/errors.ts';
import { unreadable } from './csv-head.ts';

/** Values of one column, row by row, as the library reads them. */
export type ParquetColumn = Float64Array | readonly unknown[];

/** The process reads rows from `rowStart` to before `rowEnd`, and answers with the columns that it was started with. */
export interface ParquetChild {
  readonly data: { readonly path: string; readonly columns: readonly string[]; readonly maxBytes: number; readonly tooMuch: string };
  readonly asked: { readonly rowStart: number; readonly rowEnd: number };
  readonly told: readonly ParquetColumn[];
}

/** Far more than `BATCH_ROWS` take, also behind others on a busy machine. */
export const PATIENCE_MS = 120_000;
/** Rows that are in memory together. */
const BATCH_ROWS = 200_000;
/** Memory for the rows of a file. A page may say that one value stands there two thousand million times: so much only a large file is given. */
const MIN_MB = 192;
const MAX_MB = 2_048;
const MB_A_BYTE = 64e-6;

/**
 * Reads rows of a Parquet file in a process of its own: in a damaged page the library may go round for ever or fill the memory, which ends
 * a process and not only a thread.
 */
export class ParquetRows {
  private readonly child: Child<ParquetChild>;
  private readonly path: string;
  private readonly patienceMs: number;

  constructor({ path, columns }: Pick<ParquetChild['data'], 'path' | 'columns'>, patienceMs = PATIENCE_MS) {
    const entry = new URL('./parquet-rows-entry.ts', import.meta.url);
    const mb = Math.min(MAX_MB, Math.round(MIN_MB + statSync(path).size * MB_A_BYTE));
    const tooMuch = `they take more than the ${mb} MB that a file of its size is given: write it anew with smaller row groups`;
    const data = { path, columns, maxBytes: mb * 1e6, tooMuch };
    this.child = new Child<ParquetChild>({ entry, name: 'parquet', data, memory: { mb, tooMuch } });
    this.path = path;
    this.patienceMs = patienceMs;
  }

  /**
   * So many rows, some at a time, column by column. Throws DATA_UNREADABLE with what the library says, where nothing comes for too long, and
   * where less comes than the file's header says: read on, it would be read for ever.
   */
  async *batches(
    rows: number,
  ): AsyncGenerator<{ readonly rowStart: number; readonly rowEnd: number; readonly columns: readonly ParquetColumn[] }> {
    for (let rowStart = 0; rowStart < rows; rowStart += BATCH_ROWS) {
      const rowEnd = Math.min(rows, rowStart + BATCH_ROWS);
      const columns = await this.read({ rowStart, rowEnd }).catch((error: unknown) => {
        throw unreadable(this.path, `rows from ${rowStart + 1} on cannot be read (${messageOf(error)})`, error);
      });
      const came = columns[0]?.length ?? 0;
      if (came < rowEnd - rowStart) throw unreadable(this.path, `its header says ${rows} rows, and it ends after ${rowStart + came}`);
      yield { rowStart, rowEnd, columns };
    }
  }

  private async read(rows: ParquetChild['asked']): Promise<readonly ParquetColumn[]> {
    const late = Promise.withResolvers<never>();
    const why = `their reader gave no rows for ${this.patienceMs / 1000} s, so a page is damaged`;
    const cancel = systemTimers.after(this.patienceMs, () => late.reject(new Error(why)));
    const read = this.child.next();
    this.child.ask(rows);
    try {
      return await Promise.race([read, late.promise]);
    } finally {
      cancel();
      // It ends with the process, after nobody waits for it.
      read.catch(() => {});
    }
  }

  /** Ends the process, whatever it is at. */
  close(): Promise<void> {
    return this.child.stop();
  }
}
