import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf, OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { KairosError } from '#domain/errors.ts';
import type { QuotedProduct } from '#venue/products.ts';
import { DEFAULT_BUDGET } from './assemble.ts';

/** A strategy whose amount is held against something; null where the amount cannot be read. */
type WithAmount = Pick<StrategySettings, 'id' | 'origin' | 'product'> &
  Partial<Pick<StrategySettings, 'budget'>> & { readonly amount: StrategySettings['amount'] | null };

/** The currency of a product's prices, and the least that one unit of it costs; undefined where no price is known. */
export interface LeastPrice {
  readonly currency: string;
  readonly price: number | undefined;
}

/**
 * The budget and the limits of `risk.*` on value by which every opening of a strategy's amount would be refused, however prices move,
 * all in one line. None where a price or a limit in the product's currency is missing.
 */
export function unpassableAmounts(
  strategy: WithAmount,
  { risk, account }: Settings,
  least: LeastPrice | undefined,
): readonly KairosError[] {
  const { id, origin, product, amount } = strategy;
  if (least === undefined || amount === null) return [];
  const { currency, price } = least;
  const worth = 'quote' in amount ? amount.quote.toNumber() : price === undefined ? undefined : amount.base.toNumber() * price;
  if (worth === undefined) return [];
  const caps = limitsOf(risk);
  const limits = OPENING_VALUE_LIMITS.flatMap((name): (readonly [string, number])[] => {
    const limit = caps[name]?.get(currency)?.toNumber();
    return limit === undefined || worth <= limit ? [] : [[`risk.${name}`, limit]];
  });
  const budget = account.allowShort.includes(product) ? undefined : budgetOf(strategy, currency);
  const over = [...limits, ...(budget === undefined || worth <= budget ? [] : [['its budget', budget] as const])];
  if (over.length === 0) return [];
  const what = `an order of ${product} is worth ${'quote' in amount ? '' : 'at least '}${shownWorth(worth)} ${currency}`;
  const stands = `over ${over.map(([name, limit]) => `${name} ${limit}`).join(', ')}, so that no opening of this amount passes`;
  const larger = [
    ...(limits.length > 0 ? [`the limit${limits.length > 1 ? 's' : ''}`] : []),
    ...(over.length > limits.length ? ['budget'] : []),
  ];
  return [
    new KairosError(
      'CONFIG_INVALID',
      `${origin}: strategy ${id}: amount: ${what}, ${stands}: take a smaller amount, or raise ${larger.join(' and ')}`,
    ),
  ];
}

/** What purchases of a strategy may cost in a currency at first; undefined where its entry cannot be read in full. */
function budgetOf({ budget }: WithAmount, currency: string): number | undefined {
  if (budget === undefined) return undefined;
  return budget === null ? DEFAULT_BUDGET.toNumber() : Number(budget[currency] ?? 0);
}

const shownWorth = (worth: number): string => (worth >= 100 ? worth.toFixed(0) : worth.toPrecision(3));

/** The amount that is larger than all that the embedded venue offers of a product, so that it refuses the lane. */
export function unofferedAmounts({ id, origin, product, amount }: WithAmount, offered: readonly QuotedProduct[]): readonly KairosError[] {
  const most = offered.find(({ code }) => code === product)?.maxSize;
  if (most === undefined || amount === null || !('base' in amount) || amount.base.lte(most)) return [];
  const what = `amount.base: the paper venue offers at most ${most} of ${product} in one quote`;
  return [new KairosError('CONFIG_INVALID', `${origin}: strategy ${id}: ${what}: take a smaller amount`)];
}
