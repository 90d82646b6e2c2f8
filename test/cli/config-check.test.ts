import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { checkProducts } from '#assembly/assemble.ts';
import { startFaults, venueFaults, venueRateFaults } from '#assembly/start-faults.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { dataFaults } from '#research/backtest/data-faults.ts';
import { configOf, folder, inspect } from '../config/support.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { ROOT } from '../support/root.ts';

const FOLDERS = { cwd: ROOT, packaged: path.join(ROOT, 'strategies') };

const entry = (id: string, more: Readonly<Record<string, string>> = {}): string => {
  const fields = { id, use: 'sma-cross', product: 'btcusd', amount: '{ base: 0.01 }', ...more };
  return `  - { ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }\n`;
};

test('config check tells the faults of every strategy in one go, whatever is wrong with another entry', async () => {
  const cwd = folder();
  const bad = [
    entry('zero', { amount: '{ base: 0 }', product: 'nosuch', params: '{ fast: many, slwo: 4 }' }),
    entry('missing', { use: './strategies/missing.ts' }),
    entry('misspelt', { use: 'sma-cros' }),
    entry('params', { params: '{ fast: many, slow: 30 }' }),
    entry('where', { params: '{ fast: 50, slow: 30, slwo: 4 }' }),
  ];
  inspect(`strategies:\n${bad.join('')}`, { cwd });
  const { code, stderr } = await kairosHere(['config', 'check'], { cwd });
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^kairos: kairos\.yaml:2: strategies\[0\]\.amount\.base: must be a number above 0/),
    expect.stringMatching(/^kairos: kairos\.yaml:2: strategy zero: params\.slwo: unknown; .*; params\.fast: must be a number/),
    expect.stringMatching(/^kairos: kairos\.yaml:2: strategy zero: the service quotes no product nosuch; .*config check --data\)$/),
    expect.stringMatching(/^kairos: kairos\.yaml:3: strategy missing: use: .* does not exist/),
    expect.stringMatching(/^kairos: kairos\.yaml:4: strategy misspelt: use: .*'sma-cros'/),
    expect.stringMatching(/^kairos: kairos\.yaml:5: strategy params: params\.fast: must be a number/),
    expect.stringMatching(/^kairos: kairos\.yaml:6: strategy where: params\.slwo: unknown; .*; .*fast.*50.*slow.*30/),
  ]);
});

test("config check says that a service of one's own is not asked for products and amounts", async () => {
  const cwd = folder();
  inspect(`strategies:\n${entry('one', { product: 'nosuch' })}`, { cwd });
  const words = ['config', 'check', '--set', 'service.baseUrl=http://127.0.0.1:9'];
  expect(await kairosHere(words, { cwd })).toMatchObject({
    code: 0,
    stdout:
      'ok: paper, 1 strategy, from kairos.yaml\nthe service is not asked: kairos doctor compares products and amounts with http://127.0.0.1:9\n',
  });
});

test('config check says what a start would say of the settings, and goes on all the same', async () => {
  const env = { KAIROS_ALERTS_PHONE: '1' };
  const note = 'env KAIROS_ALERTS_PHONE: nothing reads this variable; `kairos config print --origins` shows those that are read';
  const cwd = folder();
  inspect(`strategies:\n${entry('one')}`, { cwd });
  expect(await kairosHere(['config', 'check'], { cwd, env })).toMatchObject({
    code: 0,
    stdout: `ok: paper, 1 strategy, from kairos.yaml\n${note}\n`,
  });
  const json = await kairosHere(['config', 'check', '--json'], { cwd, env });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, warnings: [note] });
});

test('products and amounts of account.rates are held against those of the venue, as those of strategies', async () => {
  const rates = [
    'usdchf, amount: { base: 1000 }',
    'eurusd, amount: { base: 0.5 }',
    'ethusd, amount: { base: 2000 }',
    'eurusd, amount: { base: 10 }',
  ];
  const config = configOf(`account:\n  rates:\n${rates.map((rate) => `    - { product: ${rate} }\n`).join('')}`);
  const { settings } = config;
  const against = { folders: FOLDERS, productFaults: venueFaults(settings), rateFaults: venueRateFaults(settings) };
  const lines = (await startFaults(config, against)).map(({ code, line }) => `${code} ${line}`);
  expect(lines).toEqual([
    expect.stringMatching(/^PRODUCT_UNKNOWN kairos\.yaml:3: account\.rates\[0\]: the service quotes no product usdchf; it quotes btcusd, /),
    "CONFIG_INVALID kairos.yaml:4: account.rates[1].amount.base: must be at least eurusd's minSize 1",
    expect.stringMatching(
      /^CONFIG_INVALID kairos\.yaml:5: account\.rates\[2\]\.amount\.base: the paper venue offers at most 1000 of ethusd/,
    ),
  ]);
  expect(() => checkProducts({ strategies: [], rates: settings.account.rates }, VB_PRODUCTS)).toThrow(
    /account\.rates\[0\]: the service quotes no product usdchf/,
  );
});

