import { type Command, InvalidArgumentError } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { resultPainted } from './meaning.ts';
import { printJson, printLine, printNote, printTable, printText } from './output.ts';
import { outputFile } from './output-file.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly report?: string;
  readonly riskFree?: number;
}

/** Adds `report`: the result of a run with all figures. */
export function addReport(command: Command): void {
  addJournalOptions(command)
    .argument('<run...>', "a run's id, last, FILE.db, FILE.db:RUN or a JSON result; several are compared")
    .option('--report <file.html>', 'write it as one HTML file with charts as well', outputFile('report'))
    .option('--risk-free <percent>', 'yearly risk-free rate, for Sharpe and Sortino ratios (default: 0)', ratePercent)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  kairos report last --report report.html\n  kairos report last --journal backtest.db\n  kairos report a.json b.json --report both.html',
    )
    .action(report);
}

/** Results that stand side by side on a screen. */
const MOST = 6;

async function report(names: readonly string[], options: Options): Promise<void> {
  const { isJsonResult, runNamedIn } = await import('#daemon/operations/report/compared-runs.ts');
  const [name = 'last', ...others] = names;
  if (others.length > 0) return compared(names, options);
  if (isJsonResult(name)) throw new KairosError('USAGE', `${name} alone: a JSON result stands beside another one; name two, or a run`);
  const { reportOfRun } = await import('#daemon/operations/report/run-report.ts');
  const { keepForPage, writeReportPage } = await import('#assembly/reporting.ts');
  const { progressBar } = await import('./progress.ts');
  const { settings: configured } = configFrom(options);
  const { journal, run } = runNamedIn(name, configured.journal.path);
  const settings = { ...configured, journal: { ...configured.journal, path: journal } };
  const bar = progressBar('reading the recording');
  const made = reportOfRun({
    settings,
    run,
    onShare: bar.show,
    ...(options.riskFree !== undefined && { riskFree: options.riskFree / 100 }),
  });
  bar.end();
  if (options.report !== undefined) {
    writeReportPage(made, options.report);
    keepForPage(options.report, configured);
    printNote(`wrote ${options.report}`);
  }
  if (options.json) {
    const { reportJson } = await import('#report/json.ts');
    return printJson(reportJson(made));
  }
  const { reportText } = await import('#report/text.ts');
  for (const block of reportText(made)) {
    if (block.kind === 'lines') for (const line of block.lines) printText(line, line === made.summary ? resultPainted : undefined);
    else {
      printLine(`\n${block.title}`);
      printTable(block.head, block.rows);
    }
  }
}

/** Several results side by side. */
async function compared(names: readonly string[], options: Options): Promise<void> {
  if (names.length > MOST) throw new KairosError('USAGE', `${names.length} results: at most ${MOST} stand side by side`);
  const { comparedNamed, writeComparison } = await import('#daemon/operations/report/compared-runs.ts');
  const { comparisonJson, comparisonOf } = await import('#report/comparison/comparison.ts');
  const { settings } = configFrom(options);
  const more = options.riskFree === undefined ? {} : { riskFree: options.riskFree / 100 };
  const comparison = comparisonOf(names.map((name) => comparedNamed(name, settings, more)));
  if (options.report !== undefined) {
    writeComparison(comparison, options.report);
    printNote(`wrote ${options.report}`);
  }
  if (options.json) return printJson(comparisonJson(comparison));
  const { printComparison } = await import('./comparison-lines.ts');
  printComparison(comparison);
}

function ratePercent(text: string): number {
  const rate = /^-?\d{1,2}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(rate)) return rate;
  throw new InvalidArgumentError('It must be a percentage such as 4.5.');
}
