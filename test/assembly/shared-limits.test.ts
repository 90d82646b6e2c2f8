import { expect, test } from 'vitest';
import { sharedWarnings } from '#assembly/shared-limits.ts';
import { configOf, strategyYaml } from '../config/support.ts';

const PRICES = { currency: 'usd', lowest: 40_000, highest: 50_000 };

const entry = (id: string, more: Readonly<Record<string, string>> = {}): string =>
  strategyYaml({ id, amount: '{ base: 0.03 }', ...more })
    .split('\n')
    .slice(1)
    .join('\n');

function warnings(entries: readonly string[], rest = ''): readonly string[] {
  const { settings } = configOf(`strategies:\n${entries.join('')}${rest}`);
  return sharedWarnings(settings.strategies, settings, () => PRICES).map(({ text }) => text);
}

const CAPS = 'risk: { maxPositionValue: { usd: 2000, eur: 2000 } }\n';

test('openings of one product that pass one by one and not together are named with the limit that lets all of them pass', () => {
  expect(warnings([entry('a'), entry('b')], CAPS)).toEqual([
    'risk.maxPositionValue (2000 usd) counts all strategies of btcusd together, and one order each of a, b comes to 3000 usd: one keeps the other from trading: write risk: { maxPositionValue: { usd: 3600, eur: 2000 } }',
  ]);
  expect(warnings([entry('a'), entry('b')])).toEqual([]);
  expect(warnings([entry('a')], CAPS)).toEqual([]);
  expect(warnings([entry('a'), entry('b', { enabled: 'false' })], CAPS)).toEqual([]);
  expect(warnings([entry('a'), entry('b', { product: 'ethusd' })], CAPS)).toEqual([]);
  expect(warnings([entry('a'), entry('b')], 'risk: { maxPositionValue: off }\n')).toEqual([]);
});

test('an opening that no limit lets pass alone is not this matter', () => {
  expect(warnings([entry('a'), entry('b', { amount: '{ base: 0.05 }' })], CAPS)).toEqual([]);
});

test('all products of a currency count towards the limit of all positions', () => {
  const total = 'risk: { maxPositionValue: { usd: 2000 }, maxTotalValue: { usd: 2000 } }\n';
  expect(warnings([entry('a'), entry('b', { product: 'ethusd' })], total)).toEqual([
    expect.stringMatching(/^risk\.maxTotalValue \(2000 usd\) counts all positions in usd together, .* a, b comes to 3000 usd/),
  ]);
});

test('a strategy that may go short is told of a budget that no buy passes, and of the currency that its budget lacks', () => {
  const short = 'account: { allowShort: [btcusd] }\n';
  const told = (budget: string): readonly string[] => warnings([entry('a', { budget })], short);
  expect(told('{ usd: 500 }')).toEqual([
    expect.stringMatching(
      /strategy a: amount: an order of btcusd is worth at least 1200 usd, over its budget 500 usd, so that no buy can pass, and only shorts are opened: write budget: \{ usd: 1800 \} in its entry, or take a smaller amount$/,
    ),
  ]);
  expect(told('{ eur: 20000 }')).toEqual([
    expect.stringMatching(
      /over its budget \{ eur: 20000 \}, which has no usd, in which btcusd is paid, so that no buy can pass.*: write budget: \{ usd: 1800, eur: 20000 \} in its entry/,
    ),
  ]);
  expect(told('{ usd: 2000 }')).toEqual([]);
  expect(warnings([entry('a', { budget: '{ usd: 500 }' })])).toEqual([]);
});

test('budgets that come to more than the account holds are named with the balance that covers them', () => {
  const opening = 'account: { opening: { usd: 3000 } }\n';
  const own = { budget: '{ usd: 2500 }' };
  expect(warnings([entry('a', own), entry('b', own)], opening)).toEqual([
    'the budgets of a, b come to 5000 usd, and account.opening holds 3000 usd: orders are refused once that is spent: write account: { opening: { usd: 5000 } }, or smaller budgets',
  ]);
  expect(warnings([entry('a')], opening)).toEqual([
    expect.stringMatching(/^the budget of a is 10000 usd, and account\.opening holds 3000 usd/),
  ]);
  expect(warnings([entry('a', own)], opening)).toEqual([]);
});

test('a currency that account.opening does not name has nothing for budgets; the default of a paper account names what the venue gives, and no more', () => {
  const own = { product: 'btcchf', budget: '{ chf: 2500 }' };
  expect(warnings([entry('a', own)], 'account: { opening: { usd: 3000 } }\n')).toEqual([
    'the budget of a is 2500 chf, and account.opening names no chf: purchases with it are refused: write account: { opening: { usd: 3000, chf: 2500 } }, or smaller budgets',
  ]);
  expect(warnings([entry('a', own)])).toEqual([]);
});
