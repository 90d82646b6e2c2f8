import type { Command } from 'commander';
import type { Money } from '#daemon/operations/report/money.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { amountText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { entryOf } from '#domain/position.ts';
import type { BookHolding } from '#report/books.ts';
import { figure } from './numbers.ts';
import { printJson, printNote, printTable } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

/** Adds `positions`: each strategy's position, its entry price, and its profit if closed. */
export function addPositions(command: Command): void {
  addJournalOptions(command).option('--json', 'print JSON').addHelpText('after', '\nExample:\n  kairos positions').action(positions);
}

async function positions(options: ConfigOptions & { readonly json?: boolean }): Promise<void> {
  const { readMoney } = await import('#daemon/operations/report/money.ts');
  const money = readMoney((await runningConfigFrom(options)).settings);
  const held = money.holdings.map((holding) => {
    const { book, product, baseCcy, quoteCcy, size, lots, estimate } = holding;
    return {
      strategy: book,
      product,
      size: size.toString(),
      isDust: !money.open.includes(holding),
      currency: baseCcy,
      ...ends(holding, money),
      entry: entryOf(lots)?.toString() ?? null,
      openedAt: lots[0] ? isoTime(lots[0].openedAt) : null,
      estimate: estimate
        ? { price: estimate.price.toString(), lane: estimate.lane, unrealised: estimate.unrealised.toString(), currency: quoteCcy }
        : null,
      why: estimate ? null : money.unvalued,
    };
  });
  const unsure = mayBeHeld(money).map((one) => ({
    ...{ strategy: one.book, product: one.product, size: one.size.toString(), isDust: false, currency: null },
    ...ends(one, money),
    ...{ entry: null, openedAt: null, estimate: null, why: null },
  }));
  const rows = [...held, ...unsure];
  if (options.json) return printJson(rows);
  const [dust, open] = [rows.filter(({ isDust }) => isDust), rows.filter(({ isDust }) => !isDust)];
  for (const { strategy, size, product } of dust)
    printNote(`dust of closed positions, valued in \`kairos profit\`: ${strategy} ${size} ${product}`);
  if (open.length === 0) return printNote('no strategy holds anything: `kairos trades` shows what was closed');
  printTable(
    ['strategy', 'product', 'size', 'currency', 'entry', 'since', 'closes at', 'profit (estimate)'],
    open.map((row) => [
      row.strategy,
      row.product,
      row.low === row.high ? row.size : `${row.size} (${row.low} to ${row.high})`,
      row.currency ?? '-',
      row.entry === null ? '-' : figure(row.entry),
      row.openedAt ?? '-',
      row.estimate?.price ?? none(row),
      row.estimate ? amountText(Number(row.estimate.unrealised), row.estimate.currency) : none(row),
    ]),
    { spare: ['currency', 'since'], signed: ['profit (estimate)'] },
  );
  if (money.unvalued !== null) printNote(`n/a: ${money.unvalued}`);
}

const none = ({ size }: { readonly size: string }): string => (size === '0' ? '-' : 'n/a');

/** Where nothing is held, and an order of unknown outcome may have changed that. */
function mayBeHeld({ holdings, unknowns }: Money): readonly Pick<BookHolding, 'book' | 'product' | 'size'>[] {
  const unsure = new Map(unknowns.map(({ book, product }) => [`${book} ${product}`, { book, product, size: ZERO }]));
  for (const { book, product } of holdings) unsure.delete(`${book} ${product}`);
  return [...unsure.values()];
}

/** The position with every order of unknown outcome at its worse end. */
function ends(
  { book, product, size }: Pick<BookHolding, 'book' | 'product' | 'size'>,
  { unknowns }: Money,
): { readonly low: string; readonly high: string } {
  let [low, high] = [size, size];
  for (const order of unknowns) {
    if (order.book !== book || order.product !== product) continue;
    if (order.side === 'buy') high = high.plus(decimalOf(order.size));
    else low = low.minus(decimalOf(order.size));
  }
  return { low: low.toString(), high: high.toString() };
}
