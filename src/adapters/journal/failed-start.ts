import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { shortLine } from '#domain/one-line.ts';
import { controlFiles } from './control-files.ts';
import { readSmall, replaceFile } from './files.ts';

/** A start that failed: wall time and the error. */
interface FailedStart {
  readonly at: Millis;
  readonly why: string;
}

/** Leaves the error of a start beside its journal, where the watcher reads it. A process manager does not tell it to anybody. */
export function leaveFailedStart(journalPath: string, error: unknown, at: Millis): void {
  // Who holds the journal is well: this start is the mistake.
  if (error instanceof KairosError && (error.code === 'JOURNAL_LEASED' || error.code === 'JOURNAL_BUSY')) return;
  try {
    replaceFile(controlFiles(journalPath).failed, `${JSON.stringify({ at: isoTime(at), why: shortLine(messageOf(error)) })}\n`);
  } catch {
    // There is no folder, or it takes no file: the error is on standard error all the same.
  }
}

/** The last start that failed; undefined where none did. */
export function failedStart(journalPath: string): FailedStart | undefined {
  try {
    const { at, why }: Readonly<Record<string, unknown>> = Object(JSON.parse(readSmall(controlFiles(journalPath).failed)));
    if (typeof at === 'string' && typeof why === 'string') return { at: Date.parse(at), why };
  } catch {
    // None failed.
  }
  return undefined;
}
