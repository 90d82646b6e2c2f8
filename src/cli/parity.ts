import type { Command } from 'commander';
import { ERRORS, KairosError } from '#domain/errors.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Parity } from '#research/parity/parity.ts';
import type { RowDifference } from '#research/parity/parity-journal.ts';
import { printJson, printLine, printTable } from './output.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';
import { takeUncaught } from './strategy-failures.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

/** Adds `parity`: replays a past run and compares the result with its journal. */
export function addParity(command: Command): void {
  addJournalOptions(command)
    .argument('<run>', 'a run of the journal, or `last`')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos parity last')
    .action(parity);
}

async function parity(run: string, options: Options): Promise<void> {
  const { parityOf } = await import('#research/parity/parity.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { scrubTexts } = await import('#core/strategy/kept-text.ts');
  const { scrubber } = await import('#assembly/log.ts');
  const { settings } = configFrom(options);
  // The run scrubbed its texts as well.
  scrubTexts(scrubber(settings.service));
  takeUncaught('recorded');
  const { progressBar } = await import('./progress.ts');
  const bar = progressBar('parity');
  const folders = { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES };
  const result = await parityOf({ settings, run, folders, onShare: bar.show }).finally(bar.end);
  if (options.json) {
    printJson(result);
    if (!result.equal) process.exitCode = ERRORS.PARITY_BROKEN.exit;
    return;
  }
  for (const remark of result.remarks) printLine(oneLine(`note: ${remark}`));
  if (result.difference) printDifference(result.difference);
  else printLine(`run ${result.run} replays to the same: ${comparedIn(result)}`);
  for (const limit of result.limits) printLine(oneLine(`note: ${limit}`));
  if (result.difference) throw new KairosError('PARITY_BROKEN', `run ${result.run}: ${summaryOf(result, result.difference)}`);
}

function comparedIn({ compared, upTo, complete }: Parity): string {
  const { events, quotes, decisions, orders, ledger, outputs } = compared;
  const tables = complete ? `, ${orders} orders, ${ledger} ledger entries` : '';
  return `${events} events with ${quotes} quotes up to ${upTo}; ${decisions} decisions${tables} and ${outputs} outputs are equal`;
}

function printDifference({ table, row, fields }: RowDifference): void {
  printLine(`the first difference is row ${row} of ${table}`);
  const text = (value: unknown): string => (value === undefined ? '-' : oneLine(typeof value === 'string' ? value : JSON.stringify(value)));
  printTable(
    ['field', 'recorded', 'replayed'],
    fields.map((one) => [one.field, text(one.recorded), text(one.replayed)]),
  );
}

function summaryOf({ compared, remarks }: Parity, { table, row, fields, recorded, replayed }: RowDifference): string {
  const where = recorded?.at ?? replayed?.at;
  const names = fields.map(({ field }) => field).slice(0, 3);
  const differs = `differs in ${names.join(', ')}`;
  const what = recorded === undefined ? 'is in the replay only' : replayed === undefined ? 'is in the run only' : differs;
  const hint = remarks.length > 0 ? `; ${remarks[0]}` : '';
  const at = typeof where === 'string' ? ` at ${where}` : '';
  return `row ${row} of ${table}${at} ${what}, after ${compared.decisions} equal decisions${hint}`;
}
