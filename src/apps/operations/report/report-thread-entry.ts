import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runThread } from '#adapters/threads/thread.ts';
import { writeReportPage } from '#apps/assembly/reporting.ts';
import type { ReportThread } from './report-thread.ts';
import { reportOfRun } from './run-report.ts';

runThread<ReportThread>(({ data: { journal, recordings, file }, post }) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeReportPage(reportOfRun({ settings: { journal: { path: journal }, recording: { dir: recordings } }, run: 'last' }), file);
  post('written');
});
