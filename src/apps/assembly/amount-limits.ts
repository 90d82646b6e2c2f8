import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf, OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { KairosError } from '#domain/errors.ts';
import type { QuotedProduct } from '#venue/products.ts';

/** A strategy whose amount is held against something; null where the amount cannot be read. */
type WithAmount = Pick<StrategySettings, 'id' | 'origin' | 'product'> & { readonly amount: StrategySettings['amount'] | null };

/** The currency of a product's prices, and the least that one unit of it costs; undefined where no price is known. */
export interface LeastPrice {
  readonly currency: string;
  readonly price: number | undefined;
}

/**
 * The limits of `risk.*` on value by which every opening of a strategy's amount would be refused, however prices move. None where a
 * price or a limit in the product's currency is missing.
 */
export function unpassableAmounts(
  { id, origin, product, amount }: WithAmount,
  { risk }: Settings,
  least: LeastPrice | undefined,
): readonly KairosError[] {
  if (least === undefined || amount === null) return [];
  const { currency, price } = least;
  const worth = 'quote' in amount ? amount.quote.toNumber() : price === undefined ? undefined : amount.base.toNumber() * price;
  if (worth === undefined) return [];
  const limits = limitsOf(risk);
  const [name] = OPENING_VALUE_LIMITS.filter((one) => (limits[one]?.get(currency)?.toNumber() ?? Number.POSITIVE_INFINITY) < worth);
  if (name === undefined) return [];
  const what = `an order of ${product} is worth ${'quote' in amount ? '' : 'at least '}${shownWorth(worth)} ${currency}`;
  const over = `over risk.${name} ${limits[name]?.get(currency)}, so that no opening of this amount passes`;
  return [
    new KairosError('CONFIG_INVALID', `${origin}: strategy ${id}: amount: ${what}, ${over}: take a smaller amount, or raise the limit`),
  ];
}

const shownWorth = (worth: number): string => (worth >= 100 ? worth.toFixed(0) : worth.toPrecision(3));

/** The amount that is larger than all that the embedded venue offers of a product, so that it refuses the lane. */
export function unofferedAmounts({ id, origin, product, amount }: WithAmount, offered: readonly QuotedProduct[]): readonly KairosError[] {
  const most = offered.find(({ code }) => code === product)?.maxSize;
  if (most === undefined || amount === null || !('base' in amount) || amount.base.lte(most)) return [];
  const what = `amount.base: the paper venue offers at most ${most} of ${product} in one quote`;
  return [new KairosError('CONFIG_INVALID', `${origin}: strategy ${id}: ${what}: take a smaller amount`)];
}
