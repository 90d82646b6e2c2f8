import { KairosError } from '#domain/errors.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#venue/products.ts';
import type { VenueSettings } from '#venue/settings.ts';
import { filePrices } from './file.ts';
import type { PriceSource } from './source.ts';
import { SyntheticPrices } from './synthetic.ts';

/**
 * A price source for each quoted product: synthetic, save the one that a file drives. Throws PRICES_UNREADABLE where
 * the file cannot serve, CONFIG_INVALID where the settings do not name a file and a product.
 */
export async function priceSources(settings: VenueSettings): Promise<ReadonlyMap<QuotedProduct, PriceSource>> {
  const sources = new Map<QuotedProduct, PriceSource>();
  for (const product of VB_PRODUCTS) sources.set(product, new SyntheticPrices(product, settings.seed));
  const { prices } = settings;
  if (prices.source === 'synthetic') return sources;
  const driven = VB_PRODUCTS.find(({ code }) => code === prices.product);
  if (!driven) {
    const codes = VB_PRODUCTS.map(({ code }) => code).join(', ');
    throw new KairosError('CONFIG_INVALID', `venue.prices.product: '${prices.product ?? ''}' is not quoted; name one of ${codes}`);
  }
  if (prices.path === null) {
    throw new KairosError('CONFIG_INVALID', 'venue.prices.path: a price source of `file` needs the path of a CSV file');
  }
  if (!(prices.speed > 0 && Number.isFinite(prices.speed))) {
    throw new KairosError('CONFIG_INVALID', `venue.prices.speed: ${prices.speed} is not a number above zero`);
  }
  sources.set(driven, await filePrices({ path: prices.path, columns: prices.columns, speed: prices.speed }));
  return sources;
}