test('config check holds strategies against data of your own, where --data names it, as backtest does', async () => {
  const cwd = folder();
  const file = path.join(cwd, 'own.csv');
  writeFileSync(file, `time,open,high,low,close\n${[1, 2, 3].map((n) => `${n * 60_000 + 1.7e12},1.3,1.3,1.3,1.3\n`).join('')}`);
  const lane = laneFor(productCode('gbpusd'), amountOf({ base: '1000' }));
  const ticks = { lane, baseCcy: currency('gbp'), quoteCcy: currency('usd'), size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0 };
  await importFile({ file, map: { unit: 'auto' }, ticks: { ...ticks, crossed: 'drop' }, spreadBps: 1, out: path.join(cwd, 'own') });
  const config = configOf(`strategies:\n${entry('one', { product: 'gbpusd', amount: '{ base: 500 }' })}`, { cwd });
  const { productFaults: against, told } = dataFaults(path.join(cwd, 'own'), config.settings);
  expect(await startFaults(config, { folders: FOLDERS, productFaults: against, rateFaults: [] })).toEqual([]);
  expect(told).toEqual([
    expect.stringMatching(/^gbpusd: plays gbpusd@base:1000, imported from own\.csv, as the nearest to base:500: 3 quotes from \S+ to \S+$/),
  ]);
  const [strategy] = config.settings.strategies;
  if (!strategy) throw new Error('no strategy');
  const lacks = { ...strategy, id: 'two', product: 'btcusd' as (typeof strategy)['product'] };
  const alone = dataFaults(path.join(cwd, 'own'), { ...config.settings, strategies: [lacks] });
  expect(alone.productFaults(lacks).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^kairos\.yaml:2: strategy two: \S+own holds no quotes of btcusd; it holds gbpusd from .*: take a product of it/),
  ]);
  const misspelt = { ...lacks, product: 'gpbusd' as (typeof strategy)['product'] };
  expect(dataFaults(path.join(cwd, 'own'), { ...config.settings, strategies: [strategy, misspelt] }).told[0]).toMatch(
    /own holds no quotes of gpbusd \(did you mean gbpusd\?\); it holds gbpusd from /,
  );
  const beside = dataFaults(path.join(cwd, 'own'), { ...config.settings, strategies: [strategy, lacks] });
  expect(beside.productFaults(lacks), 'a backtest plays the others').toEqual([]);
  expect(beside.told).toEqual([expect.stringMatching(/^played without two \(kairos\.yaml:2\): \S+own holds no quotes of btcusd/), ...told]);
  const dear = config.settings.strategies.map((one) => ({ ...one, amount: amountOf({ base: '1600' }) }));
  expect(dear.flatMap(against).map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /strategy one: amount: an order of gbpusd is worth at least 2080 usd, over risk\.maxOrderValue 2000 usd, so .* write risk: \{ maxOrderValue: \{ usd: 2500, eur: 2000, sek: 20000 \} \}$/,
    ),
  ]);
  expect(venueFaults(config.settings)(strategy).map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^kairos\.yaml:2: strategy one: the service quotes no product gbpusd; .*imported prices are for backtest and sweep/,
    ),
  ]);
});

