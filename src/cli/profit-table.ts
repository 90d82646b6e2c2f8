import { moneyText } from '#domain/money-text.ts';
import type { GroupBy, ProfitRow } from '#report/profit.ts';
import { printNote, printTable } from './output.ts';

/** Whose fees a row has. */
const FEES: Readonly<Record<GroupBy, string>> = {
  day: 'of round trips on the day (UTC) of their end, of what is held on the day of its entry; total: all that were paid',
  strategy: 'all that were paid',
  tag: 'all that were paid',
};

/** Prints realised and open profit, each labelled; columns in which no group has a value are left out. JSON has all digits. */
export function printProfit(by: GroupBy, rows: readonly ProfitRow[]): void {
  const financed = rows.some(({ financing }) => !financing.isZero());
  const groups = rows.filter(({ group }) => group !== 'total');
  const hasOpen = groups.some(({ unrealised }) => unrealised !== undefined);
  const hasReturn = groups.some((row) => row.return !== undefined);
  printTable(
    [
      ...[by, 'currency', 'trades', 'won', 'fees', 'closed', ...(financed ? ['financing'] : [])],
      ...[...(hasOpen ? ['open'] : []), ...(hasReturn ? ['return'] : [])],
    ],
    rows.map((row) => [
      row.group,
      row.currency,
      String(row.trades),
      String(row.won),
      moneyText(row.fees.toNumber()),
      moneyText(row.profit.toNumber()),
      ...(financed ? [moneyText(row.financing.toNumber())] : []),
      ...(hasOpen ? [openText(row)] : []),
      ...(hasReturn ? [returnText(row)] : []),
    ]),
  );
  // Days and tags have no open profit; all of them together have.
  const totals = hasOpen || hasReturn ? [] : rows.filter(({ group, unrealised }) => group === 'total' && unrealised !== undefined);
  for (const row of totals) printNote(`total: open ${openText(row)} ${row.currency}, return ${returnText(row)}`);
  if (financed) printNote('financing: what positions cost or brought over the rolls, beside their round trips');
  const open = 'open: what is held, net of its fees, at its last quotes, an estimate; return: of both, on the capital';
  printNote(`fees: ${FEES[by]}; closed: round trips, net of theirs${hasOpen || totals.length > 0 ? `; ${open}` : ''}`);
}

const openText = ({ unrealised }: ProfitRow): string => (unrealised === undefined ? 'n/a' : moneyText(unrealised.toNumber()));

const returnText = (row: ProfitRow): string => (row.return === undefined ? 'n/a' : `${row.return.times(100).toFixed(4)} %`);
