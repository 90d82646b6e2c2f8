import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { decimalOf } from '#domain/decimal.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { dataFaults } from '#research/backtest/data-faults.ts';
import { importSettings, importSettingsLines } from '#research/backtest/import-settings.ts';
import { configOf, folder } from '../../config/support.ts';

const linesFor = (product: string, size: string, highest: number): readonly string[] =>
  importSettingsLines(importSettings({ product, size: decimalOf(size), quote: product.slice(3), highest }));

test('what an import ends with lets its amount trade: budget and limits where the usual ones refuse it, and nothing where they do not', () => {
  expect(linesFor('eurusd', '1000', 1.1)).toEqual([
    'strategies:',
    '  - { id: mine, use: sma-cross, product: eurusd, amount: { base: 1000 } }',
  ]);
  expect(linesFor('eurusd', '10000', 1.1)).toEqual([
    'strategies:',
    '  - { id: mine, use: sma-cross, product: eurusd, amount: { base: 10000 }, budget: { usd: 14000 } }',
    'risk:  # maxPositionValue counts all strategies of a product together',
    '  maxOrderValue: { usd: 14000, eur: 2000, sek: 20000 }',
    '  maxPositionValue: { usd: 14000, eur: 10000, sek: 100000 }',
  ]);
  // An order of 9,000 would pass as a position; a limit of an order above that of a position is no configuration.
  expect(linesFor('eurusd', '9000', 1).slice(2)).toEqual([
    'risk:  # maxPositionValue counts all strategies of a product together',
    '  maxOrderValue: { usd: 11000, eur: 2000, sek: 20000 }',
    '  maxPositionValue: { usd: 11000, eur: 10000, sek: 100000 }',
  ]);
  // The usual limits are in usd, eur and sek.
  expect(linesFor('btcusdt', '0.01', 62_000)).toEqual([
    'strategies:',
    '  - { id: mine, use: sma-cross, product: btcusdt, amount: { base: 0.01 } }',
    'risk:  # maxPositionValue counts all strategies of a product together',
    '  maxOrderValue: { usdt: 750, eur: 2000, sek: 20000, usd: 2000 }',
    '  maxPositionValue: { usdt: 3800, eur: 10000, sek: 100000, usd: 10000 }',
    '  maxStrategyValue: { usdt: 7500, eur: 20000, sek: 200000, usd: 20000 }',
    '  maxTotalValue: { usdt: 19000, eur: 50000, sek: 500000, usd: 50000 }',
    '  maxDayValue: { usdt: 7500000, eur: 20000000, sek: 200000000, usd: 20000000 }',
    '  maxDayLoss: { usdt: 1900, eur: 5000, sek: 50000, usd: 5000 }',
  ]);
});

test('limits fit all that the folder has: per limit and currency the largest, whichever was imported last', () => {
  const yen = { size: decimalOf('10000'), quote: 'jpy', highest: 145.7 };
  const pound = { size: decimalOf('10000'), quote: 'usd', highest: 1.28 };
  const after = importSettings({ product: 'usdjpy', ...yen, others: [pound] });
  expect(after.strategies).toEqual(importSettings({ product: 'usdjpy', ...yen }).strategies);
  expect(importSettingsLines(after).slice(2)).toEqual([
    'risk:  # maxPositionValue counts all strategies of a product together',
    '  maxOrderValue: { jpy: 1800000, eur: 2000, sek: 20000, usd: 16000 }',
    '  maxPositionValue: { jpy: 9000000, eur: 10000, sek: 100000, usd: 16000 }',
    '  maxStrategyValue: { jpy: 18000000, eur: 20000, sek: 200000, usd: 20000 }',
    '  maxTotalValue: { jpy: 45000000, eur: 50000, sek: 500000, usd: 50000 }',
    '  maxDayValue: { jpy: 18000000000, eur: 20000000, sek: 200000000, usd: 20000000 }',
    '  maxDayLoss: { jpy: 4500000, eur: 5000, sek: 50000, usd: 5000 }',
  ]);
  const before = importSettings({ product: 'gbpusd', ...pound, others: [yen] });
  expect(before.risk).toEqual(after.risk);
  const yaml = [...importSettingsLines(before), ...importSettingsLines(after).filter((line) => line.startsWith('  - '))];
  const both = yaml.filter((line) => !line.startsWith('  - ')).join('\n');
  const entries = yaml.filter((line) => line.startsWith('  - ')).map((line, n) => line.replace('mine', `mine-${n}`));
  const { settings } = configOf(both.replace('strategies:', ['strategies:', ...entries].join('\n')), { cwd: folder() });
  expect(settings.strategies.map(({ id }) => id)).toEqual(['mine-0', 'mine-1']);
});

