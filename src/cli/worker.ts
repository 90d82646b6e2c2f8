import path from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '#domain/errors.ts';
import { oneLine } from '#domain/one-line.ts';
import { printLine } from './output.ts';
import { jobsOption, openQueue, queueOption } from './queue-options.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';
import { takeUncaught } from './strategy-failures.ts';

interface Options extends ConfigOptions {
  readonly queue: string;
  readonly data?: string;
  readonly jobs: number;
}

/** Adds `worker`: plays trials of sweeps that other machines have put on a queue. */
export function addWorker(command: Command): void {
  addConfigOptions(command)
    .addOption(queueOption('where the sweeps are').makeOptionMandatory())
    .option('--data <path>', 'a shared folder of recordings, whose quotes are not fetched')
    .addOption(jobsOption())
    .addHelpText('after', '\nExample:\n  kairos worker --queue redis://10.0.0.5:6379')
    .action(worker);
}

async function worker(options: Options): Promise<void> {
  takeUncaught('ends');
  const { settings } = configFrom(options);
  const abort = new AbortController();
  const { queue, key } = await openQueue(options.queue, settings, abort.signal);
  const [{ SweepWorker }, { BlobStore }, { engineText, processName, thisEngine }, { systemTimers }] = await Promise.all([
    import('#research/workers/worker.ts'),
    import('#adapters/shared-jobs/blob-store.ts'),
    import('#research/workers/messages.ts'),
    import('#adapters/time/system-timers.ts'),
  ]);
  let exitCode = 0;
  const off = onStopSignal((signal) => {
    exitCode = signal.exitCode;
    abort.abort();
  });
  const { cache } = settings.queue;
  const { data, jobs: threads } = options;
  const engine = thisEngine();
  const name = processName();
  const store = {
    dir: path.join(cache, 'blobs'),
    authorization: (at: string) => key.authorization(at),
    timers: systemTimers,
    signal: abort.signal,
  };
  const tell = (line: string): void => printLine(oneLine(line));
  tell(`worker ${name}, ${engineText(engine)}, ${threads} threads: waits for sweeps`);
  try {
    const blobs = new BlobStore(store);
    await new SweepWorker({ queue, key, engine, name, blobs, cache, data, threads, timers: systemTimers, tell }).run(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    tell(`ends without the queue (${messageOf(error)}): what it was playing goes to another worker`);
  } finally {
    await queue.close();
    off();
  }
  process.exitCode = exitCode;
}
