import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import type { ReportTask } from './report-thread.ts';
import { writeReportPage } from './reporting.ts';
import { reportOfRun } from './run-report.ts';

const { journal, recordings, file }: ReportTask = workerData;

mkdirSync(path.dirname(file), { recursive: true });
writeReportPage(reportOfRun({ settings: { journal: { path: journal }, recording: { dir: recordings } }, run: 'last' }), file);
