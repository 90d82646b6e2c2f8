import { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';

/** Values of one column, row by row, as the library reads them. */
export type ParquetColumn = Float64Array | readonly unknown[];

/** The thread reads rows from `rowStart` to before `rowEnd`, and answers with the columns that it was started with. */
export interface ParquetThread {
  readonly data: { readonly path: string; readonly columns: readonly string[] };
  readonly toThread: { readonly rowStart: number; readonly rowEnd: number };
  readonly fromThread: readonly ParquetColumn[];
}

/** Far more than some rows take on any machine. */
export const PATIENCE_MS = 30_000;
/** A damaged page may say that one value stands there two thousand million times. */
const MAX_HEAP_MB = 2_048;

/**
 * Reads rows of a Parquet file in a thread of its own: in a damaged page the library may go round for ever or fill the memory, and a
 * thread can be ended.
 */
export class ParquetRows {
  private readonly thread: Thread<ParquetThread>;
  private readonly patienceMs: number;

  constructor(data: ParquetThread['data'], patienceMs: number) {
    const entry = new URL('./parquet-thread-entry.ts', import.meta.url);
    this.thread = new Thread<ParquetThread>({ entry, name: 'parquet', data, limits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
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
