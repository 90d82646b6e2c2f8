import type { DayWriter, ImportedRun } from '#adapters/recording/import/import-writer.ts';
import type { TickDay, TickQuotes } from '#adapters/recording/import/tick-day.ts';
import type { ImportFacts } from '#adapters/recording/manifest.ts';
import { Thread } from '#adapters/threads/thread.ts';

/** The import's thread receives days and the end; it answers each message with what it wrote, null for a day. */
export interface ImportThread {
  readonly data: { readonly folder: string; readonly quotes: TickQuotes };
  readonly toThread: { readonly kind: 'day'; readonly day: TickDay } | { readonly kind: 'finish'; readonly facts: ImportFacts | undefined };
  readonly fromThread: ImportedRun | null;
}

/** Maximum number of queued days: a slow disk must not fill memory with a year of ticks. */
const MAX_WAITING = 4;

/** Options for large files; for small ones the thread costs more time than it saves. */
export const IN_THREAD = { writer: writerInThread, fromBytes: 32_000_000 };

/** Packs and writes the days of an import in a thread of its own, while the next ones are read. */
function writerInThread(folder: string, quotes: TickQuotes): DayWriter {
  const entry = new URL('./import-thread-entry.ts', import.meta.url);
  const thread = new Thread<ImportThread>({ entry, name: 'import', data: { folder, quotes } });
  let waiting = 0;
  let failure: unknown;
  let written: ImportedRun | null = null;
  let wake = (): void => {};
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  thread.onMessage((answer) => {
    waiting -= 1;
    written = answer;
    wake();
  });
  thread.onError(fail);
  void thread.ended.then((code) => fail(new Error(`the thread that writes the import ended with ${code}`)));
  const send = (message: ImportThread['toThread'], memory: readonly ArrayBuffer[]): void => {
    waiting += 1;
    thread.post(message, memory);
  };
  /** Waits for a value of `take`. Throws the thread's error. */
  const until = async <T>(take: () => T | undefined): Promise<T> => {
    for (;;) {
      if (failure !== undefined) throw failure;
      const taken = take();
      if (taken !== undefined) return taken;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    write: (day) => send({ kind: 'day', day }, [day.at.buffer, day.bid.buffer, day.ask.buffer]),
    async room() {
      await until(() => waiting < MAX_WAITING || undefined);
    },
    finish(facts) {
      send({ kind: 'finish', facts }, []);
      return until(() => written ?? undefined);
    },
    async close() {
      await thread.stop();
    },
  };
}
