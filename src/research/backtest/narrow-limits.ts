import type { PriceRange } from '#assembly/amount-limits.ts';
import { worthOf } from '#assembly/amount-limits.ts';
import { figureBelow } from '#assembly/fitting-settings.ts';
import type { Settings, StrategySettings } from '#config/settings.ts';
import { limitsOf, OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { percentOf } from '#domain/quote.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { PlayedLane } from './played-lanes.ts';

/** A share of the quotes above which a limit refuses most openings. */
const MOST = 0.5;

/** The limits on spread and value that refuse the openings of strategies on most of the quotes they are played on, a line each. */
export function narrowLimits(
  strategies: readonly StrategySettings[],
  { risk }: Pick<Settings, 'risk'>,
  { lanes, pricesOf }: { readonly lanes: readonly PlayedLane[]; readonly pricesOf: (product: string) => PriceRange | undefined },
): readonly string[] {
  const { maxSpreadPct, ...limits } = limitsOf(risk);
  return strategies.flatMap(({ id, product, amount }): string[] => {
    const columns = [...new Set(lanes.flatMap((one) => (one.lane.product === product ? one.columns : [])))];
    const told = (limit: string, share: number): string =>
      `strategy ${id}: ${limit} refuses openings on ${Math.round(share * 100)} % of the quotes of ${product}`;
    const wide = maxSpreadPct === null ? 0 : shareOf(columns, (buy, sell) => spreadPct(buy, sell) > maxSpreadPct);
    const spread =
      wide > MOST ? [`${told(`risk.maxSpreadPct ${maxSpreadPct}`, wide)}, whose spread is wider: raise it, or take other data`] : [];
    const prices = pricesOf(product);
    if (prices === undefined) return spread;
    const over = OPENING_VALUE_LIMITS.flatMap((name): string[] => {
      const limitBelow = (price: number | undefined) => figureBelow(limits[name], { ...prices, worth: worthOf(amount, price) ?? 0 });
      const limit = limitBelow(prices.highest);
      const dear = limit ? shareOf(columns, (buy) => limitBelow(buy) !== undefined) : 0;
      if (limit === undefined || dear <= MOST) return [];
      return [`${told(`risk.${name} ${limit.figure} ${limit.currency}`, dear)}: raise it, or take a smaller amount`];
    });
    return [...spread, ...over.slice(0, 1)];
  });
}

/** The share of quotes that are so, by the prices of both sides. */
function shareOf(columns: readonly QuoteColumns[], isSo: (buy: number, sell: number) => boolean): number {
  let [count, all] = [0, 0];
  for (const { buy, sell, length } of columns) {
    all += length;
    for (let row = 0; row < length; row += 1) if (isSo(buy.price[row] ?? 0, sell.price[row] ?? 0)) count += 1;
  }
  return all === 0 ? 0 : count / all;
}

function spreadPct(buy: number, sell: number): number {
  const mid = (buy + sell) / 2;
  return mid > 0 ? percentOf(buy - sell, mid) : 0;
}
