import path from 'node:path';
import { Child } from '#adapters/threads/child.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** The process is given a journal, recordings and a target; it tells when the report is written. */
export interface ReportChild {
  readonly data: { readonly journal: string; readonly recordings: string; readonly file: string };
  readonly told: 'written';
}

/** Writes the report of the present run into a folder, named by its time, in a process of its own. Returns the answer of the action. */
export async function writeReport(
  actionId: string,
  { journal, recording }: Pick<Settings, 'journal' | 'recording'>,
  { now, signal, dir }: { readonly now: Millis; readonly signal: AbortSignal; readonly dir: string },
): Promise<ActionAnswer> {
  const file = path.join(dir, `report-${isoTime(now).replace(/[-:]|\.\d+/g, '')}.html`);
  const data = { journal: journal.path, recordings: recording.dir, file };
  const answer = (status: 'confirmed' | 'failed', response: string): ActionAnswer => ({ actionId, status, httpStatus: null, response });
  try {
    await new Child<ReportChild>({ entry: new URL('./write-report-entry.ts', import.meta.url), name: 'report', data, signal }).next();
    return answer('confirmed', file);
  } catch (error) {
    return answer('failed', messageOf(error));
  }
}
