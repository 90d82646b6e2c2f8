import path from 'node:path';
import { Thread } from '#adapters/threads/thread.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** The thread's input is a journal, recordings and a target; it reports when the report is written. */
export interface ReportThread {
  readonly data: { readonly journal: string; readonly recordings: string; readonly file: string };
  readonly toThread: never;
  readonly fromThread: 'written';
}

/** Writes the report of the present run into a folder, named by its time, in a thread of its own. Returns the answer of the action. */
export async function writeReport(
  actionId: string,
  { journal, recording }: Pick<Settings, 'journal' | 'recording'>,
  { now, signal, dir }: { readonly now: Millis; readonly signal: AbortSignal; readonly dir: string },
): Promise<ActionAnswer> {
  const file = path.join(dir, `report-${isoTime(now).replace(/[-:]|\.\d+/g, '')}.html`);
  const data = { journal: journal.path, recordings: recording.dir, file };
  const answer = (status: 'confirmed' | 'failed', response: string): ActionAnswer => ({ actionId, status, httpStatus: null, response });
  try {
    await new Thread<ReportThread>({ entry: new URL('./report-thread-entry.ts', import.meta.url), name: 'report', data, signal }).next();
    return answer('confirmed', file);
  } catch (error) {
    return answer('failed', messageOf(error));
  }
}
