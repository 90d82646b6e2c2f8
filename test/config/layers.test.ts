import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '#config/load.ts';
import { factsOf } from '../support/same-facts.ts';
import { configOf, faultsOf, folder, strategyYaml } from './support.ts';

describe('where a value comes from', () => {
  test('defaults, then files in their order, then environment, then --set', () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'a.yaml'), 'lanes: { max: 1 }\nlog: { level: warn }\ntrading: { seed: a, sendMarginMs: 1 }');
    writeFileSync(path.join(cwd, 'b.yaml'), '\nlog: { level: error }\ntrading: { seed: b }');
    const config = loadConfig({
      files: ['a.yaml', 'b.yaml'],
      env: { KAIROS_TRADING_SEED: 'env', KAIROS_LOG_LEVEL: 'debug' },
      set: ['log.level=trace'],
      cwd,
    });
    const origin = (key: string) => config.origins().find((row) => row.key === key);
    expect(origin('lanes.max')).toEqual({ key: 'lanes.max', value: 1, origin: 'a.yaml:1' });
    expect(origin('trading.sendMarginMs')).toEqual({ key: 'trading.sendMarginMs', value: 1, origin: 'a.yaml:3' });
    expect(origin('trading.seed')).toEqual({ key: 'trading.seed', value: 'env', origin: 'env KAIROS_TRADING_SEED' });
    expect(origin('log.level')).toEqual({ key: 'log.level', value: 'trace', origin: '--set' });
    expect(origin('risk.maxUnknown')).toEqual({ key: 'risk.maxUnknown', value: 1, origin: 'default' });
  });

  test('a group may stand where the default is a word, and a word over it', () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'a.yaml'), 'risk: { maxExitValue: { usd: 5, eur: 4 } }');
    const limit = (set: readonly string[]) => loadConfig({ files: ['a.yaml'], env: {}, set, cwd }).settings.risk.maxExitValue;
    expect(limit([])).toEqual({ byCurrency: { usd: '5', eur: '4' } });
    expect(limit(['risk.maxExitValue=off'])).toBe('off');
  });

  test('one figure of a group by currency or product is assigned alone, into what is in force', () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'a.yaml'), 'account: { currency: eur }\nrisk: { maxDayLoss: { USD: 70, eur: 60 }, maxOrderValue: 50 }');
    const of = (set: readonly string[], files = ['a.yaml'], env: NodeJS.ProcessEnv = {}) => loadConfig({ files, env, set, cwd }).settings;
    const { risk, lanes, service } = of([
      'risk.maxDayLoss.usd=100',
      'risk.maxOrderValue.sek=400',
      'risk.maxPositionValue.usd=9000',
      'risk.maxStrategyValue=off',
      'risk.maxStrategyValue.usd=9',
      'risk.maxExitValue.eur=100000',
      'lanes.staleAfter={eurusd: 30s}',
      'lanes.staleAfter.BTCUSD=5s',
      'service.outcomes={409: rejected}',
      'service.outcomes.425=rejected',
    ]);
    expect(risk).toMatchObject({
      maxDayLoss: { byCurrency: { usd: '100', eur: '60' } },
      maxOrderValue: { byCurrency: { eur: '50', sek: '400' } },
      maxPositionValue: { byCurrency: { usd: '9000', eur: '10000', sek: '100000' } },
      maxStrategyValue: { byCurrency: { usd: '9' } },
      maxExitValue: { byCurrency: { eur: '100000' } },
    });
    expect(lanes.staleAfterMs).toEqual({ eurusd: 30_000, btcusd: 5000 });
    expect(service.outcomes).toMatchObject({ 409: 'rejected', 425: 'rejected' });
    const onPaper = { byCurrency: { usd: '5', eur: '5000', sek: '50000' } };
    expect(of(['risk.maxDayLoss.usd=5'], []).risk.maxDayLoss, 'the default of the mode').toEqual(onPaper);
    expect(of(['risk.maxOrderValue.usd=9', 'account.currency=sek']).risk.maxOrderValue).toEqual({ byCurrency: { sek: '50', usd: '9' } });
    const env = { KAIROS_RISK_MAX_DAY_LOSS: '7' };
    expect(of(['risk.maxDayLoss.usd=5'], ['a.yaml'], env).risk.maxDayLoss).toEqual({ byCurrency: { eur: '7', usd: '5' } });
    const { origins } = loadConfig({ files: ['a.yaml'], env: {}, set: ['risk.maxDayLoss.usd=100'], cwd });
    expect(origins().find(({ key }) => key === 'risk.maxDayLoss')?.origin).toBe('--set');
    expect(() => of(['risk.maxDayLoss.eur=many'])).toThrow(/^--set: risk\.maxDayLoss\.eur: must be/);
    expect(() => of(['service.apiKey.usd=hidden'])).toThrow(/^--set: service\.apiKey: a secret may not stand here(?!.*hidden)/);
  });

  test('groups merge, lists are replaced', () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'a.yaml'), `${strategyYaml()}account: { currency: eur, allowShort: [btcusd] }`);
    writeFileSync(path.join(cwd, 'b.yaml'), 'account: { allowShort: [ethusd] }\nstrategies: []');
    const { settings } = loadConfig({ files: ['a.yaml', 'b.yaml'], env: {}, cwd });
    expect(settings.account).toMatchObject({ currency: 'eur', allowShort: ['ethusd'] });
    expect(settings.strategies).toEqual([]);
  });

  test('a bad value is refused also where a later one hides it', () => {
    expect(faultsOf('log: { level: loud }', { set: ['log.level=info'] })).toHaveLength(1);
  });

  test('without a kairos.yaml the packaged paper configuration is read', () => {
    const config = loadConfig({ env: {}, cwd: folder() });
    expect(config.files.map((file) => path.basename(file))).toEqual(['paper.yaml']);
    expect(config.mode).toBe('paper');
  });

  test.each(['kairos.yml', 'kairos.yaml.txt', 'Kairos.yaml'])('%s, which is not read, is told instead of trading the demo', (name) => {
    const cwd = folder();
    writeFileSync(path.join(cwd, name), 'lanes: { max: 7 }');
    expect(() => loadConfig({ env: {}, cwd })).toThrow(`${name}: is not read: call it kairos.yaml, or name it with --config`);
    expect(loadConfig({ files: [name], env: {}, cwd }).settings.lanes.max).toBe(7);
    writeFileSync(path.join(cwd, 'kairos.yaml'), 'lanes: { max: 8 }');
    expect(loadConfig({ env: {}, cwd }).settings.lanes.max).toBe(8);
  });

  test('an alias stands for its value, and its place is where it is used', () => {
    const config = configOf('account: { allowShort: &short [btcusd] }\nservice:\n  filledStatuses: *short');
    expect(config.settings.service.filledStatuses).toEqual(['btcusd']);
    expect(config.origins().find(({ key }) => key === 'service.filledStatuses')?.origin).toBe('kairos.yaml:3');
  });
});

