import { describe, expect, test } from 'vitest';
import { canBeOrdered, leastOrder, size } from '#core/execution/sizing.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent, IntentSize } from '#domain/intent.ts';
import { amountText } from '#domain/lane.ts';
import type { Side } from '#domain/quote.ts';
import { btcLane, btcProduct, quote } from '../../support/market-data.ts';

const amount = (base: string): IntentSize => ({ kind: 'amount', amount: { base: decimalOf(base) } });
const target = (text: string): IntentSize => ({ kind: 'target', size: decimalOf(text) });

function sized(side: Side | null, wanted: IntentSize, held: string) {
  const intent: Intent = { kind: 'intent', side, size: wanted, reason: 'test', tag: null, limit: null, within: null, on: null };
  const result = size({ intent, quote: quote(), laneAmount: btcLane.amount, product: btcProduct, held: decimalOf(held), feeIn: 'quote' });
  if (result.ok === 'nothing') return 'nothing';
  if (result.ok === 'lane') return `${result.side} on a lane of ${amountText(result.amount)}`;
  return result.ok ? `${result.sized.side} ${result.sized.figures.size}` : result.reason;
}

describe('an order has the size of its quote or is refused, never approximated', () => {
  test.each([
    ['buy', amount('0.01'), '0', 'buy 0.01'],
    ['buy', amount('0.0100'), '0', 'buy 0.01'],
    ['buy', amount('0.02'), '0', 'buy on a lane of base:0.02'],
    ['sell', { kind: 'position' }, '0.01', 'sell 0.01'],
    ['sell', { kind: 'position' }, '0', 'NO_POSITION'],
    ['sell', { kind: 'position' }, '-0.01', 'NO_POSITION'],
    ['buy', { kind: 'position' }, '-0.01', 'buy 0.01'],
    ['sell', { kind: 'position' }, '0.013', 'sell on a lane of base:0.013'],
    ['sell', { kind: 'position' }, '0.01305', 'sell on a lane of base:0.013'],
    ['sell', { kind: 'position' }, '0.01009', 'sell 0.01'],
    ['sell', { kind: 'position' }, '0.00009', 'DUST'],
    ['buy', { kind: 'position' }, '-0.0130', 'buy on a lane of base:0.013'],
    [null, { kind: 'percent', percent: 100 }, '0.01', 'sell 0.01'],
    [null, { kind: 'percent', percent: 50 }, '0.02', 'sell 0.01'],
    [null, { kind: 'percent', percent: 50 }, '0.0201', 'sell 0.01'],
    [null, { kind: 'percent', percent: 1 }, '0.0001', 'SIZE_LIMITS'],
    [null, target('0.01'), '0', 'buy 0.01'],
    [null, target('0'), '0.01', 'sell 0.01'],
    [null, target('0.01'), '0.01', 'nothing'],
    [null, target('0.5'), '0', 'buy on a lane of base:0.5'],
    [null, target('-0.03'), '0.0101', 'sell on a lane of base:0.0401'],
    [null, target('0.01'), '0.00999', 'nothing'],
  ] as const)('%s %o with %s held: %s', (side, wanted, held, expected) => {
    expect(sized(side, wanted, held)).toBe(expected);
  });
});

test.each([
  ['quote', 'buy', '0.6 usd'],
  ['quote', 'sell', '0.6 usd'],
  ['base', 'buy', '0.00001 btc'],
  ['base', 'sell', '0.00001 btc'],
  ['received', 'buy', '0.00001 btc'],
  ['received', 'sell', '0.6 usd'],
] as const)('with fees in %s a %s is charged %s', (feeIn, side, expected) => {
  const intent: Intent = { kind: 'intent', side, size: amount('0.01'), reason: 'test', tag: null, limit: null, within: null, on: null };
  const result = size({ intent, quote: quote(), laneAmount: btcLane.amount, product: btcProduct, held: decimalOf(0), feeIn });
  expect(result.ok === true && `${result.sized.figures.fee} ${result.sized.figures.feeCcy}`).toBe(expected);
});

test('the smallest order is told apart from less of it, on both sides of its boundary', () => {
  const steps = ['0.0001', '0.001', '1'].map(decimalOf);
  for (const sizeIncrement of steps) {
    for (const price of [0, 0.07, 3, 49_999.37, 50_000]) {
      const product = { ...btcProduct, sizeIncrement };
      const least = leastOrder(product, price);
      const wanted = [least.minus('0.00000001'), least, least.plus('0.00000001'), least.times(2), decimalOf(0)];
      expect(
        wanted.map((one) => canBeOrdered(one, product, { price })),
        `${least} at ${price}`,
      ).toEqual([false, true, true, true, false]);
    }
  }
});

test.each<['quote' | 'base' | 'received', Side, number, number, string]>([
  ['quote', 'buy', 0, 0.00001, '0.6 usd'],
  ['base', 'buy', 0.6, 0, '0.00001 btc'],
  ['received', 'buy', 0.6, 0, '0.00001 btc'],
  ['received', 'sell', 0, 0.00001, '0.6 usd'],
  ['quote', 'buy', 0.6, 0.00001, '0.6 usd'],
  ['quote', 'buy', 0, 0, '0 usd'],
])('service.feeIn: %s, %s: a fee of %d in quote and %d in base currency is %s', (feeIn, side, feeInQuoteCcy, feeInBaseCcy, fee) => {
  const base = quote({ buy: 60_000, sell: 60_000 });
  const fees = { feeInQuoteCcy, feeInBaseCcy };
  const made = { ...base, buy: { ...base.buy, ...fees }, sell: { ...base.sell, ...fees } };
  const intent: Intent = { kind: 'intent', side, size: amount('0.01'), reason: 'test', tag: null, limit: null, within: null, on: null };
  const result = size({ intent, quote: made, laneAmount: btcLane.amount, product: btcProduct, held: decimalOf(1), feeIn });
  expect(result.ok === true && `${result.sized.figures.fee} ${result.sized.figures.feeCcy}`).toBe(fee);
});
