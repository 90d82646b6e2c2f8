import { unpassableAmounts, unpassableBuys, unratedAmounts } from '#assembly/amount-limits.ts';
import { rateWarningsOfPlayed } from '#assembly/rate-warnings.ts';
import { budgetsOverAccount } from '#assembly/shared-limits.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { BacktestRun } from './backtest.ts';
import { priceRange } from './data-faults.ts';
import type { BacktestSession } from './session.ts';

/**
 * Amounts whose every opening, or every buy, is over a limit of value or the budget, or in a currency that limits say nothing of, with the settings that
 * let them pass; budgets that the account does not cover; and what currencies without a rate lack. An order is refused by the first check that says no: here all of these stand, so that mending one does not run into the next.
 */
export function amountHeadlines({ config, columns, data }: BacktestSession, { decisions }: BacktestRun): readonly Headline[] {
  const { settings } = config;
  if (settings.backtest.limits === 'off') return [];
  const refusals = decisions.filter(({ kind }) => kind === 'refused');
  const refused = new Set<string>(refusals.flatMap(({ strategy }) => strategy ?? []));
  const overBudget = new Set<string>(refusals.flatMap(({ strategy, reason }) => (reason === 'BUDGET' ? (strategy ?? []) : [])));
  const openings = settings.strategies
    .filter(({ id }) => refused.has(id))
    .flatMap((strategy) => {
      const prices = priceRange(columns, { product: strategy.product, imports: data.imports });
      const about = { strategy: strategy.id };
      const noBuys = overBudget.has(strategy.id) ? unpassableBuys(strategy, settings, prices) : undefined;
      return [
        ...(noBuys ? [headline('AMOUNT_TOO_LARGE', `${noBuys.what}: ${noBuys.mend}`, about)] : []),
        ...unpassableAmounts(strategy, settings, prices).map(({ message }) => headline('AMOUNT_TOO_LARGE', message, about)),
        ...unratedAmounts(strategy, settings, prices).map(({ message }) => headline('LIMITS_WITHOUT_RATE', message, about)),
      ];
    });
  const unopened = new Set(openings.flatMap(({ code, strategy }) => (code === 'LIMITS_WITHOUT_RATE' ? (strategy ?? []) : [])));
  const losing = settings.strategies.filter(({ id, enabled }) => enabled && !unopened.has(id));
  const quoted = columns.filter(({ length }) => length > 0);
  const currencies = new Map<string, string>(quoted.map(({ product, quoteCcy }) => [product, quoteCcy]));
  const lacking = budgetsOverAccount(settings.strategies, settings, (product) => currencies.get(product));
  return [
    ...openings,
    ...lacking.map(({ text }) => headline('BUDGETS_OVER_ACCOUNT', text)),
    ...rateWarningsOfPlayed(losing, settings, quoted).map(({ code, text }) => headline(code, text)),
  ];
}