describe('--set', () => {
  test('changes one place in a list and leaves the rest', () => {
    const config = configOf(strategyYaml({ params: '{ fast: 1, slow: 9 }' }), { set: ['strategies[0].params.fast=3'] });
    expect(config.settings.strategies[0]?.params).toEqual({ fast: 3, slow: 9 });
    const from = (key: string) => config.origins().find((row) => row.key === key)?.origin;
    expect(from('strategies[0].params.fast')).toBe('--set');
    expect(from('strategies[0].params.slow')).toBe('kairos.yaml:6');
  });

  test('takes YAML, and the very text where YAML would read something else', () => {
    const set = ['risk.maxOrderValue={usd: 50, eur: 60}', 'venue.database=:memory:', 'service.userId=1206', 'account={currency: sek}'];
    const { settings } = configOf('lanes: { max: 1 }', { set });
    expect(settings.risk.maxOrderValue).toEqual({ byCurrency: { usd: '50', eur: '60' } });
    expect(settings.venue.database).toBe(':memory:');
    expect(settings.service.userId).toBe('1206');
    expect(settings.account.currency).toBe('sek');
  });

  const BAD: readonly [set: string, line: RegExp][] = [
    ['log.level', /^--set: must be KEY=VALUE such as .*, not "log\.level"$/],
    ['=5', /^--set: must be KEY=VALUE/],
    ['foo=1', /^--set: foo: unknown setting, and none is like it: .*settings\.md has all$/],
    ['log.lvel=info', /^--set: log\.lvel: unknown setting; the nearest known one is log\.level$/],
    ['log.level=loud', /^--set: log\.level: must be one of .*, not "loud"$/],
    ['log.level.x=1', /^--set: log\.level: must be one of .*, not a group of settings$/],
    ['strategies[4].id=x', /^--set: strategies\[4\]\.id: strategies has 1 entries, counted from 0$/],
    ['strategies[0].amount.base=0', /^--set: strategies\[0\]\.amount\.base: must be a number above 0/],
    ['strategies[0].__proto__.x=1', /^--set: strategies\[0\]\.__proto__: unknown setting/],
    ['nothing[0]=1', /^--set: nothing\[0\]: nothing is no list of settings$/],
    ['risk={', /^--set risk: is not valid YAML: /],
  ];
  test.each(BAD)('%s is refused', (set, line) => {
    const faults = faultsOf(strategyYaml(), { set: [set] });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(line);
  });
});

