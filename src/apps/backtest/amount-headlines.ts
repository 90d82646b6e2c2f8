import { unpassableAmounts } from '#apps/assembly/amount-limits.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { BacktestRun } from './backtest.ts';
import { leastPrice } from './data-faults.ts';
import type { BacktestSession } from './session.ts';

/**
 * Amounts whose every opening is over a limit of value or the budget, one headline for each strategy. An order is refused by the first
 * check that says no: here all of these stand, so that mending one does not run into the next.
 */
export function amountHeadlines({ config, columns }: BacktestSession, { decisions }: BacktestRun): readonly Headline[] {
  const { settings } = config;
  if (settings.backtest.limits === 'off') return [];
  const refused = new Set<string>(decisions.flatMap(({ kind, strategy }) => (kind === 'refused' ? (strategy ?? []) : [])));
  return settings.strategies
    .filter(({ id }) => refused.has(id))
    .flatMap((strategy) =>
      unpassableAmounts(strategy, settings, leastPrice(columns, strategy.product)).map(({ message }) =>
        headline('AMOUNT_TOO_LARGE', message, { strategy: strategy.id }),
      ),
    );
}
