import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { isRecorded, openRun } from '#adapters/recording/open-run.ts';
import { type ReportOptions, type RunReport, reportOf } from '#assembly/reporting.ts';
import { type RecordPaths, recordingOf, runNamed } from '#assembly/run-record.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { modelledOrders } from '#research/backtest/outcome.ts';
import { type PlayedData, playedFrom, quotesOf } from '#research/backtest/played.ts';

interface RunReportOptions extends ReportOptions {
  readonly settings: RecordPaths;
  /** A run's id, or `last`. */
  readonly run: string;
  /** Called with the share of the recording that is read. */
  readonly onShare?: (share: number) => void;
}

/**
 * The report of a past or present run, from the configured journal and the run's recording, also while a daemon writes
 * both. Throws NOT_FOUND for an unknown run, and what opening a journal or a recording throws.
 */
export function reportOfRun({ settings, run: name, onShare = () => {}, ...options }: RunReportOptions): RunReport {
  const journal = JournalReader.open(settings.journal.path);
  try {
    const found = runNamed(journal, name);
    const run = found.run_id;
    const played = playedFrom(settings.journal.path, run);
    if (played !== null) return playedReport(journal, run, { played, options });
    return reportOf({ journal, run, columns: recordedQuotes(recordingOf(found, settings), onShare), options });
  } finally {
    journal.close();
  }
}

/** The report of a kept backtest, from the data that it played. */
function playedReport(
  journal: JournalReader,
  run: string,
  { played, options }: { readonly played: PlayedData; readonly options: ReportOptions },
): RunReport {
  const { columns, modelled: modelledLanes, headlines } = quotesOf(played);
  const modelled = modelledOrders(journal.decisionsOf(run).map(decisionOf));
  const { onHalt, asked, lanes, quotes, tried } = played;
  return reportOf({
    journal,
    run,
    columns,
    options: {
      ...{ ...options, modelled, modelledLanes, onHalt, tried, headlines },
      ...{ ...(asked && { asked }), ...(lanes && { lanes: new Set(lanes) }), ...(quotes !== undefined && { quotes }) },
    },
  });
}

/** The quotes of a run from its recording; none where there is none. */
export function recordedQuotes(path: string, onShare: (share: number) => void): readonly QuoteColumns[] {
  return isRecorded(path) ? columnsOf(openRun(path).itemsTold(onShare)) : [];
}
