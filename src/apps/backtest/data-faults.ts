import { type LeastPrice, unpassableAmounts } from '#apps/assembly/amount-limits.ts';
import { amountFaults, lanesOf, wantedBy } from '#apps/assembly/assemble.ts';
import type { CheckedAgainst } from '#apps/assembly/start-faults.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { dataPath, productsByCode, recordedData } from './data.ts';
import { lackingText } from './lacking.ts';
import { laneHeadlines } from './lane-headlines.ts';
import { allOf, playedLanes } from './played-lanes.ts';
import { productsFor } from './product-limits.ts';
import { QuoteSources } from './replay/quote-sources.ts';

/**
 * Holds products and amounts against recorded or imported quotes, as a backtest would, and says which of them it would play. Throws as reading
 * a recording does.
 */
export function dataFaults(
  given: string,
  settings: Settings,
): Pick<CheckedAgainst, 'productFaults'> & { readonly told: readonly string[] } {
  const { strategies, recording, backtest } = settings;
  const data = recordedData(dataPath(given, recording.dir));
  const held = new Set(data.columns.filter(({ length }) => length > 0).map(({ product }) => product));
  const { products } = productsFor(
    strategies.map(({ product }) => product),
    data,
  );
  const byCode = productsByCode(products);
  const sources = new QuoteSources({ columns: data.columns, products: byCode, ...ALWAYS, slippagePct: backtest.slippagePct });
  const lanes = playedLanes(lanesOf(strategies, { max: Number.POSITIVE_INFINITY, reserve: 0 }), sources);
  const productFaults: CheckedAgainst['productFaults'] = (strategy) => {
    const missing = wantedBy(strategy).filter(({ product, amount, where }) => !held.has(product) && (where === '' || amount !== null));
    const what = `${strategy.origin}: strategy ${strategy.id}:`;
    const lacking = missing.map(({ product }) => {
      const lacks = lackingText(data, product, { from: undefined, to: undefined });
      return new KairosError('PRODUCT_UNKNOWN', `${what} ${lacks}: take a product of it, or name other data in --data`);
    });
    const unpassable = backtest.limits === 'off' ? [] : unpassableAmounts(strategy, settings, leastPrice(allOf(lanes), strategy.product));
    return [...lacking, ...amountFaults([strategy], [...byCode.values()]), ...unpassable];
  };
  return { productFaults, told: laneHeadlines(data, { lanes, ...ALWAYS }, {}).map(({ text }) => text) };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The least that a product cost in all of its quotes. */
export function leastPrice(columns: readonly QuoteColumns[], product: string): LeastPrice | undefined {
  const own = columns.filter((one) => one.product === product && one.length > 0);
  const [first] = own;
  if (!first) return undefined;
  let price = Number.POSITIVE_INFINITY;
  for (const { sell, length } of own) for (let row = 0; row < length; row += 1) price = Math.min(price, sell.price[row] ?? price);
  return { currency: first.quoteCcy, price };
}
