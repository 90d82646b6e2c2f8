import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf } from '#core/risk/limits.ts';
import { flowYaml, isUnrated, ratesFrom, shareOf, withFigure } from './fitting-settings.ts';

/** A product that is quoted, as far as rates follow from it. */
interface Quoted {
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
}

/**
 * A line for each currency in which strategies trade and whose losses `risk.maxDayLoss` is not held against: it has no figure in it, and no
 * quotes give a rate to one that it has. Each ends with the settings to write. `quoted`: all products that there are quotes of.
 */
export function unheldLosses(
  strategies: readonly Pick<StrategySettings, 'id' | 'product'>[],
  { risk, account }: Pick<Settings, 'risk' | 'account'>,
  quoted: readonly Quoted[],
): readonly string[] {
  const { maxDayLoss, maxOrderValue } = limitsOf(risk);
  const currencies = new Map(quoted.map(({ product, quoteCcy }) => [product, quoteCcy]));
  const byCurrency = Map.groupBy(strategies, ({ product }) => currencies.get(product));
  return [...byCurrency].flatMap(([currency, losing]) => {
    if (currency === undefined || !isUnrated(maxDayLoss, currency, ratesFrom(currency, quoted))) return [];
    const order = maxOrderValue?.get(currency)?.toNumber();
    const [usual] = maxDayLoss.has(account.currency) ? [maxDayLoss.get(account.currency)] : maxDayLoss.values();
    const figure = order === undefined ? (usual?.toNumber() ?? 0) : order * shareOf(maxDayLoss, maxOrderValue);
    const write = flowYaml({ maxDayLoss: withFigure(maxDayLoss, currency, figure) });
    const who = `${losing.length === 1 ? 'strategy' : 'strategies'} ${losing.map(({ id }) => id).join(', ')}`;
    const lacking = `risk.maxDayLoss has no figure in it, and no quotes give its rate to ${[...maxDayLoss.keys()].join(', ')}`;
    return [`losses in ${currency} (${who}) never stop trading: ${lacking}: write risk: ${write}`];
  });
}
