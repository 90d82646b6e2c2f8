import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf, OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { KairosError } from '#domain/errors.ts';
import type { QuotedProduct } from '#paper-venue/products.ts';
import { DEFAULT_BUDGET } from './assemble.ts';
import { type FittingSettings, figureBelow, fittingSettings, flowYaml, isUnrated, type KnownRates } from './fitting-settings.ts';

/** A strategy whose amount is held against something; null where the amount cannot be read. */
type WithAmount = Pick<StrategySettings, 'id' | 'origin' | 'product'> &
  Partial<Pick<StrategySettings, 'budget'>> & { readonly amount: StrategySettings['amount'] | null };

/** The range of a product's prices; a price is undefined where it is not known. */
export interface PriceRange {
  readonly currency: string;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  /** Rates from `currency`, itself among them; undefined where they are not looked at. */
  readonly rates?: KnownRates;
}

/**
 * The budget and the limits of `risk.*` on value by which every opening of a strategy's amount would be refused, however prices move,
 * all in one line that ends with the settings to write. None where a price or a limit in the product's currency is missing.
 */
export function unpassableAmounts(strategy: WithAmount, settings: Settings, prices: PriceRange | undefined): readonly KairosError[] {
  const opening = openingOf(strategy, settings, prices);
  if (!opening) return [];
  const { what, overCaps, overBudget, canShort, write } = opening;
  if (overCaps.length === 0 && (canShort || overBudget.length === 0)) return [];
  const over = [...overCaps, ...overBudget].join(', ');
  const line = `${what}, over ${over}, so that no opening of this amount passes: take a smaller amount, or write ${write}`;
  return [new KairosError('CONFIG_INVALID', line)];
}

/** That a strategy which may go short can do nothing else, since its budget refuses every buy; undefined where it does not. */
export function unpassableBuys(
  strategy: WithAmount,
  settings: Settings,
  prices: PriceRange | undefined,
): { readonly what: string; readonly mend: string } | undefined {
  const opening = openingOf(strategy, settings, prices);
  if (!opening?.canShort || opening.overCaps.length > 0 || opening.overBudget.length === 0) return undefined;
  const { what, overBudget, write } = opening;
  return {
    what: `${what}, over ${overBudget.join(', ')}, so that no buy can pass, and only shorts are opened`,
    mend: `write ${write}, or take a smaller amount`,
  };
}

/** The limits of value that a product's currency cannot be held against, in one line that ends with the settings to write. */
export function unratedAmounts(strategy: WithAmount, settings: Settings, prices: PriceRange | undefined): readonly KairosError[] {
  const opening = openingOf(strategy, settings, prices);
  if (!opening) return [];
  const { order, currency, caps, write } = opening;
  const unrated = caps.filter(({ cap }) => isUnrated(cap, currency, prices?.rates));
  if (unrated.length === 0) return [];
  const names = unrated.map(({ name }) => name).join(', ');
  const others = [...new Set(unrated.flatMap(({ cap }) => [...cap.keys()]))].join(', ');
  const lacking = `for which there is no limit in ${names}, and no quotes give its rate to ${others}`;
  return [new KairosError('CONFIG_INVALID', `${order} is in ${currency}, ${lacking}, so that no opening passes: write ${write}`)];
}

/** What is known of openings of a strategy's amount, and the settings that let them pass. */
function openingOf(strategy: WithAmount, { risk, account }: Settings, prices: PriceRange | undefined) {
  const { id, origin, product, amount } = strategy;
  if (prices === undefined || amount === null) return undefined;
  const { currency, lowest, highest, rates } = prices;
  const least = worthOf(amount, lowest);
  const worth = worthOf(amount, highest ?? lowest);
  if (least === undefined || worth === undefined) return undefined;
  const limits = limitsOf(risk);
  const caps = OPENING_VALUE_LIMITS.flatMap((name) => {
    const cap = limits[name];
    return cap === null ? [] : [{ name: `risk.${name}`, cap }];
  });
  const budget = budgetOf(strategy, currency);
  const write = settingsText(fittingSettings({ worth, currency, rates, risk, budget }));
  const order = `${origin}: strategy ${id}: amount: an order of ${product}`;
  return {
    order,
    what: `${order} is worth ${'quote' in amount ? '' : 'at least '}${shownWorth(least)} ${currency}`,
    currency,
    caps,
    overCaps: caps.flatMap(({ name, cap }) => {
      const over = figureBelow(cap, { worth: least, currency, rates });
      return over ? [`${name} ${over.figure} ${over.currency}`] : [];
    }),
    overBudget: budget === null || least <= Number(budget[currency] ?? 0) ? [] : [budgetText(budget, product, currency)],
    canShort: account.allowShort.includes(product),
    write,
  };
}

/** A budget by its figure in a currency, or by what it has instead. */
function budgetText(budget: Readonly<Record<string, string>>, product: string, currency: string): string {
  const figure = budget[currency];
  if (figure !== undefined) return `its budget ${figure} ${currency}`;
  return `its budget ${flowYaml(budget)}, which has no ${currency}, in which ${product} is paid`;
}

function settingsText({ risk, budget }: FittingSettings): string {
  return [
    ...(budget === undefined ? [] : [`budget: ${flowYaml(budget)} in its entry`]),
    ...(Object.keys(risk).length === 0 ? [] : [`risk: ${flowYaml(risk)}`]),
  ].join(', and ');
}

/** What an opening of an amount is worth at a price; undefined where that is needed and not known. */
export function worthOf(amount: StrategySettings['amount'], price: number | undefined): number | undefined {
  if ('quote' in amount) return amount.quote.toNumber();
  return price === undefined ? undefined : amount.base.toNumber() * price;
}

/** What purchases of a strategy may cost at first, by currency; null where its entry cannot be read in full, or the currency of its product is not known. */
export function budgetOf({ budget }: Pick<WithAmount, 'budget'>, currency: string | undefined): Readonly<Record<string, string>> | null {
  if (budget === undefined || (budget === null && currency === undefined)) return null;
  return budget ?? { [currency ?? '']: String(DEFAULT_BUDGET) };
}

const shownWorth = (worth: number): string => (worth >= 100 ? worth.toFixed(0) : worth.toPrecision(3));

/** The amount that is larger than all that the embedded venue offers of a product, so that it refuses the lane. */
export function unofferedAmounts(
  { product, amount }: Pick<WithAmount, 'product' | 'amount'>,
  at: string,
  offered: readonly QuotedProduct[],
): readonly KairosError[] {
  const most = offered.find(({ code }) => code === product)?.maxSize;
  if (most === undefined || amount === null || !('base' in amount) || amount.base.lte(most)) return [];
  const what = `${at}.base: the paper venue offers at most ${most} of ${product} in one quote`;
  return [new KairosError('CONFIG_INVALID', `${what}: take a smaller amount`)];
}
