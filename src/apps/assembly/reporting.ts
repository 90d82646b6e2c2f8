import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { reportPage } from '#report/page/page.ts';
import { makeReport, type ReportOptions, type RunReport } from '#report/report.ts';
import { runRecord } from './run-record.ts';

export type { ReportOptions, RunReport } from '#report/report.ts';

/** What a report is made of. */
interface ReportInput {
  /** The journal that the run is in: a file, or one in memory. */
  readonly journal: JournalReader;
  /** A run's id, or `last`. */
  readonly run: string;
  /** The quotes of the run; empty where none were recorded, and then what needs them is n/a. */
  readonly columns: readonly QuoteColumns[];
  readonly options?: ReportOptions;
}

/**
 * The report of a run, the same for live, paper, dry and backtest runs: `headlines`, figures by section, tables and charts.
 * Throws NOT_FOUND where the journal has no such run.
 */
export function reportOf({ journal, run, columns, options = {} }: ReportInput): RunReport {
  return makeReport(runRecord(journal, run), columns, options);
}

/** Writes a report as one HTML file that needs nothing else. Throws USAGE where the file cannot be written. */
export function writeReportPage(report: RunReport, file: string): void {
  try {
    writeFileSync(file, reportPage(report));
  } catch (error) {
    throw new KairosError('USAGE', `report ${file} cannot be written (${messageOf(error)}): name a file in a folder that exists`);
  }
}

/**
 * Keeps a copy of a report in the folder `reports` beside the journal of the daemon, whose page lists it; where there is no journal yet, or
 * the report is there already, nothing is done.
 */
export function keepForPage(file: string, { journal }: { readonly journal: { readonly path: string } }): void {
  const kept = path.resolve(path.dirname(journal.path), 'reports', path.basename(file));
  if (!existsSync(journal.path) || kept === path.resolve(file)) return;
  try {
    mkdirSync(path.dirname(kept), { recursive: true });
    copyFileSync(file, kept);
  } catch {
    // The report is where it was asked for; a list that lacks it loses nothing.
  }
}
