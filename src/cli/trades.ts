import { type Command, Option } from 'commander';
import type { Money } from '#daemon/operations/report/money.ts';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import { amountText, moneyText } from '#domain/money-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { noteArchived } from './archived-orders.ts';
import { withLocalTime } from './instant.ts';
import { addLines, type LinesOptions, rowsToPrint } from './lines-option.ts';
import { signPainted } from './meaning.ts';
import { printCsv, printJson, printNote, printTable, printText, widthOf } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';
import { datedTime } from './terminal-text.ts';

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
  const { settings } = await runningConfigFrom(options);
  const money = readMoney(settings, strategy);
  const all = money.trades.filter(({ book }) => strategy === undefined || book === strategy);
  const lost = all.filter(({ profit }) => profit.lt(0)).sort((a, b) => a.profit.cmp(b.profit));
  const listed = worst ? lost : all;
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
  if (options.json || options.csv)
    await noteArchived(
      settings.journal.path,
      rows.map(({ entry }) => entry.order),
    );
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
  printTrades(chosen, options);
  printSum(listed);
  for (const [currency, sum] of sumsOf(
    money.ledger.filter(({ kind }) => kind === 'financing'),
    strategy,
  )) {
    printNote(`beside them financing of ${amountText(sum, currency)}, which is in no round trip`);
  }
  for (const [currency, sum] of sumsOf(money.corrections, strategy)) {
    printNote(`beside them corrections of ${amountText(sum, currency)}, which are in no round trip`);
  }
}

type Trade = Money['trades'][number];

/** Round trips as a table, with the places of their product. */
function printTrades(trades: readonly Trade[], { local }: Options): void {
  const byCurrency = Map.groupBy(trades, ({ currency }) => currency);
  const [only] = byCurrency.size === 1 ? byCurrency.keys() : [];
  const into = only === undefined ? '' : ` ${only}`;
  const [fees, profit] = [`fees${into}`, `profit${into}`];
  const money = (amount: Decimal, currency: string): string =>
    only === undefined ? amountText(amount.toNumber(), currency) : moneyText(amount.toNumber(), currency);
  const prices = placesOf(trades, ({ entryPrice, exitPrice }) => [entryPrice, exitPrice], PRICE_DIGITS);
  const sizes = placesOf(trades, ({ size }) => [size]);
  const closed = (at: Millis): string => (local ? withLocalTime(isoTime(at)) : timeOf(isoTime(at)));
  printTable(
    ['closed', 'strategy', 'product', 'side', 'size', 'entry', 'exit', fees, profit, 'orders'],
    trades.map((trade) => [
      ...[closed(trade.closedAt), trade.book, trade.product, trade.side, trade.size.toFixed(sizes.get(trade.product) ?? 0)],
      ...[trade.entryPrice, trade.exitPrice].map((price) => price.toFixed(prices.get(trade.product) ?? 0)),
      ...[money(trade.fees, trade.currency), money(trade.profit, trade.currency)],
      `${orderOf(trade.entryOrder)} ${orderOf(trade.exitOrder)}`,
    ]),
    { spare: [fees, 'product', 'orders'], signed: [profit] },
  );
}

/** How many of all round trips won, whether or not they were printed, and what they made. */
function printSum(trades: readonly Trade[]): void {
  const won = trades.filter(({ profit: made }) => made.gt(0)).length;
  const lost = trades.filter(({ profit: made }) => made.lt(0)).length;
  const sums = [...Map.groupBy(trades, ({ currency }) => currency)].map(([currency, own]) =>
    amountText(own.reduce((total, { profit: made }) => total.plus(made), ZERO).toNumber(), currency),
  );
  const painted = (text: string): string => sums.reduce((line, sum) => line.replace(sum, signPainted(sum)), text);
  printText(
    `${trades.length} round ${trades.length === 1 ? 'trip' : 'trips'}: ${won} won, ${lost} lost, together ${sums.join(', ')}`,
    painted,
  );
}

/** Digits of a price; a modelled one has more, which only CSV and JSON have. */
const PRICE_DIGITS = 7;

/** Decimal places of a product's figures, so that they stand under each other; no more than make so many digits. */
function placesOf(
  trades: readonly Trade[],
  of: (trade: Trade) => readonly Decimal[],
  digits = Number.POSITIVE_INFINITY,
): ReadonlyMap<string, number> {
  const placed = (one: Decimal): number =>
    Math.min(one.decimalPlaces(), Math.max(2, digits - Math.ceil(Math.log10(one.toNumber() + Number.MIN_VALUE))));
  return new Map(
    [...Map.groupBy(trades, ({ product }) => product)].map(([product, own]) => [
      product,
      own.flatMap(of).reduce((most, one) => Math.max(most, placed(one)), 0),
    ]),
  );
}

/** On a terminal a time has its day, which a list of several days needs, and an order its number, by which `why` knows it as well. */
const timeOf = (at: string): string => (isTerminal() ? datedTime(at, Date.now()) : at);
const orderOf = (order: string): string => (isTerminal() ? order.replace(/-1$/, '') : order);
const isTerminal = (): boolean => widthOf(process.stdout) !== undefined;

const CSV_COLUMNS = [
  ...['strategy', 'product', 'side', 'size', 'entry_at', 'entry_price', 'entry_order', 'exit_at', 'exit_price', 'exit_order'],
  ...['tag', 'fees', 'profit', 'currency'],
];

/** Amounts of one strategy or of all, by currency. */
function sumsOf(
  amounts: readonly { readonly book: string; readonly currency: string; readonly amount: unknown }[],
  strategy: string | undefined,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { book, currency, amount } of amounts) {
    if (strategy === undefined || book === strategy) sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
  }
  return sums;
}
