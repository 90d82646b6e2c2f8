import type { Command } from 'commander';
import type { ExportResult } from '#daemon/operations/bundle/export-run.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { outputFolder } from './output-file.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly to: string;
  readonly data?: string;
  readonly json?: boolean;
}

/** Adds `export`: a run, a backtest or the trials of a sweep as tables for pandas, polars, DuckDB and the like. */
export function addExport(command: Command): void {
  addJournalOptions(command)
    .argument('<what>', "a run's id, last, FILE.db, FILE.db:RUN, a sweep's FILE.jsonl, backtest or sweep")
    .requiredOption('--to <folder>', 'folder of the tables, which are replaced', outputFolder)
    .option('--data <path>', 'with backtest: a recording, folder, run or last (default: recording.dir)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos export last --to bundle\n  kairos export backtest --data last --to bundle')
    .action(exportTables);
}

async function exportTables(what: string, options: Options): Promise<void> {
  const { rows, notes } = await written(what, options);
  if (options.json) return printJson({ folder: options.to, rows, notes });
  printTable(
    ['table', 'rows'],
    Object.entries(rows).map(([table, count]) => [table, String(count)]),
  );
  for (const note of notes) printNote(note);
  printLine(`wrote ${options.to}/bundle.sqlite, and a Parquet file of each table beside it`);
}

async function written(what: string, options: Options): Promise<ExportResult> {
  const { settings } = configFrom(options);
  const { exportTrials, trialLogNamed } = await import('#daemon/operations/bundle/export-trials.ts');
  if (what === 'sweep') return exportTrials(settings, { dir: options.to });
  const log = trialLogNamed(settings, what);
  if (log !== undefined) return exportTrials(settings, { dir: options.to, log });
  const { takeUncaught } = await import('./strategy-failures.ts');
  takeUncaught(what === 'backtest' ? 'ends' : 'recorded');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const folders = { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES };
  if (what === 'backtest') {
    const { exportBacktest } = await import('#daemon/operations/bundle/export-backtest.ts');
    return exportBacktest({ config: configFrom(options), data: options.data, dir: options.to, folders });
  }
  const { runNamedIn } = await import('#daemon/operations/report/compared-runs.ts');
  const { exportRun } = await import('#daemon/operations/bundle/export-run.ts');
  const { journal, run } = runNamedIn(what, settings.journal.path);
  return exportRun({ settings: { ...settings, journal: { path: journal } }, run, dir: options.to, folders });
}
