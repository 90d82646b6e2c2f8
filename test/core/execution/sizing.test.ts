import { describe, expect, test } from 'vitest';
import { type FeeCurrency, type SizingInput, size, describe as wordsOf } from '#core/execution/sizing.ts';
import { canBeOrdered, leastOrder } from '#core/portfolio/valuation.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent, IntentSize } from '#domain/intent.ts';
import { type Amount, amountText } from '#domain/lane.ts';
import type { Side } from '#domain/quote.ts';
import { btcLane, btcProduct, quote } from '../../support/market-data.ts';

const amount = (base: string): IntentSize => ({ kind: 'amount', amount: { base: decimalOf(base) } });
const target = (text: string): IntentSize => ({ kind: 'target', size: decimalOf(text) });
const part = (base: string): IntentSize => ({ kind: 'part', base: decimalOf(base) });

const at = (held: string, low = held, high = held) => ({
  held: decimalOf(held),
  interval: { low: decimalOf(low), high: decimalOf(high) },
});

function sized(side: Side | null, wanted: IntentSize, ...held: Parameters<typeof at>) {
  return sizedWith({}, side, wanted, ...held);
}

function sizedWith(
  { feeIn = 'quote', canShort = true }: Partial<SizingInput>,
  side: Side | null,
  wanted: IntentSize,
  ...held: Parameters<typeof at>
) {
  const intent: Intent = { kind: 'intent', side, size: wanted, reason: 'test', tag: null, limit: null, within: null, on: null };
  const result = size({ intent, quote: quote(), laneAmount: btcLane.amount, product: btcProduct, ...at(...held), feeIn, canShort });
  if (result.kind === 'nothing') return 'nothing';
  if (result.kind === 'needs_lane') return `${result.side} on a lane of ${amountText(result.amount)}`;
  return result.kind === 'sized' ? `${result.side} ${result.figures.size}` : result.reason;
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
    ['buy', amount(String(0.7 + 0.1)), '0', 'buy on a lane of base:0.8'],
    ['buy', amount(String(0.01 * 3 - 0.02)), '0', 'buy 0.01'],
    ['buy', amount(String(1000.3 - 1000.2)), '0', 'buy on a lane of base:0.1'],
    ['buy', amount('0.01999'), '0', 'buy on a lane of base:0.0199'],
    [null, target(String(0.7 + 0.1)), '0', 'buy on a lane of base:0.8'],
    [null, target('0'), '0.00999999999999', 'sell on a lane of base:0.0099'],
    ['sell', { kind: 'position' }, '0.01999999999999', 'sell on a lane of base:0.0199'],
  ] as const)('%s %o with %s held: %s', (side, wanted, held, expected) => {
    expect(sized(side, wanted, held)).toBe(expected);
  });
});

test.each([
  ['sell', { kind: 'position' }, '0.01', 'sell on a lane of base:0.0099'],
  ['sell', { kind: 'position' }, '0.01001', 'sell on a lane of base:0.0099'],
  ['sell', { kind: 'position' }, '0.01002', 'sell 0.01'],
  [null, { kind: 'percent', percent: 100 }, '0.01', 'sell on a lane of base:0.0099'],
  [null, { kind: 'percent', percent: 50 }, '0.02', 'sell 0.01'],
  [null, target('0'), '0.01', 'sell on a lane of base:0.0099'],
  [null, target('-0.01'), '0', 'sell 0.01'],
  ['buy', { kind: 'position' }, '-0.01', 'buy 0.01'],
  ['sell', { kind: 'position' }, '0.0001', 'DUST'],
] as const)(
  'an exit leaves room for a fee that is taken in base currency beside it: %s %o with %s held: %s',
  (side, wanted, held, expected) => {
    expect(sizedWith({ feeIn: 'base' }, side, wanted, held)).toBe(expected);
  },
);

