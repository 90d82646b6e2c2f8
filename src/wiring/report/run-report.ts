import { existsSync, statSync } from 'node:fs';
import type { QuoteColumns } from '../../domain/quote-columns.ts';
import { JournalReader } from '../../journal/reader.ts';
import { columnsOf } from '../../recording/log-columns.ts';
import { isRecorded, openRun } from '../../recording/open-run.ts';
import { logPath } from '../../recording/run-log.ts';
import type { Settings } from '../config/settings.ts';
import { type ReportOptions, type RunReport, reportOf } from './reporting.ts';
import { runNamed } from './run-record.ts';

/** A recording that takes more than two seconds to be read. */
const LONG_MB = 60;

export interface RunReportOptions extends ReportOptions {
  readonly settings: { readonly journal: Pick<Settings['journal'], 'path'>; readonly recording: Pick<Settings['recording'], 'dir'> };
  /** A run's id, or `last`. */
  readonly run: string;
  /** Told before work that takes more than a moment. */
  readonly notice: (text: string) => void;
}

/**
 * The report of a past or present run, from the configured journal and the run's recording, also while a daemon writes
 * both. Throws NOT_FOUND for an unknown run, and what opening a journal or a recording throws.
 */
export function reportOfRun({ settings, run: name, notice, ...options }: RunReportOptions): RunReport {
  const journal = JournalReader.open(settings.journal.path);
  try {
    const run = runNamed(journal, name).run_id;
    return reportOf({ journal, run, columns: recordedQuotes(logPath(settings.recording.dir, run), notice), options });
  } finally {
    journal.close();
  }
}

function recordedQuotes(path: string, notice: (text: string) => void): readonly QuoteColumns[] {
  if (!isRecorded(path)) return [];
  const megabytes = existsSync(path) ? Math.round(statSync(path).size / 1e6) : 0;
  if (megabytes >= LONG_MB) notice(`reading ${megabytes} MB of recording: about ${Math.ceil(megabytes / 30)} s`);
  return columnsOf(openRun(path).items());
}
