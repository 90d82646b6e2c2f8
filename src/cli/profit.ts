import { type Command, Option } from 'commander';
import type { Settings } from '#config/settings.ts';
import type { GroupBy } from '#report/profit.ts';
import { noteArchived } from './archived-orders.ts';
import { printJson, printNote } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly by: GroupBy;
}

/** Adds `profit`: profit by strategy, day or tag. */
export function addProfit(command: Command): void {
  addJournalOptions(command)
    .addOption(new Option('--by <what>', 'one row for each').choices(['day', 'strategy', 'tag']).default('strategy'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos profit --by day')
    .action(profit);
}

async function profit(options: Options): Promise<void> {
  const { settings } = await runningConfigFrom(options);
  const { rows, ...money } = (options.by === 'day' ? await daysOf(settings) : undefined) ?? (await rowsOf(options.by, settings));
  if (options.json) {
    return printJson(
      rows.map((row) => ({
        ...row,
        fees: row.fees.toString(),
        profit: row.profit.toString(),
        financing: row.financing.toString(),
        corrections: row.corrections.toString(),
        unrealised: row.unrealised?.toString() ?? null,
        return: row.return?.toString() ?? null,
        why: row.unrealised === undefined ? whyNone(row.group, options.by, money.unvalued) : null,
      })),
    );
  }
  if (rows.length === 0) return printNote('no order was executed yet: `kairos orders` shows what became of each');
  const { printProfit, profitNotes } = await import('./profit-table.ts');
  printProfit(options.by, rows);
  for (const note of profitNotes(options.by, rows)) printNote(note);
  if (money.unvalued !== null) printNote(`open and return are not known: ${money.unvalued}`);
}

async function rowsOf(by: GroupBy, settings: Settings) {
  const { profitBy } = await import('#report/profit.ts');
  const { readMoney } = await import('#daemon/operations/report/money.ts');
  const money = readMoney(settings);
  if (by === 'tag')
    await noteArchived(
      settings.journal.path,
      money.trades.map(({ entryOrder }) => entryOrder),
    );
  return { rows: profitBy(by, money, money.ledger), unvalued: money.unvalued };
}

const daysOf = async (settings: Settings) => (await import('#daemon/page/kept-days.ts')).keptDays(settings);

/** Why a row has no open profit. */
const whyNone = (group: string, by: GroupBy, unvalued: string | null): string | null =>
  by === 'strategy' || group === 'total' ? unvalued : `what is open, and returns, are of strategies and of all together, not by ${by}`;