describe('environment', () => {
  test('every scalar has a variable, read as the kind it is', () => {
    const env = {
      KAIROS_BASE_URL: 'http://127.0.0.1:8090/',
      KAIROS_USER_ID: '1206',
      KAIROS_LANES_MAX: '12',
      KAIROS_RECORDING_ENABLED: 'false',
      KAIROS_RISK_MAX_ORDER_VALUE: '150.5',
      KAIROS_RISK_MAX_SPREAD_PCT: 'off',
      KAIROS_VENUE_PRICES_SPEED: '2.5',
      KAIROS_VENUE_VALIDITY_MS: '1500',
    };
    const { settings, mode } = configOf('lanes: { max: 1 }', { env, isVenue: true });
    expect(mode).toBe('paper');
    expect(settings.service).toMatchObject({ baseUrl: 'http://127.0.0.1:8090', userId: '1206' });
    expect(settings.lanes.max).toBe(12);
    expect(settings.recording.enabled).toBe(false);
    expect(settings.risk).toMatchObject({ maxOrderValue: { byCurrency: { usd: '150.5' } }, maxSpreadPct: 'off' });
    expect(settings.venue).toMatchObject({ validityMs: 1500, prices: { speed: 2.5 } });
  });

  test('an empty variable counts as not set', () => {
    expect(configOf('lanes: { max: 3 }', { env: { KAIROS_LANES_MAX: '' } }).settings.lanes.max).toBe(3);
  });

  test.each([
    [{ KAIROS_LANES_MAX: '12abc' }, 'env KAIROS_LANES_MAX: lanes.max: must be a whole number from 1 to 10000, not "12abc"'],
    [{ KAIROS_LANES_MAX: '0x10' }, 'env KAIROS_LANES_MAX: lanes.max: must be a whole number from 1 to 10000, not "0x10"'],
    [{ KAIROS_RECORDING_ENABLED: 'no' }, 'env KAIROS_RECORDING_ENABLED: recording.enabled: must be true or false, not "no"'],
    [{ KAIROS_LANE_MAX: '3' }, 'env KAIROS_LANE_MAX: unknown variable; the nearest known one is KAIROS_LANES_MAX'],
    [{ KAIROS_API_SECERT: 'x' }, 'env KAIROS_API_SECERT: unknown variable; the nearest known one is KAIROS_API_SECRET'],
  ])('%j is refused', (env, line) => {
    expect(faultsOf('lanes: { max: 3 }', { env }).map(factsOf)).toEqual([factsOf(line)]);
  });
});

describe('what the settings become', () => {
  test('a list of products is one instance each, named after the product', () => {
    const { settings } = configOf(strategyYaml({ product: '[btcusd, ethusd]', amount: '{ quote: "100.10" }' }));
    expect(settings.strategies.map(({ id, product, origin }) => [id, product, origin])).toEqual([
      ['one-btcusd', 'btcusd', 'kairos.yaml:2'],
      ['one-ethusd', 'ethusd', 'kairos.yaml:2'],
    ]);
    expect(configOf(strategyYaml({ product: '[btcusd]' })).settings.strategies[0]?.id).toBe('one');
  });

  test('paths are taken from the folder of the start, and the brand decides those of the service', () => {
    const cwd = folder();
    const { settings } = configOf('service: { brand: acme }\njournal: { path: my.db }\nvenue: { database: ":memory:" }', { cwd });
    expect(settings.journal.path).toBe(path.join(cwd, 'my.db'));
    expect(settings.venue).toMatchObject({ database: ':memory:', brand: 'acme' });
    expect(settings.service.paths).toMatchObject({ quotes: '/acme-broker/public/quotes', orders: '/acme-broker/api/orders' });
  });

  test('a plain limit is in account.currency', () => {
    const { risk } = configOf('account: { currency: eur }\nrisk: { maxOrderValue: 0.3, maxPositionValue: off }').settings;
    expect(risk).toMatchObject({ maxOrderValue: { byCurrency: { eur: '0.3' } }, maxPositionValue: 'off' });
  });

  test('nothing in it can be changed by whoever reads it', () => {
    const { settings } = configOf(strategyYaml({ params: '{ fast: 1 }' }));
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.strategies[0]?.params)).toBe(true);
    expect(Object.isFrozen(settings.service.paths)).toBe(true);
  });

  test('the hash says whether two configurations are the same, wherever and however they are written', () => {
    const one = configOf('lanes: { max: 5 }\nrisk: { maxOrderValue: 100 }');
    const other = configOf('# a comment\nrisk:\n  maxOrderValue: { usd: "100.0" }\n\nlanes:\n  max: 5');
    expect(other.hash).toBe(one.hash);
    expect(configOf('lanes: { max: 6 }\nrisk: { maxOrderValue: 100 }').hash).not.toBe(one.hash);
    const shown = configOf('lanes: { max: 5 }\nrisk: { maxOrderValue: 100 }\nlog: { level: debug, pretty: true }');
    expect(shown.hash, 'what is logged decides nothing').toBe(one.hash);
    expect(shown.json).not.toBe(one.json);
  });
});

