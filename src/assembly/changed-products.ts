import type { RateLane, Settings, StrategySettings } from '#config/settings.ts';
import { type Amount, amountText } from '#domain/lane.ts';
import type { Product } from '#domain/product.ts';
import { amountFault, wantedBy } from './assemble.ts';

/** What needs products of the service. */
export interface ProductNeeds {
  readonly strategies: readonly StrategySettings[];
  readonly rates: readonly RateLane[];
}

/** What enabled strategies and the rates of an account need. */
export const productNeeds = ({ strategies, account }: Pick<Settings, 'strategies' | 'account'>): ProductNeeds => ({
  strategies: strategies.filter(({ enabled }) => enabled),
  rates: account.rates,
});

/** A product that somebody needs, and in which amount; null only shows it. */
interface Want {
  readonly product: string;
  readonly amount: Amount | null;
}

/** Says why the service's list does not fit what fitted in an earlier run; undefined where it fits, or where it is the settings that have changed (F19). */
export function listChange(before: ProductNeeds, products: readonly Product[]): (wants: readonly Want[]) => string | undefined {
  const text = ({ product, amount }: Want): string => `${product} ${amount && amountText(amount)}`;
  const fitted = new Set([...before.strategies.flatMap(wantedBy), ...before.rates].map(text));
  return (wants) => {
    const misfits = wants.flatMap((want) => {
      const why = misfitOf(want, products);
      return why === undefined ? [] : [{ why, hasFitted: fitted.has(text(want)) }];
    });
    return misfits.every(({ hasFitted }) => hasFitted) ? misfits[0]?.why : undefined;
  };
}

function misfitOf({ product: code, amount }: Want, products: readonly Product[]): string | undefined {
  const product = products.find((one) => one.code === code);
  if (!product) return `the service lists ${code} no more`;
  const fault = amount === null ? undefined : amountFault(amount, product);
  return fault === undefined ? undefined : `the service changed ${code}: amount.${fault}`;
}
