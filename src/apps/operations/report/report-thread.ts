import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '#adapters/time/thread-environment.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** What the thread is told: of which journal and recordings, and where to. */
export interface ReportTask {
  readonly journal: string;
  readonly recordings: string;
  readonly file: string;
}

/**
 * Writes the report of the present run into a folder, named by its time, in a thread of its own, so that no quote waits for
 * it. What came of it, as the answer of an action.
 */
export function writeReport(
  actionId: string,
  { journal, recording }: Pick<Settings, 'journal' | 'recording'>,
  { now, signal, dir }: { readonly now: Millis; readonly signal: AbortSignal; readonly dir: string },
): Promise<ActionAnswer> {
  const file = path.join(dir, `report-${isoTime(now).replace(/[-:]|\.\d+/g, '')}.html`);
  const task: ReportTask = { journal: journal.path, recordings: recording.dir, file };
  const worker = new Worker(new URL('./report-thread-entry.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    env: threadEnvironment(),
    name: 'report',
  });
  signal.addEventListener('abort', () => void worker.terminate(), { once: true });
  const answer = (status: 'confirmed' | 'failed', response: string): ActionAnswer => ({ actionId, status, httpStatus: null, response });
  return new Promise((resolve) => {
    worker.once('error', (error) => resolve(answer('failed', messageOf(error))));
    worker.once('exit', (code) =>
      resolve(code === 0 ? answer('confirmed', file) : answer('failed', `the report's thread ended with ${code}`)),
    );
  });
}
