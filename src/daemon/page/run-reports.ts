import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { comparedReport } from '#report/comparison/compared.ts';
import { comparisonOf } from '#report/comparison/comparison.ts';
import { reportJson } from '#report/json.ts';
import { comparisonPage } from '#report/page/comparison-page.ts';
import { reportPage } from '#report/page/page.ts';
import type { RunReport } from '#report/report.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { HistoryPlaces } from './price-history.ts';

/** The questions whose answer is a report of runs. */
export type ReportAsk = Extract<HistoryAsk, { kind: 'run-report' | 'comparison' }>;

/** The report of a run, or of several side by side, as HTML. Throws NOT_FOUND for an unknown run, and errors of reading. */
export function reportsOfRuns(ask: ReportAsk, places: HistoryPlaces): string {
  if (ask.kind === 'run-report') return reportPage(reportIn(places, ask.run));
  return comparisonPage(comparisonOf(ask.runs.map((run) => comparedReport(run, reportJson(reportIn(places, run))))));
}

function reportIn({ journal, recordings }: Parameters<typeof reportsOfRuns>[1], run: string): RunReport {
  return reportOfRun({ settings: { journal: { path: journal }, recording: { dir: recordings } }, run });
}
