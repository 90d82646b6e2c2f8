import { describe, expect } from 'vitest';
import { ColumnsBuilder } from '#adapters/recording/log-columns.ts';
import { Marks } from '#core/portfolio/valuation.ts';
import { decimalOf } from '#domain/decimal.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { currency, laneIdOf, orderId, strategyId } from '#domain/names.ts';
import type { TimedQuote } from '#domain/quote.ts';
import { reportBooks } from '#report/books.ts';
import { RecordedMarks as Recorded } from '#report/equity/marks.ts';
import { BTC, quote } from '../../support/market-data.ts';
import { fc, test as property } from '../../support/property.ts';

const T = 1_000_000;

const lanes = fc.uniqueArray(
  fc.record({
    size: fc.constantFrom(0.5, 1, 2, 5, 10),
    sell: fc.integer({ min: 50, max: 90 }),
    spread: fc.integer({ min: 0, max: 9 }),
    agoMs: fc.constantFrom(0, 400, 5_000, 5_001, 60_000),
  }),
  { selector: ({ size }) => size, minLength: 1, maxLength: 4 },
);
const sizes = fc.constantFrom(0.3, 1, 1.5, 4, 12).chain((size) => fc.constantFrom(size, -size));

/** The rule in plain words: of the lanes that had a quote in the last 5 s before the newest, the smallest that covers it, else the largest. */
function priceOf(all: readonly TimedQuote[], size: number): number {
  const newest = Math.max(...all.map(({ at }) => at));
  const standing = all.filter(({ at }) => at >= newest - 5_000).map(({ quote }) => (size < 0 ? quote.buy : quote.sell));
  const bySize = standing.toSorted((a, b) => a.size - b.size);
  return (bySize.find((side) => side.size >= Math.abs(size)) ?? bySize.at(-1))?.price ?? Number.NaN;
}

describe('what something is worth is the same to limits, page, report and sweep', () => {
  property.prop([lanes, sizes])('a position, and money in another currency', (drawn, size) => {
    const seen = drawn.map(({ size: of, sell, spread, agoMs }): TimedQuote => {
      const lane = laneIdOf(`btcusd@base:${of}`);
      return { quote: quote({ buy: sell + spread, sell, size: of, lane }), at: T - agoMs };
    });
    const live = new Marks(() => USUAL_FRESHNESS);
    for (const one of seen) live.add(one.quote, one.at);
    const columns = seen.map(({ quote: one, at }, n) => {
      const { lane, product, baseCcy, quoteCcy } = one;
      const builder = new ColumnsBuilder({ lane, product, baseCcy, quoteCcy });
      builder.add({ line: n, n, at }, one);
      return builder.columns();
    });
    const recorded = new Recorded(columns);
    for (const [lane] of columns.entries()) recorded.see(lane, 0);

    const price = priceOf(seen, size);
    expect(live.closingPrice(BTC, size)).toBe(price);
    expect(recorded.closingPrice(BTC, size)).toBe(price);

    const bought = { baseCcy: 'btc', quoteCcy: 'usd', size: String(Math.abs(size)), price: '60', value: String(60 * Math.abs(size)) };
    const fill = { ...bought, side: size < 0 ? ('sell' as const) : ('buy' as const), fee: '0', feeCcy: 'usd' };
    const fills = [{ orderId: orderId('1-1'), strategy: strategyId('one'), product: BTC, at: T, fill }];
    const [held] = reportBooks(fills, new Map(), seen).holdings;
    expect(held?.estimate?.price.toNumber()).toBe(price);
    expect(held?.estimate?.unrealised.toNumber()).toBeCloseTo(size * (price - 60), 9);

    // What is won is sold, what is lost is bought; dollars change into bitcoin at the size that they come to.
    expect(live.lastRate('btc', 'usd', size)).toBe(price);
    expect(recorded.worth(size, 'btc', 'usd')).toBe(size * price);
    const dollars = size * 70;
    const rate = live.lastRate('usd', 'btc', dollars) ?? Number.NaN;
    expect(rate).toBe(1 / priceOf(seen, -dollars / priceOf(seen, 1)));
    expect(recorded.worth(dollars, 'usd', 'btc')).toBe(dollars * rate);
    expect(
      live
        .ratesAt(T - Math.min(...drawn.map(({ agoMs }) => agoMs)))(currency('usd'), 'btc', dollars)
        ?.toNumber(),
    ).toBe(decimalOf(rate).toNumber());
  });
});
