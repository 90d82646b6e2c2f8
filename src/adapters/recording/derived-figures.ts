import { figureAt } from '#domain/figure-at.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/**
 * Figures that the others tell (spec 2.8), computed the same way on every machine: prices, sizes, the fee in percent and
 * the slippage of buying give the rest, rounded to 8 decimals as the service sends them. The middle is the price of
 * buying less its slippage.
 *
 * - value = price x size; fee in base = size x fee % / 100; fee in quote = value x fee % / 100
 * - spread = price of buying - price of selling; spread % = spread / middle x 100
 * - slippage of selling = middle - its price; slippage % = slippage / middle x 100
 *
 * Writes all of them into `columns`, over what stands there.
 */
export function fillDerived(columns: QuoteColumns): void {
  const { buy, sell, feePercentage, spread, spreadPercentage, length } = columns;
  for (let i = 0; i < length; i += 1) {
    const fee = figureAt(feePercentage, i);
    const buyPrice = figureAt(buy.price, i);
    const buySize = figureAt(buy.size, i);
    const sellPrice = figureAt(sell.price, i);
    const sellSize = figureAt(sell.size, i);
    const buySlippage = figureAt(buy.slippage, i);
    const middle = buyPrice - buySlippage;
    const sellSlippage = sent(middle - sellPrice);
    const buyValue = sent(buyPrice * buySize);
    const sellValue = sent(sellPrice * sellSize);
    const apart = sent(buyPrice - sellPrice);
    buy.value[i] = buyValue;
    buy.feeInBaseCcy[i] = sent((buySize * fee) / 100);
    buy.feeInQuoteCcy[i] = sent((buyValue * fee) / 100);
    buy.slippagePercentage[i] = sent((buySlippage / middle) * 100);
    sell.value[i] = sellValue;
    sell.feeInBaseCcy[i] = sent((sellSize * fee) / 100);
    sell.feeInQuoteCcy[i] = sent((sellValue * fee) / 100);
    sell.slippage[i] = sellSlippage;
    sell.slippagePercentage[i] = sent((sellSlippage / middle) * 100);
    spread[i] = apart;
    spreadPercentage[i] = sent((apart / middle) * 100);
  }
}

/** Eight decimals, half up, never -0. */
export function sent(value: number): number {
  return Math.round(value * 1e8) / 1e8 + 0;
}
