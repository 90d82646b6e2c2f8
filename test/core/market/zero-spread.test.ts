import { expect, test } from 'vitest';
import { ZeroSpread } from '#core/market/zero-spread.ts';
import { BTC, quote } from '../../support/market-data.ts';

test('2.8.1, 2.8.2: the largest size at spread 0 is learned: only growth of a percent is told, and a spread says nothing', () => {
  const told: number[] = [];
  const learned = new ZeroSpread((_, size) => told.push(size));
  learned.restore(BTC, 0.02);
  for (const size of [0.01, 0.02, 0.0201, 0.0203, 0.03]) learned.saw(quote({ size }));
  learned.saw(quote({ size: 5, buy: 60_001, sell: 60_000 }));
  expect(told).toEqual([0.0203, 0.03]);
});