describe('what nobody reads is told, and what was meant is asked for', () => {
  const notesOf = (env: NodeJS.ProcessEnv) => loadConfig({ env, cwd: folder() }).notes;

  test('a variable that nothing reads is told at the start; those of Kairos and of others are not', () => {
    expect(notesOf({ KAIROS_ALERTS_PHONE: '1' })).toEqual([
      'env KAIROS_ALERTS_PHONE: nothing reads this variable; `kairos config print --origins` shows those that are read',
    ]);
    expect(notesOf({ KAIROS_REEXEC: '1', KAIROS_LOG_LEVEL: 'warn', HOME: '/' })).toEqual([]);
  });

  test('exits smaller than positions may be are told, since every stop of a larger one would wait for a person', () => {
    const told = (risk: string) => configOf(`account: { currency: eur }\nrisk: { ${risk} }`).notes;
    expect(told('maxExitValue: 100')).toEqual([
      'kairos.yaml:2: risk.maxExitValue: 100 eur is less than risk.maxPositionValue (10000 eur), so that stops of larger positions wait for a person; raise it, or write auto',
    ]);
    expect(told('maxExitValue: { usd: 100, chf: 1, sek: 100000 }')).toEqual([expect.stringContaining('100 usd is less than')]);
    for (const passes of ['auto', 'off', '10000']) expect(told(`maxExitValue: ${passes}`)).toEqual([]);
    expect(told('maxExitValue: 100, maxPositionValue: off')).toEqual([]);
  });

  test('positions that nothing can close are told where the service allows one connection, and no lane can be lent', () => {
    expect(configOf('lanes: { max: 1, reserve: 0 }').notes).toEqual([
      "kairos.yaml:1: lanes.reserve: 0 leaves positions open whose size is not their strategy's amount: a stop or a flatten has no lane to close them on",
    ]);
  });

  test('a product that a setting names and nothing has is told, with the nearest that something has', () => {
    const settings = (strategies: string) => `
account:
  allowShort: [btcusd, btcsud]
  rates: [{ product: eurusd, amount: { base: 10 } }]
  financing: { rates: [{ product: ETHUDS, long: -1, short: 1 }, { product: ethusd, long: -1, short: 1 }, { currency: usd, long: 1, short: 1 }] }
lanes: { staleAfter: { EURUSD: 30s, dogeusd: 30s } }
${strategies}`;
    const input = '{ other: { product: ethusd, amount: { base: 0.1 } } }';
    expect(configOf(settings(strategyYaml({ inputs: input }))).notes).toEqual([
      'kairos.yaml:3: account.allowShort[1]: no strategy, input or account.rates has btcsud; the nearest is btcusd',
      'kairos.yaml:5: account.financing.rates[0]: no strategy, input or account.rates has ethuds; the nearest is ethusd',
      'kairos.yaml:6: lanes.staleAfter.dogeusd: no strategy, input or account.rates has dogeusd; there are btcusd, ethusd, eurusd',
    ]);
    expect(configOf('lanes: { staleAfter: { dogeusd: 30s } }').notes, 'with nothing to name').toEqual([]);
  });

  test('every variable that Kairos names is one that is read', () => {
    const root = new URL('../../src/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const named = files.flatMap(
      (file) => readFileSync(new URL(file, root), 'utf8').match(/\bKAIROS_[A-Z0-9]+(?:_[A-Z0-9]+)*\b(?!_)/g) ?? [],
    );
    // Examples, and the type of a notification.
    const others = ['KAIROS_X', 'KAIROS_SECTION_KEY', 'KAIROS_TEST'];
    const variables = [...new Set(named)].filter((name) => !others.includes(name));
    expect(variables.length).toBeGreaterThan(15);
    for (const name of variables) {
      const inspected = inspectConfig({ env: { [name]: 'x' }, cwd: folder() });
      const told = 'config' in inspected ? inspected.config.notes : inspected.faults.map(({ line }) => line);
      expect(told.filter((line) => /nothing reads|unknown variable/.test(line))).toEqual([]);
    }
  });

  test.each([
    ['the number of a chat', 'alerts: { telegram: { chatId: -1001234567890 } }', '"-1001234567890"'],
    ['a name that YAML takes for true', 'alerts: { name: true }', '"true"'],
  ])('%s, written without quotes, is asked for in quotes', (_, yaml, quoted) => {
    expect(faultsOf(yaml).join('\n')).toContain(`; write it in quotes, as ${quoted}`);
  });
});
