import type { QuoteColumns } from '../../domain/quote-columns.ts';
import { JournalReader } from '../../journal/reader.ts';
import { columnsOf } from '../../recording/log-columns.ts';
import { isRecorded, openRun } from '../../recording/open-run.ts';
import { logPath } from '../../recording/run-log.ts';
import type { Settings } from '../config/settings.ts';
import { type ReportOptions, type RunReport, reportOf } from './reporting.ts';
import { runNamed } from './run-record.ts';

export interface RunReportOptions extends ReportOptions {
  readonly settings: { readonly journal: Pick<Settings['journal'], 'path'>; readonly recording: Pick<Settings['recording'], 'dir'> };
  /** A run's id, or `last`. */
  readonly run: string;
  /** Told the share of the recording that is read. */
  readonly onShare?: (share: number) => void;
}

/**
 * The report of a past or present run, from the configured journal and the run's recording, also while a daemon writes
 * both. Throws NOT_FOUND for an unknown run, and what opening a journal or a recording throws.
 */
export function reportOfRun({ settings, run: name, onShare = () => {}, ...options }: RunReportOptions): RunReport {
  const journal = JournalReader.open(settings.journal.path);
  try {
    const run = runNamed(journal, name).run_id;
    return reportOf({ journal, run, columns: recordedQuotes(logPath(settings.recording.dir, run), onShare), options });
  } finally {
    journal.close();
  }
}

function recordedQuotes(path: string, onShare: (share: number) => void): readonly QuoteColumns[] {
  return isRecorded(path) ? columnsOf(openRun(path).itemsTold(onShare)) : [];
}
