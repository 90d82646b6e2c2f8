import { expect, test } from 'vitest';
import { wanted } from '#core/engine/manual-amounts.ts';
import { decimalOf } from '#domain/decimal.ts';
import { btcProduct } from '../../support/market-data.ts';

test.each(['0.0001', '0.00001', '0.00000001'])(
  'the least order leaves an order after a fee of one percent that is taken of it, in steps of %s',
  (step) => {
    const product = { ...btcProduct, sizeIncrement: decimalOf(step) };
    const asked = wanted({ least: true }, { product, price: 60_000, side: 'buy', why: 'rehearsal' });
    const size = 'amount' in asked && 'base' in asked.amount ? asked.amount.base : decimalOf(0);
    expect(size.times(0.99).gte(product.minSize)).toBe(true);
    expect(size.lte(product.minSize.times(1.02).plus(step))).toBe(true);
  },
);
