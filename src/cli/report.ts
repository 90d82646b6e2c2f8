import type { Command } from 'commander';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly report?: string;
}

/** Adds `report`: what came of a run, by every figure that a trader asks for. */
export function addReport(program: Command): void {
  addConfigOptions(program.command('report'))
    .description('what came of a run: returns, risk, trades, costs, latency, and what holding or a coin would have made')
    .argument('<run>', "a run's id, or last; `kairos journal runs` lists them")
    .option('--report <file.html>', 'write it as one HTML file with charts as well')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos report last --report report.html')
    .action(report);
}

async function report(run: string, options: Options): Promise<void> {
  const { reportOfRun } = await import('../wiring/run-report.ts');
  const { writeReportPage } = await import('../wiring/reporting.ts');
  const made = reportOfRun({ settings: configFrom(options).settings, run, notice: printNote });
  if (options.report !== undefined) {
    writeReportPage(made, options.report);
    printNote(`wrote ${options.report}`);
  }
  if (options.json) {
    const { reportJson } = await import('../report/json.ts');
    return printJson(reportJson(made));
  }
  const { reportText } = await import('../report/text.ts');
  for (const block of reportText(made)) {
    if (block.kind === 'lines') for (const line of block.lines) printLine(line);
    else {
      printLine(`\n${block.title}`);
      printTable(block.head, block.rows);
    }
  }
}
