import { KairosError } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import { firstWhere } from '#domain/first-where.ts';
import type { Top } from '#paper-venue/core/quote-making.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#paper-venue/products.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import type { PriceSeries } from './price-file.ts';
import { SyntheticPrices } from './synthetic.ts';

/** Length of a lap for a file without a time span, in milliseconds. */
const MIN_LAP_MS = 1000;

/**
 * A price source for each quoted product: synthetic, except for the product of a price file. Throws PRICES_UNREADABLE
 * for an unusable file, CONFIG_INVALID if the settings do not name both file and product.
 */
export async function priceSources(settings: VenueSettings): Promise<ReadonlyMap<QuotedProduct, PriceSource>> {
  const sources = new Map<QuotedProduct, PriceSource>();
  const { prices, seed } = settings;
  for (const product of VB_PRODUCTS) sources.set(product, new SyntheticPrices(asVolatile(product, prices), seed));
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

/** The product, its moves as large as the settings ask for. */
export const asVolatile = <T extends { readonly volatility: number }>(
  product: T,
  { volatility }: Pick<VenueSettings['prices'], 'volatility'>,
): T => ({
  ...product,
  volatility: product.volatility * volatility,
});

interface PriceFile {
  readonly path: string;
  readonly columns: { readonly time: string; readonly bid: string; readonly ask: string };
  /** Market time per real time. */
  readonly speed: number;
}

/** Loads a price file and plays it from its first row. Throws PRICES_UNREADABLE. */
async function filePrices(file: PriceFile): Promise<PriceSource> {
  // Loaded on demand: synthetic prices do not need it.
  const { readPrices } = await import('./price-file.ts');
  return played(await readPrices(file.path, file.columns), file.speed);
}

/**
 * Plays prices at their own pace times `speed`, in an endless loop. The first row follows the last after the mean gap
 * between rows: market time continues, the price jumps.
 */
export function played(prices: PriceSeries, speed: number): PriceSource {
  const { timeMs, bid, ask } = prices;
  const rows = timeMs.length;
  const first = timeMs[0] ?? 0;
  const span = (timeMs[rows - 1] ?? first) - first;
  const lapMs = span > 0 ? span + span / (rows - 1) : MIN_LAP_MS;
  return {
    at(elapsedMs): Top {
      const marketMs = first + ((Math.max(0, elapsedMs) * speed) % lapMs);
      const row = lastAtOrBefore(timeMs, marketMs);
      return { bid: figureAt(bid, row), ask: figureAt(ask, row), hasSpread: true };
    },
  };
}

/** Index of the last row at or before a time; of rows with equal times, the last. */
const lastAtOrBefore = (times: Float64Array, at: number): number =>
  Math.max(0, firstWhere(0, times.length, (row) => figureAt(times, row) > at) - 1);

/** The market of one product: a function of the milliseconds since the venue started. */
export interface PriceSource {
  at(elapsedMs: number): Top;
}
