import { Worker } from 'node:worker_threads';
import type { DayWriter, Written } from '#adapters/recording/import/import-writer.ts';
import type { TickDay, TickQuotes } from '#adapters/recording/import/tick-day.ts';
import type { ImportFacts } from '#adapters/recording/manifest.ts';
import { threadEnvironment } from '#adapters/time/thread-environment.ts';
import { type ErrorCode, KairosError } from '#domain/errors.ts';

/** What the thread of an import is given. */
export interface ImportTask {
  readonly folder: string;
  readonly quotes: TickQuotes;
}

export type ToImport =
  | { readonly kind: 'day'; readonly day: TickDay }
  | { readonly kind: 'finish'; readonly facts: ImportFacts | undefined };

/** One answer a word, in their order. */
export type FromImport =
  | { readonly kind: 'wrote' }
  | { readonly kind: 'finished'; readonly written: Written }
  | { readonly kind: 'failed'; readonly code: ErrorCode | null; readonly why: string };

/** Days that may wait for their turn: a year of ticks must not lie in memory because the disk is slow. */
const MAX_WAITING = 4;

/** For large files: below, the thread takes longer to start and to get warm than it saves. */
export const IN_THREAD = { writer: writerInThread, fromBytes: 32_000_000 };

/** Packs and writes the days of an import in a thread of its own, while the next ones are read. */
function writerInThread(folder: string, quotes: TickQuotes): DayWriter {
  const workerData: ImportTask = { folder, quotes };
  const worker = new Worker(new URL('./import-thread-entry.ts', import.meta.url), {
    workerData,
    execArgv: [],
    env: threadEnvironment(),
    name: 'import',
  });
  let waiting = 0;
  let failure: unknown;
  let written: Written | undefined;
  let wake = (): void => {};
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  worker.on('message', (answer: FromImport) => {
    waiting -= 1;
    if (answer.kind === 'failed') return fail(answer.code === null ? new Error(answer.why) : new KairosError(answer.code, answer.why));
    if (answer.kind === 'finished') written = answer.written;
    wake();
  });
  worker.once('error', fail);
  worker.once('exit', (code) => fail(new Error(`the thread that writes the import ended with ${code}`)));
  const send = (word: ToImport, memory: readonly ArrayBuffer[]): void => {
    waiting += 1;
    worker.postMessage(word, memory);
  };
  /** Waits for what `take` gives. Throws what made the thread fail or die. */
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
    write: (day) => send({ kind: 'day', day }, [day.at.buffer, day.time.buffer, day.bid.buffer, day.ask.buffer]),
    async room() {
      await until(() => waiting < MAX_WAITING || undefined);
    },
    finish(facts) {
      send({ kind: 'finish', facts }, []);
      return until(() => written);
    },
    async close() {
      await worker.terminate();
    },
  };
}
