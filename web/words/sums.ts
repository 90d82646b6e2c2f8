import type { MoneyView } from '#server/page/view.ts';
import { money } from './numbers.ts';

/** A sum of profits, and over what. */
interface Sum {
  readonly name: string;
  readonly value: number | null;
}

/** Profit of today, of all runs and of this run: what is the same is said once. */
export function sumsOf({
  profitOfDay,
  profitOfRun,
  profit,
  currency,
}: Pick<MoneyView, 'profitOfDay' | 'profitOfRun' | 'profit' | 'currency'>): readonly Sum[] {
  const areSame = (a: number | null, b: number | null): boolean => money(a, currency) === money(b, currency);
  if (profit !== null && areSame(profit, profitOfDay)) return [{ name: 'profit, all today', value: profit }];
  const isOwn = !areSame(profitOfRun, profitOfDay) && !areSame(profitOfRun, profit);
  return [
    { name: 'profit today', value: profitOfDay },
    { name: 'profit of all runs', value: profit },
    ...(isOwn ? [{ name: 'this run', value: profitOfRun }] : []),
  ];
}