test('a price that the import itself tells as far from all others raises no limit, there and where the amount is refused', async () => {
  const cwd = folder();
  const rows = Array.from({ length: 40 }, (_, n) => `${n * 60_000 + 1.7e12},1.1,1.102,1.099,${n % 2 === 0 ? 1.1 : 1.101}`);
  const spiked = rows.with(20, `${20 * 60_000 + 1.7e12},1.1,11.043,1.099,11.043`);
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '10000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd'), size: 10_000, feePercentage: 0, validMs: 3000, afterMs: 0 };
  const found = async (name: string, lines: readonly string[], barPath: 'close' | 'worst'): Promise<readonly string[]> => {
    const file = path.join(cwd, 'own.csv');
    const out = path.join(cwd, name);
    writeFileSync(file, `time,open,high,low,close\n${lines.join('\n')}\n`);
    const ticks = { ...names, crossed: 'drop' } as const;
    const { highest, facts } = await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 1, barPath, out });
    expect(facts.spikes?.count).toBe(name.startsWith('spiked') ? 1 : undefined);
    const { settings } = configOf('strategies:\n  - { id: one, use: sma-cross, product: eurusd, amount: { base: 10000 } }\n', { cwd });
    const faults = settings.strategies.flatMap(dataFaults(out, settings).productFaults).map(({ message }) => message);
    return [...linesFor('eurusd', '10000', highest), ...faults];
  };
  for (const barPath of ['close', 'worst'] as const)
    expect(await found(`spiked-${barPath}`, spiked, barPath)).toEqual(await found(`plain-${barPath}`, rows.toSpliced(20, 1), barPath));
});

test.each([
  [
    'eurusd',
    '10000',
    '1.05',
    /worth at least 10499\S* usd, over risk\.maxOrderValue 2000 usd, risk\.maxPositionValue 10000 usd, its budget/,
  ],
  [
    'btcusdt',
    '0.01',
    '61000',
    /an order of btcusdt is in usdt, for which there is no limit in risk\.maxOrderValue, .* no quotes give its rate to eur, sek, usd/,
  ],
])(
  'prices of %s: config check --data refuses what no order could open, and takes the lines of the import',
  async (product, size, price, refused) => {
    const cwd = folder();
    const file = path.join(cwd, 'own.csv');
    writeFileSync(file, `time,open,high,low,close\n${[1, 2].map((n) => `${n * 60_000 + 1.7e12}${`,${price}`.repeat(4)}\n`).join('')}`);
    const [base, quote] = [product.slice(0, 3), product.slice(3)];
    const lane = laneFor(productCode(product), amountOf({ base: size }));
    const ticks = {
      lane,
      baseCcy: currency(base),
      quoteCcy: currency(quote),
      size: Number(size),
      feePercentage: 0,
      validMs: 3000,
      afterMs: 0,
    };
    const { highest } = await importFile({
      file,
      map: { unit: 'auto' },
      ticks: { ...ticks, crossed: 'drop' },
      spreadBps: 1,
      out: path.join(cwd, 'own'),
    });
    const faultsWith = (yaml: string): readonly string[] => {
      const { settings } = configOf(yaml, { cwd });
      return settings.strategies.flatMap(dataFaults(path.join(cwd, 'own'), settings).productFaults).map(({ message }) => message);
    };
    const entry = `{ id: one, use: sma-cross, product: ${product}, amount: { base: ${size} } }`;
    const faults = faultsWith(`strategies:\n  - ${entry}\n`);
    expect(faults).toEqual([expect.stringMatching(refused)]);
    // What the message says to write is whole: the same, typed.
    const [, budget = '', risk = ''] = /write (?:(budget: .*?) in its entry, and )?(risk: .*)$/.exec(faults[0] ?? '') ?? [];
    const mended = budget === '' ? entry : entry.replace(/ \}$/, `, ${budget} }`);
    expect(faultsWith(`strategies:\n  - ${mended}\n${risk}\n`)).toEqual([]);
    const lossless = configOf(`strategies:\n  - ${mended}\n${risk.replace(/, maxDayLoss: \{.*?\}/, '')}\n`, { cwd }).settings;
    const silent = quote === 'usd' ? [] : [expect.stringMatching(/^losses in usdt \(strategy one\) never stop trading/)];
    expect(dataFaults(path.join(cwd, 'own'), lossless).warnings).toEqual(silent);
    const lines = importSettingsLines(importSettings({ product, size: decimalOf(size), quote, highest }));
    expect(faultsWith(`${lines.join('\n')}\n`)).toEqual([]);
  },
);
