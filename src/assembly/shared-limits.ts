import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf, type ValueCap } from '#core/risk/limits.ts';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import { budgetOf, type PriceRange, unpassableBuys, worthOf } from './amount-limits.ts';
import { flowYaml, roundedUp, withFigure } from './fitting-settings.ts';

/** What lets a start pass and keeps strategies from orders all the same, and the settings that mend it. */
export interface SharedWarning {
  /** The currency that it is about. */
  readonly currency: string;
  readonly what: string;
  /** Begins with `write`. */
  readonly mend: string;
  readonly text: string;
}

/** What one order of a strategy is worth at the highest price that is known. */
interface Opening {
  readonly strategy: StrategySettings;
  readonly currency: string;
  readonly worth: number;
}

/**
 * What should be mended although no order alone is sure to be refused: budgets by which a strategy only goes short; limits over all strategies that openings of several pass one by one and not together, so that one strategy keeps another from trading;
 * and budgets that come to more than the account holds at first. `pricesOf`: the prices of a product, where they are known.
 */
export function sharedWarnings(
  strategies: readonly StrategySettings[],
  settings: Settings,
  pricesOf: (product: string) => PriceRange | undefined,
): readonly SharedWarning[] {
  const { maxPositionValue, maxTotalValue } = limitsOf(settings.risk);
  const active = strategies.filter(({ enabled }) => enabled);
  const openings = active.flatMap((strategy): readonly Opening[] => {
    const prices = pricesOf(strategy.product);
    const worth = prices && worthOf(strategy.amount, prices.highest ?? prices.lowest);
    return prices === undefined || worth === undefined ? [] : [{ strategy, currency: prices.currency, worth }];
  });
  const ofProducts = [...Map.groupBy(openings, ({ strategy: { product } }) => product)].flatMap(([product, own]) =>
    overTogether('maxPositionValue', maxPositionValue, { of: `all strategies of ${product}`, openings: own }),
  );
  const ofAll = [...Map.groupBy(openings, ({ currency }) => currency)].flatMap(([currency, own]) =>
    overTogether('maxTotalValue', maxTotalValue, { of: `all positions in ${currency}`, openings: own }),
  );
  const shortOnly = active.flatMap((strategy): readonly SharedWarning[] => {
    const prices = pricesOf(strategy.product);
    const found = unpassableBuys(strategy, settings, prices);
    return found && prices ? [warning(prices.currency, found.what, found.mend)] : [];
  });
  return [...shortOnly, ...ofProducts, ...ofAll, ...budgetsOverAccount(active, settings, (product) => pricesOf(product)?.currency)];
}

/** A limit that one opening of each strategy passes and all of them together do not. */
function overTogether(
  name: string,
  cap: ValueCap,
  { of, openings }: { readonly of: string; readonly openings: readonly Opening[] },
): readonly SharedWarning[] {
  const [first] = openings;
  const most = first && cap?.get(first.currency)?.toNumber();
  if (!first || !cap || most === undefined || openings.length < 2 || openings.some(({ worth }) => worth > most)) return [];
  const together = openings.reduce((sum, { worth }) => sum + worth, 0);
  if (together <= most) return [];
  const { currency } = first;
  const ids = openings.map(({ strategy }) => strategy.id).join(', ');
  return [
    warning(
      currency,
      `risk.${name} (${most} ${currency}) counts ${of} together, and one order each of ${ids} comes to ${together.toFixed(0)} ${currency}: one keeps the other from trading`,
      `write risk: ${flowYaml({ [name]: withFigure(cap, currency, roundedUp(together * ROOM)) })}`,
    ),
  ];
}

/** Room for prices that rise above the highest known one. */
const ROOM = 1.2;

/** Budgets that come to more than the account holds at first. `currencyOf`: the quote currency of a product, where it is known. */
export function budgetsOverAccount(
  strategies: readonly StrategySettings[],
  { account: { opening, isOpeningGiven } }: Pick<Settings, 'account'>,
  currencyOf: (product: string) => string | undefined,
): readonly SharedWarning[] {
  if (opening === null) return [];
  const together = new Map<string, { sum: Decimal; readonly ids: string[] }>();
  for (const strategy of strategies) {
    if (!strategy.enabled) continue;
    const own = budgetOf(strategy, currencyOf(strategy.product));
    for (const [currency, amount] of Object.entries(own ?? {})) {
      const all = together.get(currency) ?? { sum: ZERO, ids: [] };
      all.sum = all.sum.plus(amount);
      all.ids.push(strategy.id);
      together.set(currency, all);
    }
  }
  const over = [...together].filter(([currency, { sum }]) => sum.gt(opening[currency] ?? (isOpeningGiven ? ZERO : sum)));
  const enough = { ...opening, ...Object.fromEntries(over.map(([currency, { sum }]) => [currency, sum.toString()])) };
  return over.map(([currency, { sum, ids }]) => {
    const whose = ids.length === 1 ? `the budget of ${ids[0]} is` : `the budgets of ${ids.join(', ')} come to`;
    const lacks =
      currency in opening
        ? `holds ${opening[currency]} ${currency}: orders are refused once that is spent`
        : `names no ${currency}: purchases with it are refused`;
    const what = `${whose} ${sum} ${currency}, and account.opening ${lacks}`;
    return warning(currency, what, `write account: ${flowYaml({ opening: enough })}, or smaller budgets`);
  });
}

const warning = (currency: string, what: string, mend: string): SharedWarning => ({ currency, what, mend, text: `${what}: ${mend}` });
