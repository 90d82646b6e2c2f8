import { moneyText, shareText } from '#domain/money-text.ts';
import type { GroupBy, ProfitRow } from '#report/profit.ts';
import { printTable } from './output.ts';

/** Whose fees a row has. */
const FEES: Readonly<Record<GroupBy, string>> = {
  day: 'of round trips on the day (UTC) of their end, of what is held on the day of its entry; total: all that were paid',
  strategy: 'all that were paid',
  tag: 'all that were paid',
};

/** Prints realised and open profit; columns in which no group has a value are left out. JSON has all digits. */
export function printProfit(by: GroupBy, rows: readonly ProfitRow[]): void {
  const { financed, corrected, hasOpen, hasReturn } = columnsOf(rows);
  printTable(
    [
      ...[by, 'currency', 'trades', 'won', 'fees', 'closed', ...(financed ? ['financing'] : []), ...(corrected ? ['corrections'] : [])],
      ...[...(hasOpen ? ['open'] : []), ...(hasReturn ? ['return'] : [])],
    ],
    rows.map((row) => [
      row.group,
      row.currency,
      String(row.trades),
      String(row.won),
      moneyText(row.fees.toNumber(), row.currency),
      moneyText(row.profit.toNumber(), row.currency),
      ...(financed ? [moneyText(row.financing.toNumber(), row.currency)] : []),
      ...(corrected ? [moneyText(row.corrections.toNumber(), row.currency)] : []),
      ...(hasOpen ? [openText(row)] : []),
      ...(hasReturn ? [returnText(row)] : []),
    ]),
    { spare: ['won'], signed: ['closed', 'financing', 'corrections', 'open', 'return'] },
  );
}

/** What the columns of `printProfit` are, and totals that they have no room for. */
export function profitNotes(by: GroupBy, rows: readonly ProfitRow[]): readonly string[] {
  const { financed, corrected, hasOpen, hasReturn } = columnsOf(rows);
  // Days and tags have no open profit; all of them together have.
  const totals = hasOpen || hasReturn ? [] : rows.filter(({ group, unrealised }) => group === 'total' && unrealised !== undefined);
  const open = 'open: what is held, net of its fees, at its last quotes, an estimate; return: of both, on the capital';
  return [
    ...totals.map((row) => `total: open ${openText(row)} ${row.currency}, return ${returnText(row)}`),
    ...(corrected ? ['corrections: what the account had more or less, beside round trips and what is open'] : []),
    ...(financed ? ['financing: what positions cost or brought over the rolls, beside their round trips'] : []),
    `fees: ${FEES[by]}; closed: round trips, net of theirs${hasOpen || totals.length > 0 ? `; ${open}` : ''}`,
  ];
}

/** Columns that some group has a value in. */
function columnsOf(rows: readonly ProfitRow[]) {
  const groups = rows.filter(({ group }) => group !== 'total');
  return {
    financed: rows.some(({ financing }) => !financing.isZero()),
    corrected: rows.some(({ corrections }) => !corrections.isZero()),
    hasOpen: groups.some(({ unrealised }) => unrealised !== undefined),
    hasReturn: groups.some((row) => row.return !== undefined),
  };
}

const openText = ({ unrealised, currency }: ProfitRow): string =>
  unrealised === undefined ? 'n/a' : moneyText(unrealised.toNumber(), currency);

const returnText = (row: ProfitRow): string => (row.return === undefined ? 'n/a' : shareText(row.return.toNumber()));
