import type { StrategyGlance } from '#daemon/operations/report/glance.ts';
import { amountText } from '#domain/money-text.ts';
import { blockedText } from '#domain/no-order-line.ts';
import { leftText } from '#domain/no-order-words.ts';
import { oneLine } from '#domain/one-line.ts';
import { timesText } from '#report/why-not.ts';
import type { StrategyView } from '#server/page/view.ts';
import { figure } from './numbers.ts';
import { printLine, printTable, printText } from './output.ts';

/** Each strategy in one line, and below it why it cannot trade and what ends that. */
export function glance(strategies: readonly StrategyGlance[], now: number, lastDay: string | undefined): void {
  const closed = lastDay === undefined ? 'closed today' : `closed on ${lastDay}`;
  section(
    ['strategy', 'product', 'state', 'position', 'entry', 'mark', 'unrealised', closed, 'won'],
    [
      ...strategies.map(({ strategy, product, state, position, entry, mark, unrealised, currency, today, trades, won, thrown }) => [
        strategy,
        product,
        [
          state === null ? '-' : state.name,
          ...(state?.until ? [leftText(Date.parse(state.until) - now)] : []),
          ...(thrown === null ? [] : [`failed ${timesText(thrown.times)}`]),
        ].join(', '),
        figure(position),
        entry === null ? '-' : figure(entry),
        mark === null ? '-' : figure(String(mark)),
        moneyOf(unrealised, currency),
        moneyOf(today, currency),
        wonOf(won, trades),
      ]),
      ...totalsOf(strategies),
    ],
    {
      spare: ['won', 'entry', 'product'],
      signed: ['unrealised', closed],
      notes: statesNotes(strategies.map(({ strategy, state }) => [strategy, state])),
    },
  );
  if (strategies.length > 0)
    printText(
      `unrealised: at the mark, the fee of the entry taken off; ${closed}: round trips that ended ${lastDay === undefined ? 'since midnight UTC' : 'on that last day (UTC)'}, net of fees`,
    );
  for (const { strategy, thrown } of strategies) {
    if (thrown === null) continue;
    printText(
      oneLine(
        `${strategy} failed ${timesText(thrown.times)} in ${thrown.run === 'this' ? 'this' : 'the last'} run, last at ${thrown.at}: ${thrown.error}`,
      ),
    );
  }
}

/** Why strategies do not trade, since when, and what ends that, by their names. */
export const statesNotes = (strategies: readonly (readonly [string, StrategyView['state'] | null])[]): ReadonlyMap<string, string> =>
  new Map(strategies.flatMap(([id, state]) => (state === null || state.name === 'RUNNING' ? [] : [[id, oneLine(blockedText(state))]])));

/** An amount with its currency, as tables show it. */
export const moneyOf = (amount: number | null, currency: string | null): string =>
  amount === null ? 'n/a' : currency === null ? '-' : amountText(amount, currency);

const wonOf = (won: number, trades: number): string => (trades === 0 ? '-' : `${won} of ${trades}`);

/** A total for each currency, if there are several rows. */
function totalsOf(strategies: readonly StrategyGlance[]): readonly (readonly string[])[] {
  const known = strategies.filter(({ currency }) => currency !== null);
  if (known.length < 2) return [];
  const groups = Map.groupBy(known, ({ currency }) => currency);
  return [...groups].map(([currency, rows]) => {
    const open = rows.some(({ unrealised }) => unrealised === null) ? null : sumOf(rows.map(({ unrealised }) => unrealised ?? 0));
    const [won, trades] = [sumOf(rows.map((row) => row.won)), sumOf(rows.map((row) => row.trades))];
    const closed = sumOf(rows.map(({ today }) => today));
    return ['total', '', '', '', '', '', moneyOf(open, currency), moneyOf(closed, currency), wonOf(won, trades)];
  });
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, one) => sum + one, 0);

/** A table under a blank line; nothing where it has no rows. */
export function section(...[head, rows, look]: Parameters<typeof printTable>): void {
  if (rows.length === 0) return;
  printLine('');
  printTable(head, rows, look);
}
