import type { DayProfit } from '#server/page/history-view.ts';
import type { MoneyView } from '#server/page/view.ts';

/** Days in one currency, and the currencies that are left out. */
interface DaysShown {
  readonly currency: string;
  readonly days: readonly DayProfit[];
  readonly others: readonly string[];
}

/** Closed profit by day in the account's currency at present rates, as the rest of the page; where none leads there, in that of the most round trips. */
export function daysIn(days: readonly DayProfit[], { currency, made }: Pick<MoneyView, 'currency' | 'made'>): DaysShown {
  const rates = new Map([...made.map((one) => [one.currency, one.rate] as const), [currency, 1] as const]);
  const rateOf = (one: DayProfit): number | null => rates.get(one.currency) ?? null;
  const rated = days.filter((one) => rateOf(one) !== null);
  if (rated.length === 0 && days.length > 0) return inOwn(days);
  const byDay = Map.groupBy(rated, ({ day }) => day);
  const shown = [...byDay].map(([day, parts]) => ({
    day,
    currency,
    profit: total(parts, (one) => one.profit * (rateOf(one) ?? 0)),
    trades: total(parts, ({ trades }) => trades),
    won: total(parts, ({ won }) => won),
  }));
  return { currency, days: shown, others: currenciesOf(days.filter((one) => rateOf(one) === null)) };
}

function inOwn(days: readonly DayProfit[]): DaysShown {
  const trades = (of: string): number =>
    total(
      days.filter((one) => one.currency === of),
      (one) => one.trades,
    );
  const [currency = '', ...others] = currenciesOf(days).sort((a, b) => trades(b) - trades(a));
  return { currency, days: days.filter((one) => one.currency === currency), others };
}

const currenciesOf = (days: readonly DayProfit[]): string[] => [...new Set(days.map(({ currency }) => currency))];

const total = (days: readonly DayProfit[], of: (one: DayProfit) => number): number => days.reduce((sum, one) => sum + of(one), 0);
