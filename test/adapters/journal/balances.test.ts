import { expect, test } from 'vitest';
import { balancesOf, totalsOf } from '#adapters/journal/balances.ts';

const entry = (book: string, currency: string, kind: 'opening' | 'fill' | 'fee' | 'deposit', amount: string) => ({
  book,
  currency,
  kind,
  amount,
});

test('each book has its balances, and all books together a total of each currency', () => {
  const balances = balancesOf([
    ...[entry('sma', 'usd', 'opening', '100'), entry('rsi', 'usd', 'opening', '50'), entry('sma', 'usd', 'fill', '-30.5')],
    ...[entry('sma', 'usd', 'fee', '-0.5'), entry('sma', 'btc', 'fill', '0.1'), entry('treasury', 'usd', 'deposit', '7')],
  ]);
  expect(
    balances.map(({ book, currency, opening, fills, fees, balance }) => [book, currency, ...[opening, fills, fees, balance].map(String)]),
  ).toEqual([
    ['sma', 'usd', '100', '-30.5', '-0.5', '69'],
    ['rsi', 'usd', '50', '0', '0', '50'],
    ['sma', 'btc', '0', '0.1', '0', '0.1'],
    ['treasury', 'usd', '0', '0', '0', '7'],
  ]);
  expect([...totalsOf(balances)].map(([currency, total]) => [currency, String(total)])).toEqual([
    ['usd', '126'],
    ['btc', '0.1'],
  ]);
});
