import { type Command, Option } from 'commander';
import type { Money } from '#daemon/operations/report/money.ts';
import { amountText, moneyText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { withLocalTime } from './instant.ts';
import { addLines, type LinesOptions, rowsToPrint } from './lines-option.ts';
import { printCsv, printJson, printNote, printTable } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

interface Options extends ConfigOptions, LinesOptions {
  readonly json?: boolean;
  readonly local?: boolean;
  readonly strategy?: string;
  readonly worst?: boolean;
}

/** Adds `trades`: round trips, matched first in, first out. */
export function addTrades(command: Command): void {
  addLines(addJournalOptions(command), { withCsv: true })
    .option('--strategy <id>', 'only of this strategy')
    .option('--worst', 'only those that lost, the greatest loss first')
    .option('--local', 'the time of this machine beside UTC')
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV, with all places of the figures').conflicts('json'))
    .addHelpText('after', '\nExample:\n  kairos trades --worst')
    .action(trades);
}

async function trades(options: Options): Promise<void> {
  const { readMoney } = await import('#daemon/operations/report/money.ts');
  const { strategy, worst } = options;
  const money = readMoney((await runningConfigFrom(options)).settings, strategy);
  const all = money.trades.filter(({ book }) => strategy === undefined || book === strategy);
  const lost = all.filter(({ profit }) => profit.lt(0)).sort((a, b) => a.profit.cmp(b.profit));
  const chosen = worst ? rowsToPrint(lost, options) : rowsToPrint(all.toReversed(), options).toReversed();
  const rows = chosen.map((trade) => ({
    strategy: trade.book,
    product: trade.product,
    side: trade.side,
    size: trade.size.toString(),
    entry: { order: trade.entryOrder, at: isoTime(trade.openedAt), price: trade.entryPrice.toString() },
    exit: { order: trade.exitOrder, at: isoTime(trade.closedAt), price: trade.exitPrice.toString() },
    tag: trade.tag,
    fees: trade.fees.toString(),
    profit: trade.profit.toString(),
    currency: trade.currency,
  }));
  if (options.json) return printJson(rows);
  if (options.csv) {
    return printCsv(
      CSV_COLUMNS,
      rows.map(({ entry, exit, ...row }) => [
        ...[row.strategy, row.product, row.side, row.size, entry.at, entry.price, entry.order, exit.at, exit.price, exit.order],
        ...[row.tag, row.fees, row.profit, row.currency],
      ]),
    );
  }
  if (rows.length === 0 && worst) return printNote('no round trip lost');
  if (rows.length === 0)
    return printNote('no round trip yet: `kairos positions` shows what is open, `kairos why-not` what each strategy waits for');
  printTable(
    ['closed', 'strategy', 'product', 'side', 'size', 'entry', 'exit', 'fees', 'profit', 'orders'],
    rows.map((row) => [
      options.local ? withLocalTime(row.exit.at) : row.exit.at,
      row.strategy,
      row.product,
      row.side,
      row.size,
      row.entry.price,
      row.exit.price,
      moneyText(Number(row.fees), row.currency),
      amountText(Number(row.profit), row.currency),
      `${row.entry.order} ${row.exit.order}`,
    ]),
    { spare: ['orders', 'fees', 'product'], signed: ['profit'] },
  );
  for (const [currency, sum] of financingIn(money.ledger, strategy)) {
    printNote(`beside them financing of ${amountText(sum, currency)}, which is in no round trip`);
  }
}

const CSV_COLUMNS = [
  ...['strategy', 'product', 'side', 'size', 'entry_at', 'entry_price', 'entry_order', 'exit_at', 'exit_price', 'exit_order'],
  ...['tag', 'fees', 'profit', 'currency'],
];

/** Financing of positions, by currency. */
function financingIn(ledger: Money['ledger'], strategy: string | undefined): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { kind, book, currency, amount } of ledger) {
    if (kind !== 'financing' || (strategy !== undefined && book !== strategy)) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
  }
  return sums;
}
