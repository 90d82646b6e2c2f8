import { type Command, InvalidArgumentError } from 'commander';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly report?: string;
  readonly riskFree?: number;
}

/** Adds `report`: the result of a run with all figures. */
export function addReport(program: Command): void {
  addJournalOptions(program.command('report'))
    .description('the results of a run: returns, risk, trades, costs, latency, and what holding or luck would have made')
    .argument('<run>', "a run's id, or last; `kairos journal runs` lists them")
    .option('--report <file.html>', 'write it as one HTML file with charts as well')
    .option('--risk-free <percent>', 'risk-free rate a year, taken off returns in the Sharpe and Sortino ratios (default: 0)', ratePercent)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos report last --report report.html\n  kairos report last --journal backtest.db')
    .action(report);
}

async function report(run: string, options: Options): Promise<void> {
  const { reportOfRun } = await import('#apps/operations/report/run-report.ts');
  const { keepForPage, writeReportPage } = await import('#apps/assembly/reporting.ts');
  const { progressBar } = await import('./progress.ts');
  const { settings } = configFrom(options);
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
    keepForPage(options.report, settings);
    printNote(`wrote ${options.report}`);
  }
  if (options.json) {
    const { reportJson } = await import('#report/json.ts');
    return printJson(reportJson(made));
  }
  const { reportText } = await import('#report/text.ts');
  for (const block of reportText(made)) {
    if (block.kind === 'lines') for (const line of block.lines) printLine(line);
    else {
      printLine(`\n${block.title}`);
      printTable(block.head, block.rows);
    }
  }
}

function ratePercent(text: string): number {
  const rate = /^-?\d{1,2}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(rate)) return rate;
  throw new InvalidArgumentError('It must be a percentage such as 4.5.');
}