test('config check --data says which limits refuse most of what the data would bring, with the share', async () => {
  const cwd = folder();
  const file = path.join(cwd, 'own.csv');
  const price = (n: number): number => (n <= 2 ? 1.3 : 2.6);
  writeFileSync(
    file,
    `time,open,high,low,close\n${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n * 60_000 + 1.7e12}${`,${price(n)}`.repeat(4)}\n`).join('')}`,
  );
  const lane = laneFor(productCode('gbpusd'), amountOf({ base: '1000' }));
  const ticks = { lane, baseCcy: currency('gbp'), quoteCcy: currency('usd'), size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0 };
  await importFile({ file, map: { unit: 'auto' }, ticks: { ...ticks, crossed: 'drop' }, spreadBps: 80, out: path.join(cwd, 'own') });
  const yaml = `strategies:\n${entry('one', { product: 'gbpusd', amount: '{ base: 1000 }' })}`;
  const warned = (more = '') => dataFaults(path.join(cwd, 'own'), configOf(`${yaml}${more}`, { cwd }).settings).warnings;
  expect(warned()).toEqual([
    'strategy one: risk.maxSpreadPct 0.5 refuses openings on 100 % of the quotes of gbpusd, whose spread is wider: raise it, or take other data',
    'strategy one: risk.maxOrderValue 2000 usd refuses openings on 75 % of the quotes of gbpusd: raise it, or take a smaller amount',
  ]);
  expect(warned('risk: { maxSpreadPct: 1, maxOrderValue: { usd: 3000 } }\n')).toEqual([]);
  expect(warned('backtest: { limits: off }\n')).toEqual([]);
});

test('an amount that no order could ever be opened with is a fault: over a limit of value, or more than the venue offers', () => {
  const config = configOf(
    `strategies:\n${entry('much', { product: 'eurusd', amount: '{ quote: 1000000 }' })}${entry('big', { amount: '{ base: 100 }' })}${entry('eth', { product: 'ethusd', amount: '{ base: 200 }' })}${entry('right')}`,
    { cwd: folder() },
  );
  const faults = config.settings.strategies.flatMap(venueFaults(config.settings)).map(({ message }) => message);
  expect(faults).toEqual([
    expect.stringMatching(
      /:2: strategy much: amount: an order of eurusd is worth 1000000 usd, over risk\.maxOrderValue 2000 usd,.* smaller amount/,
    ),
    expect.stringMatching(/:3: strategy big: amount\.base: the paper venue offers at most 50 of btcusd/),
    expect.stringMatching(/:3: strategy big: amount: an order of btcusd is worth at least 5\d{6} usd, over risk\.maxOrderValue 2000 usd,/),
    expect.stringMatching(
      /:4: strategy eth: amount: an order of ethusd is worth at least 40\d{4} usd, over risk\.maxOrderValue 2000 usd, risk\.maxPositionValue 10000 usd, risk\.maxStrategyValue 20000 usd, risk\.maxTotalValue 50000 usd, its budget 10000 usd, so that no opening of this amount passes: take a smaller amount, or write budget: \{ usd: (\d+) \} in its entry, and risk: \{ maxOrderValue: \{ usd: \1, eur: 2000, sek: 20000 \}, maxPositionValue: \{ usd: \1, .* \} \}$/,
    ),
  ]);
});

test('a rule of parameters that throws, or answers no yes or no, is a fault of its strategy, beside what else its module has wrong', async () => {
  const cwd = folder();
  const module = (parts: string): string =>
    `import { param, strategy } from 'kairos/strategy';\nexport default strategy({ name: 'x', params: { n: param.int(1) },\n${parts}\nsignals: ({ quotes$ }) => quotes$, decide: () => undefined });\n`;
  mkdirSync(path.join(cwd, 'strategies'));
  const rules = { throws: 'where: (p) => p.q.r > 1,', odd: "where: () => 'yes',", wrong: "where: 'n > 2', warmup: 3," };
  for (const [name, parts] of Object.entries(rules)) writeFileSync(path.join(cwd, 'strategies', `${name}.ts`), module(parts));
  const config = configOf(
    `strategies:\n${Object.keys(rules)
      .map((name) => entry(name, { use: name, params: '{ m: 1 }' }))
      .join('')}`,
    { cwd },
  );
  const found = await startFaults(config, { folders: { ...FOLDERS, cwd }, productFaults: venueFaults(config.settings), rateFaults: [] });
  expect(found.map(({ line }) => line)).toEqual([
    expect.stringMatching(/strategy throws: params\.m: unknown; .*; x's where\(\) throws: strategies\/throws\.ts:3:\d+: Cannot read/),
    expect.stringMatching(/strategy odd: params\.m: unknown; .*; x's where\(\) must answer true or false, not "yes"$/),
    expect.stringMatching(/wrong\.ts:3:\d+: where must be a function of the parameters; line 3: warmup must be a function/),
  ]);
});
