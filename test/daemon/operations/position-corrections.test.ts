import { expect, test } from 'vitest';
import { correctionsOf } from '#daemon/operations/position-corrections.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { PastFill } from '#domain/event.ts';

function bought(
  strategy: string,
  { size, side = 'buy', product = 'btcusd' }: { size: string; side?: 'buy' | 'sell'; product?: string },
): PastFill {
  const value = decimalOf(size).times(60_000);
  const fee = value.div(1000).toString();
  const fill = { side, baseCcy: 'btc', quoteCcy: 'usd', price: '60000', size, value: value.toString(), fee, feeCcy: 'usd' };
  return { orderId: `${strategy}-${side}-${size}`, strategy, product, at: 0, fill };
}

const difference = (currency: string, ledger: string, actual: string) => ({
  currency,
  ledger: decimalOf(ledger),
  actual: decimalOf(actual),
  correction: decimalOf(actual).minus(ledger),
});
const wanted = (fills: readonly PastFill[], ...differences: ReturnType<typeof difference>[]) =>
  correctionsOf(differences, { fills, ledger: [] }).map(
    ({ book, product, currency, amount }) => `${book} ${product ?? '-'} ${amount} ${currency}`,
  );

const TWO = [bought('a', { size: '0.01' }), bought('b', { size: '0.03' })];

test('fees that were taken in base currency come off the positions of those who bought, and go back to their cash', () => {
  expect(wanted(TWO, difference('btc', '0.04', '0.03996'), difference('usd', '7597.6', '7600'))).toEqual([
    'a btcusd -0.00001 btc',
    'b btcusd -0.00003 btc',
    'a btcusd 0.6 usd',
    'b btcusd 1.8 usd',
  ]);
});

test("what was sold already is the treasury's, and so is money that no fee explains", () => {
  const closed = [...TWO, bought('a', { size: '0.01', side: 'sell' })];
  expect(wanted(closed, difference('btc', '1.03', '1.02996'))).toEqual(['b btcusd -0.00003 btc', 'treasury - -0.00001 btc']);
  expect(wanted(TWO, difference('btc', '1.04', '0.54'), difference('usd', '5000', '6000'))).toEqual([
    'treasury - -0.5 btc',
    'treasury - 1000 usd',
  ]);
});

test('an account that has less than all books hold shrinks their positions to it', () => {
  expect(wanted(TWO, difference('btc', '0.04', '0.02'))).toEqual(['a btcusd -0.005 btc', 'b btcusd -0.015 btc']);
  expect(wanted(TWO, difference('btc', '1.04', '0.02'))).toEqual(['a btcusd -0.005 btc', 'b btcusd -0.015 btc', 'treasury - -1 btc']);
});
