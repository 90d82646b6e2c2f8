import { statSync } from 'node:fs';
import { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';

/** Values of one column, row by row, as the library reads them. */
export type ParquetColumn = Float64Array | readonly unknown[];

/** The thread reads rows from `rowStart` to before `rowEnd`, and answers with the columns that it was started with. */
export interface ParquetThread {
  readonly data: { readonly path: string; readonly columns: readonly string[]; readonly maxBytes: number; readonly tooMuch: string };
  readonly toThread: { readonly rowStart: number; readonly rowEnd: number };
  readonly fromThread: readonly ParquetColumn[];
}

/** Far more than some rows take on any machine. */
export const PATIENCE_MS = 30_000;
/** Memory for the rows of a file. A page may say that one value stands there two thousand million times: so much only a large file is given. */
const MIN_MB = 192;
const MAX_MB = 2_048;
const MB_A_BYTE = 64e-6;

/**
 * Reads rows of a Parquet file in a thread of its own: in a damaged page the library may go round for ever or fill the memory, and a
 * thread can be ended.
 */
export class ParquetRows {
  private readonly thread: Thread<ParquetThread>;
  private readonly patienceMs: number;
  private readonly tooMuch: string;

  constructor({ path, columns }: Pick<ParquetThread['data'], 'path' | 'columns'>, patienceMs: number) {
    const entry = new URL('./parquet-thread-entry.ts', import.meta.url);
    const maxMb = Math.min(MAX_MB, Math.round(MIN_MB + statSync(path).size * MB_A_BYTE));
    this.tooMuch = `they take more than the ${maxMb} MB that a file of its size is given: write it anew with smaller row groups`;
    const data = { path, columns, maxBytes: maxMb * 1e6, tooMuch: this.tooMuch };
    this.thread = new Thread<ParquetThread>({ entry, name: 'parquet', data, limits: { maxOldGenerationSizeMb: maxMb } });
    this.patienceMs = patienceMs;
  }

  /** The rows, column by column; one call at a time. Rejects with what the library says, and where nothing comes for too long. */
  async read(rows: ParquetThread['toThread']): Promise<readonly ParquetColumn[]> {
    const late = Promise.withResolvers<never>();
    const why = `their reader gave no rows for ${this.patienceMs / 1000} s, so a page is damaged`;
    const cancel = systemTimers.after(this.patienceMs, () => late.reject(new Error(why)));
    const read = this.thread.next();
    this.thread.post(rows);
    try {
      return await Promise.race([read, late.promise]);
    } catch (error) {
      throw isMemory(error) ? new Error(this.tooMuch, { cause: error }) : error;
    } finally {
      cancel();
      // It ends with the thread, after nobody waits for it.
      read.catch(() => {});
    }
  }

  /** Ends the thread, whatever it is at. */
  close(): Promise<void> {
    return this.thread.stop();
  }
}

const isMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
