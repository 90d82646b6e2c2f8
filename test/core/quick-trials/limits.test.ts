import { expect, test } from 'vitest';
import { mayRefuse } from '#core/quick-trials/limits.ts';
import type { Limits } from '#core/risk/limits.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { NO_LIMITS } from '../../support/limits.ts';
import { columnsOf } from './columns-of.ts';

const quotes = columnsOf([{ at: 1_000, price: 100 }]);

/** Why an order on a quote of such sides may be refused; 0 where it is not. */
function refusal(of: Partial<QuoteSide> & { readonly feePercentage?: number }, limits: Partial<Limits>): number {
  const plain = quoteAt(quotes, 0);
  const quote: Quote = { ...plain, ...of, buy: { ...plain.buy, ...of }, sell: { ...plain.sell, ...of } };
  return mayRefuse({ quotes, limits: { ...NO_LIMITS, ...limits }, roundTripMs: 0, marginMs: 0 })(0, quote);
}

test('slippage is in percent, or a share of one where the price says so', () => {
  const slips = (slippage: number, slippagePercentage: number): number =>
    refusal({ slippage, slippagePercentage }, { maxSlippagePct: 0.5 });
  expect([slips(0.4, 0.4), slips(0.6, 0.6), slips(0.4, 0.004), slips(0.6, 0.006)]).toEqual([0, 3, 0, 3]);
});

test('a fee is what its figures say, whatever the quote tells of it in percent', () => {
  const costs = (feeInQuoteCcy: number, feePercentage: number): number =>
    refusal({ value: 100, size: 1, feeInQuoteCcy, feeInBaseCcy: 0, feePercentage }, { maxFeePct: 0.5 });
  expect([costs(0.4, 0.6), costs(0.6, 0.4), costs(0, 0.6)]).toEqual([0, 4, 4]);
});

test('a row beyond a column is a defect', () => {
  expect(() => figureAt(quotes.at, 1)).toThrow('a row beyond its column');
});
