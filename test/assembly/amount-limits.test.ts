import { expect, test } from 'vitest';
import { figureBelow } from '#assembly/fitting-settings.ts';
import { decimalOf } from '#domain/decimal.ts';
import { dataFaults } from '#research/backtest/data-faults.ts';
import { strategyYaml } from '../config/support.ts';
import { bench } from '../research/backtest/session-bench.ts';

const caps = (figures: Readonly<Record<string, string>>) =>
  new Map(Object.entries(figures).map(([currency, figure]) => [currency, decimalOf(figure)]));

test.each<[string, Readonly<Record<string, string>>, number, string | undefined]>([
  ['at a figure of its own currency', { usd: '100', eur: '1' }, 100, undefined],
  ['above a figure of its own currency', { usd: '100', eur: '1000' }, 100.01, '100 usd'],
  ['at a figure of another currency, by the lowest rate', { eur: '50' }, 100, undefined],
  ['above a figure of another currency', { sek: '1', eur: '50' }, 100.01, '50 eur'],
  ['without a figure that a rate leads into', { sek: '1' }, 1_000_000, undefined],
])('a worth %s', (_, figures, worth, expected) => {
  const rates = new Map([
    ['usd', 1],
    ['eur', 0.5],
  ]);
  const found = figureBelow(caps(figures), { worth, currency: 'usd', rates });
  expect(found && `${found.figure} ${found.currency}`).toBe(expected);
});

test('an amount is held against a limit in another currency at the rates of the data, as its orders would be, with the settings to write', () => {
  const faultsAt = (eur: number): readonly string[] => {
    const rest = `account: { currency: eur, rates: [{ product: eurusd, amount: { base: 1000 } }] }\nrisk: { maxOrderValue: { eur: ${eur} } }\n`;
    const { config, dir } = bench(`${strategyYaml()}${rest}`, { lanes: ['btcusd 0.01', 'eurusd 1000'] });
    const { productFaults } = dataFaults(dir, config.settings);
    return config.settings.strategies.flatMap((one) => productFaults(one).map(({ message }) => message));
  };
  expect(faultsAt(2000)).toEqual([]);
  expect(faultsAt(100)).toEqual([
    expect.stringMatching(
      /strategy one: amount: an order of btcusd is worth at least \d+ usd, over risk\.maxOrderValue 100 eur, so that no opening.*write risk: \{ maxOrderValue: \{ usd: \d+, eur: 100 \}/,
    ),
  ]);
});
