import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runChild } from '#adapters/threads/child.ts';
import { writeReportPage } from '#assembly/reporting.ts';
import { reportOfRun } from './run-report.ts';
import type { ReportChild } from './write-report.ts';

runChild<ReportChild>(({ data: { journal, recordings, file }, post }) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeReportPage(reportOfRun({ settings: { journal: { path: journal }, recording: { dir: recordings } }, run: 'last' }), file);
  post('written');
});
