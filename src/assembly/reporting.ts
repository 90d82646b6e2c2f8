import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { reportPage } from '#report/page/page.ts';
import { makeReport, type ReportOptions, type RunReport } from '#report/report.ts';
import { runRecord } from './run-record.ts';

export type { ReportOptions, RunReport } from '#report/report.ts';

interface ReportInput {
  /** The journal of the run: a file, or one in memory. */
  readonly journal: JournalReader;
  /** A run's id, or `last`. */
  readonly run: string;
  /** The quotes of the run; without them, figures that need quotes are n/a. */
  readonly columns: readonly QuoteColumns[];
  readonly options?: ReportOptions;
}

/**
 * The report of a run, the same for live, paper, dry and backtest runs: `headlines`, figures by section, tables and
 * charts. Throws NOT_FOUND for an unknown run.
 */
export function reportOf({ journal, run, columns, options = {} }: ReportInput): RunReport {
  return makeReport(runRecord(journal, run), columns, options);
}

/** Writes a report as one self-contained HTML file. Throws USAGE if the file cannot be written. */
export const writeReportPage = (report: RunReport, file: string): void => writePage(reportPage(report), file);

/** Writes a page of a report. Throws USAGE where the file cannot be written. */
export function writePage(html: string, file: string): void {
  try {
    writeFileSync(file, html);
  } catch (error) {
    throw new KairosError('USAGE', `report ${file} cannot be written (${messageOf(error)}): name a file in a folder that exists`);
  }
}

/**
 * Copies a report into the folder `reports` beside the daemon's journal, whose page lists it. Does nothing without a
 * journal, or if the report is there already.
 */
export function keepForPage(file: string, { journal }: { readonly journal: { readonly path: string } }): void {
  const kept = path.resolve(path.dirname(journal.path), 'reports', path.basename(file));
  if (!existsSync(journal.path) || kept === path.resolve(file)) return;
  try {
    mkdirSync(path.dirname(kept), { recursive: true });
    copyFileSync(file, kept);
  } catch {
    // The report itself is written; only the page's list lacks it.
  }
}
