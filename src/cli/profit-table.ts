import { moneyText } from '#report/figures.ts';
import type { GroupBy, ProfitRow } from '#report/profit.ts';
import { printNote, printTable } from './output.ts';

/** Whose fees a row has. */
const FEES: Readonly<Record<GroupBy, string>> = {
  day: 'of round trips on the day (UTC) of their end, of what is held on the day of its entry; total: all that were paid',
  strategy: 'all that were paid',
  tag: 'all that were paid',
};

/** Prints realised and open profit, each labelled. JSON has all digits. */
export function printProfit(by: GroupBy, rows: readonly ProfitRow[]): void {
  const financed = rows.some(({ financing }) => !financing.isZero());
  printTable(
    [by, 'currency', 'trades', 'won', 'fees', 'closed', ...(financed ? ['financing'] : []), 'open', 'return'],
    rows.map((row) => [
      row.group,
      row.currency,
      String(row.trades),
      String(row.won),
      moneyText(row.fees.toNumber()),
      moneyText(row.profit.toNumber()),
      ...(financed ? [moneyText(row.financing.toNumber())] : []),
      row.unrealised === undefined ? 'n/a' : moneyText(row.unrealised.toNumber()),
      row.return === undefined ? 'n/a' : `${row.return.times(100).toFixed(4)} %`,
    ]),
  );
  if (financed) printNote('financing: what positions cost or brought over the rolls, beside their round trips');
  printNote(
    `fees: ${FEES[by]}; closed: round trips, net of theirs; open: what is held, net of its fees, at its last quotes, an estimate; return: of both, on the capital`,
  );
}
