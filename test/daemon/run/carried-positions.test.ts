import { expect, test } from 'vitest';
import { carriedText } from '#daemon/run/carried-positions.ts';
import { fillOf, orderFacts, START } from '../../adapters/journal/order-rows.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { booksOf } from '../../support/past-books.ts';

const bookedBy = (strategy: string, side: 'buy' | 'sell', price: string) => ({
  strategy,
  product: 'btcusd',
  at: START,
  fill: fillOf(orderFacts(1, { side, price })),
});

test('a start names what strategies and people hold from before, at which price, and leaves out what is flat or nobody runs', () => {
  const { strategies } = configOf(strategyYaml({ id: 'sma' })).settings;
  expect(
    carriedText(
      booksOf([bookedBy('sma', 'buy', '61000.5'), bookedBy('manual', 'sell', '62000'), bookedBy('gone', 'buy', '1')]),
      strategies,
    ),
  ).toBe('from before: sma holds 0.01 btcusd, bought at 61000.5; manual holds -0.01 btcusd, sold at 62000');
  expect(carriedText(booksOf([bookedBy('sma', 'buy', '1'), bookedBy('sma', 'sell', '2')]), strategies)).toBeUndefined();
});