describe('while orders are open, what reduces a position takes what is certain', () => {
  const all: IntentSize = { kind: 'position' };
  const half: IntentSize = { kind: 'percent', percent: 50 };
  test.each<[string, IntentSize, readonly [string, string, string], string]>([
    ['all', all, ['0.03', '0.01', '0.03'], 'sell 0.01'],
    ['all of a short', all, ['-0.03', '-0.03', '-0.01'], 'buy 0.01'],
    ['all, not what an open order may add', all, ['0.01', '0.01', '0.03'], 'sell 0.01'],
    ['all, of which nothing is certain', all, ['0.01', '0', '0.01'], 'POSITION_UNSURE'],
    ['all of a short, of which nothing is certain', all, ['-0.01', '-0.01', '0'], 'POSITION_UNSURE'],
    ['all, where both sides are possible', all, ['0.01', '-0.01', '0.02'], 'POSITION_UNSURE'],
    ['all, where nothing is held yet', all, ['0', '0', '0.01'], 'POSITION_UNSURE'],
    ['half, where less may have been sold', half, ['0.04', '0.03', '0.04'], 'sell 0.01'],
    ['half, where so much may have been sold', half, ['0.02', '0.01', '0.02'], 'POSITION_UNSURE'],
    ['a part', part('0.01'), ['0.03', '0.02', '0.03'], 'POSITION_UNSURE'],
    ['a part, of which more is certain', part('0.02'), ['0.03', '0.02', '0.03'], 'sell 0.01'],
    ['a part of what is sure', part('0.01'), ['0.03', '0.03', '0.03'], 'sell 0.01'],
    ['a part of less', part('0.02'), ['0.01', '0.01', '0.01'], 'sell 0.01'],
    ['a part of less, short', part('0.02'), ['-0.01', '-0.01', '-0.01'], 'buy 0.01'],
    ['a part of nothing', part('0.01'), ['0', '0', '0'], 'NO_POSITION'],
    ['down to a target', target('0.01'), ['0.03', '0.02', '0.03'], 'sell 0.01'],
    ['down to a target that may be reached', target('0.01'), ['0.02', '0.01', '0.02'], 'POSITION_UNSURE'],
    ['up to a target', target('0.02'), ['0.01', '0', '0.01'], 'buy 0.01'],
  ])('%s: %o of %o is %s', (_, wanted, held, expected) => {
    expect(sized(null, wanted, ...held)).toBe(expected);
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
  const result = size({ intent, quote: quote(), laneAmount: btcLane.amount, product: btcProduct, ...at('0'), feeIn, canShort: true });
  expect(result.kind === 'sized' && `${result.figures.fee} ${result.figures.feeCcy}`).toBe(expected);
});

test('the smallest order is told apart from less of it, on both sides of its boundary', () => {
  const products = [0, 5].flatMap((least) => ['0.0001', '0.001', '1'].map((step) => [decimalOf(least), decimalOf(step)] as const));
  for (const [minNotionalValue, sizeIncrement] of products) {
    for (const price of [0, 0.07, 3, 49_999.37, 50_000]) {
      const product = { ...btcProduct, minNotionalValue, sizeIncrement };
      const least = leastOrder(product, price);
      const near = [least.times('0.9999999995'), least.minus('0.00000001')];
      const wanted = [...near, least, least.plus('0.00000001'), least.times(2), decimalOf(0)];
      expect(
        wanted.map((one) => canBeOrdered(one, product, { price })),
        `${least} at ${price}`,
      ).toEqual([false, false, true, true, true, false]);
    }
  }
});

test.each<['quote' | 'base' | 'received', Side, number, number, string]>([
  ['quote', 'buy', 0, 0.00001, '0.6 usd'],
  ['base', 'buy', 0.6, 0, '0.00001 btc'],
  ['received', 'buy', 0.6, 0, '0.00001 btc'],
  ['received', 'sell', 0, 0.00001, '0.6 usd'],
  ['quote', 'buy', 0.7, 0.00001, '0.7 usd'],
  ['quote', 'buy', 0, 0, '0 usd'],
])('service.feeIn: %s, %s: a fee of %d in quote and %d in base currency is %s', (feeIn, side, feeInQuoteCcy, feeInBaseCcy, fee) => {
  const base = quote({ buy: 60_000, sell: 60_000 });
  const fees = { feeInQuoteCcy, feeInBaseCcy };
  const made = { ...base, buy: { ...base.buy, ...fees }, sell: { ...base.sell, ...fees } };
  const intent: Intent = { kind: 'intent', side, size: amount('0.01'), reason: 'test', tag: null, limit: null, within: null, on: null };
  const result = size({ intent, quote: made, laneAmount: btcLane.amount, product: btcProduct, ...at('1'), feeIn, canShort: true });
  expect(result.kind === 'sized' && `${result.figures.fee} ${result.figures.feeCcy}`).toBe(fee);
});

const intentOf = (side: Side | null, wanted: IntentSize): Intent => ({
  ...{ kind: 'intent', side, size: wanted, reason: 'test', tag: null, limit: null, within: null, on: null },
});

test.each<[string, lane: Amount, wanted: Amount, quoted: number, ordered: string]>([
  ['of its value', { quote: decimalOf(600) }, { quote: decimalOf('600.0') }, 0.0099, 'buy 0.0099'],
  ['of another value', { quote: decimalOf(600) }, { quote: decimalOf(700) }, 0.0099, 'buy on a lane of quote:700'],
  ['of a size that is not quite that of the lane', { base: decimalOf('0.01') }, { base: decimalOf('0.01') }, 0.01001, 'buy 0.01001'],
  ['of the size that it happens to have', { quote: decimalOf(600) }, { base: decimalOf('0.01') }, 0.01, 'buy 0.01'],
  [
    'with more digits than a quote can have',
    { base: decimalOf('0.0100000000000000000001') },
    { base: decimalOf('0.0100000000000000000001') },
    0.01,
    'buy 0.01',
  ],
])('an order %s has the size that is quoted', (_, laneAmount, wanted, quoted, ordered) => {
  for (let n = 0; n < 2; n++) {
    const given = { intent: intentOf('buy', { kind: 'amount', amount: wanted }), quote: quote({ size: quoted }), laneAmount };
    const result = size({ ...given, product: btcProduct, ...at('0'), feeIn: 'quote', canShort: true });
    const what =
      result.kind === 'sized'
        ? String(result.figures.size)
        : result.kind === 'needs_lane'
          ? `on a lane of ${amountText(result.amount)}`
          : '';
    expect(`buy ${what}`).toBe(ordered);
  }
});

const worth = (quoted: string): IntentSize => ({ kind: 'amount', amount: { quote: decimalOf(quoted) } });

test.each<[IntentSize, held: string, feeIn: FeeCurrency, long: string, short: string]>([
  [amount('0.01'), '0.01', 'quote', 'sell 0.01', 'sell 0.01'],
  [amount('0.01'), '0.0083', 'quote', 'sell on a lane of base:0.0083', 'sell 0.01'],
  [amount('0.02'), '0.01', 'quote', 'sell 0.01', 'sell on a lane of base:0.02'],
  [amount('0.005'), '0.01', 'quote', 'sell on a lane of base:0.005', 'sell on a lane of base:0.005'],
  [amount('0.01'), '0.01', 'base', 'sell on a lane of base:0.0099', 'sell 0.01'],
  [amount('0.01'), '0', 'quote', 'sell 0.01', 'sell 0.01'],
  [amount('0.01'), '0.00001', 'quote', 'DUST', 'sell 0.01'],
  [worth('700'), '0.01', 'quote', 'sell 0.01', 'sell on a lane of quote:700'],
  [worth('500'), '0.01', 'quote', 'sell on a lane of quote:500', 'sell on a lane of quote:500'],
])('a sale of %o with %s held and fees in %s: %s where the product may not go short, else %s', (wanted, held, feeIn, ...expected) => {
  expect([false, true].map((canShort) => sizedWith({ feeIn, canShort }, 'sell', wanted, held))).toEqual(expected);
});

test('what cannot be ordered says what was wanted and what there is', () => {
  const of = (wanted: IntentSize, held: string, price: number, side: Side | null = null) =>
    size({
      intent: intentOf(side, wanted),
      quote: quote({ buy: price }),
      laneAmount: btcLane.amount,
      product: btcProduct,
      ...at(held),
      feeIn: 'quote',
      canShort: true,
    });
  const half: IntentSize = { kind: 'percent', percent: 50 };
  expect(of(half, '0', 60_000)).toEqual({
    kind: 'refused',
    side: 'sell',
    reason: 'NO_POSITION',
    wanted: '50 % of the position',
    offered: '0',
  });
  expect(of(half, '-1', 60_000, 'sell')).toMatchObject({ side: 'sell', reason: 'NO_POSITION', offered: '-1' });
  expect(of({ kind: 'position' }, '0.0001', 40_000)).toEqual({
    ...{ kind: 'refused', side: 'sell', reason: 'DUST', wanted: '0.0001 of 0.0001 held', offered: 'at least 0.0002' },
  });
  expect(of({ kind: 'position' }, '0.0001', 50_000)).toMatchObject({
    kind: 'needs_lane',
    side: 'sell',
    amount: { base: decimalOf('0.0001') },
  });
});

test.each([
  ['0.0001', '5', '0.0001', 60_000, '0.0001'],
  ['0.0001', '5', '0.0001', 30_000, '0.0002'],
  ['0.01', '5', '0.0001', 60_000, '0.01'],
  ['0.0001', '5', '0.001', 60_000, '0.001'],
  ['0', '5', '0', 50_000, '0.0001'],
  ['0', '0', '0.5', 50_000, '0.5'],
  ['0.003', '5', '0.002', 0, '0.004'],
])('the least order: %s at least, worth %s, in steps of %s, at %d: %s', (minSize, minNotional, step, price, least) => {
  const [min, value, sizeIncrement] = [minSize, minNotional, step].map(decimalOf);
  if (!min || !value || !sizeIncrement) return;
  expect(String(leastOrder({ ...btcProduct, minSize: min, minNotionalValue: value, sizeIncrement }, price))).toBe(least);
});

test.each<[IntentSize, string]>([
  [amount('0.0100'), '0.01 base'],
  [{ kind: 'amount', amount: { quote: decimalOf(250) } }, '250 quote'],
  [{ kind: 'position' }, 'position'],
  [{ kind: 'percent', percent: 50 }, '50 % of the position'],
  [{ kind: 'part', base: decimalOf('0.010') }, '0.01 of the position'],
  [target('-0.5'), 'target -0.5'],
])('an intent in words: %o is %s', (wanted, words) => {
  expect(wordsOf(intentOf(null, wanted))).toBe(words);
});
