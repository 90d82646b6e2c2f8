import type { ImportOf } from '#adapters/recording/import/imports.ts';
import { type PriceRange, unpassableAmounts, unratedAmounts } from '#assembly/amount-limits.ts';
import { amountFaults, lanesOf, rateFaults } from '#assembly/assemble.ts';
import { rateWarningsOfPlayed } from '#assembly/rate-warnings.ts';
import { sharedWarnings } from '#assembly/shared-limits.ts';
import type { CheckedAgainst } from '#assembly/start-faults.ts';
import type { Settings } from '#config/settings.ts';
import { conversionsFrom, type Hop } from '#domain/conversions.ts';
import { KairosError } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { QuoteSources } from '../replay/quote-sources.ts';
import { dataPath, playedBy, productsByCode, recordedData } from './data.ts';
import { narrowHeadlines } from './imports.ts';
import { lackingText } from './lacking.ts';
import { laneHeadlines } from './lane-headlines.ts';
import { narrowLimits } from './narrow-limits.ts';
import { allOf, namesOf, playedLanes } from './played-lanes.ts';
import { productsFor } from './product-limits.ts';
import { leftOutOf, quotedIn, unquoted, unquotedRates } from './skipped-strategies.ts';

/**
 * Holds products and amounts against recorded or imported quotes, as a backtest would, and says which of them it would play, and which
 * strategies it would leave out; only where it would play none is that a fault. Throws as reading a recording does.
 */
export function dataFaults(
  given: string,
  settings: Settings,
): Pick<CheckedAgainst, 'productFaults' | 'rateFaults' | 'warnings'> & { readonly told: readonly string[] } {
  const { strategies, account, recording, backtest } = settings;
  const played = playedBy(settings);
  const data = recordedData(dataPath(given, recording.dir), {}, ({ product }) => played.has(product));
  const held = quotedIn(data.columns, ALWAYS);
  const leftOut = leftOutOf(strategies, data, {});
  const { products } = productsFor(
    strategies.map(({ product }) => product),
    data,
  );
  const byCode = productsByCode(products);
  const sources = new QuoteSources({ columns: data.columns, products: byCode, ...ALWAYS, slippagePct: backtest.slippagePct });
  const lanes = playedLanes(lanesOf(settings, { max: Number.POSITIVE_INFINITY, reserve: 0 }), sources);
  const pricesOf = (product: string): PriceRange | undefined => priceRange(allOf(lanes), { product, imports: data.imports });
  const productFaults: CheckedAgainst['productFaults'] = (strategy) => {
    const { origin, id, product } = strategy;
    const what = `${origin}: strategy ${id}: ${lackingText(data, product, {})}: take a product of it, or name other data in --data`;
    const lacking = leftOut.isAll && !held.has(product) ? [new KairosError('PRODUCT_UNKNOWN', what)] : [];
    const prices = backtest.limits === 'off' ? undefined : pricesOf(product);
    const unpassable = [...unpassableAmounts(strategy, settings, prices), ...unratedAmounts(strategy, settings, prices)];
    return [...lacking, ...amountFaults([strategy], [...byCode.values()]), ...unpassable];
  };
  const kept = strategies.filter((one) => !leftOut.left.includes(one));
  const lacks = (products: string): string => lackingText(data, products, {});
  const lines = [...leftOut.headlines, ...unquoted(kept, held, lacks), ...unquotedRates(account.rates, held, lacks)];
  const recordedRates = account.rates.filter(({ product }) => held.has(product));
  const together = [...rateWarningsOfPlayed(kept, settings, allOf(lanes)), ...sharedWarnings(kept, settings, pricesOf)];
  const warnings =
    backtest.limits === 'off' ? [] : [...together.map(({ text }) => text), ...narrowLimits(kept, settings, { lanes, pricesOf })];
  const lanesTold = [...laneHeadlines(data, { lanes, ...ALWAYS }, {}), ...narrowHeadlines(data.imports, namesOf(lanes))];
  return {
    productFaults,
    rateFaults: rateFaults(recordedRates, [...byCode.values()]),
    warnings,
    told: [...lines, ...lanesTold].map(({ text }) => text),
  };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * The prices that a product had in all of its quotes, apart from highs that its imports tell as far from all others, and the rates from its
 * currency that all quotes together give.
 */
export function priceRange(
  columns: readonly QuoteColumns[],
  { product, imports }: { readonly product: string; readonly imports: readonly ImportOf[] },
): PriceRange | undefined {
  const quoted = columns.filter(({ length }) => length > 0);
  const own = quoted.filter((one) => one.product === product);
  const [first] = own;
  if (!first) return undefined;
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0];
  for (const { lane, at, buy, sell, length } of own) {
    const usual = imports.flatMap((one) =>
      one.lane === lane && one.facts.spikes?.highest !== undefined ? [{ ...one, top: one.facts.spikes.highest }] : [],
    );
    const isSpike = (time: number, price: number): boolean => usual.some(({ from, to, top }) => time >= from && time <= to && price > top);
    for (let row = 0; row < length; row += 1) {
      lowest = Math.min(lowest, sell.price[row] ?? lowest);
      const ask = buy.price[row] ?? highest;
      if (ask > highest && !isSpike(figureAt(at, row), ask)) highest = ask;
    }
  }
  return { currency: first.quoteCcy, lowest, highest, rates: lowestRates(first.quoteCcy, quoted) };
}

/** The lowest rates that quotes ever gave from a currency, over the ways that conversions go. */
function lowestRates(currency: string, quoted: readonly QuoteColumns[]): ReadonlyMap<string, number> {
  const rateBy = ({ by, forward }: Hop<QuoteColumns>): number => {
    const { price } = forward ? by.sell : by.buy;
    return forward
      ? price.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
      : 1 / price.reduce((most, one) => Math.max(most, one), 0);
  };
  const ways = [...conversionsFrom(currency, quoted)];
  return new Map(ways.map(([into, way]) => [into, way.reduce((rate, hop) => rate * rateBy(hop), 1)]));
}
