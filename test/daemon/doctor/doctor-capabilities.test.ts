import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clockAhead } from '#adapters/service-client/clock/measured-offset.ts';
import { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { loadConfig } from '#config/load.ts';
import { capabilityFindings, serviceFindings } from '#daemon/doctor/service.ts';
import { accountBalances } from '#daemon/operations/account-balances.ts';
import type { Timers } from '#ports/timers.ts';
import { begun, orderFacts, permits, row } from '../../adapters/journal/rows.ts';
import { serviceSettings } from '../../adapters/service-client/support/service-settings.ts';
import { folder } from '../../config/support.ts';
import { started } from '../../paper-venue/venue-rig.ts';

type Capability = 'order-query' | 'balances';

/** What the doctor says of a service that is said to offer `named`, and offers `offered`; each finding as one text. */
async function findings(
  named: readonly Capability[],
  offered: readonly Capability[],
  ledger?: Readonly<Record<string, string>>,
  { env = {}, inFlight = false } = {},
) {
  const venue = await started({ capabilities: offered }, systemTimers);
  const cwd = folder();
  if (ledger) {
    const journal = begun(path.join(cwd, 'kairos.db'));
    const entries = Object.entries(ledger).map(([currency, amount]) => ({ kind: 'opening', book: 'treasury', currency, amount }) as const);
    journal.commit([row('booked', { who: 'kairos', why: 'opening balances', entries })]);
    if (inFlight) {
      journal.commit(permits(orderFacts(1)));
      journal.flush();
      onTestFinished(() => journal.close());
    } else journal.close();
  }
  const set = [`service.baseUrl=${venue.url}`, `service.capabilities=[${named.join(', ')}]`, 'journal.path=kairos.db'];
  const { settings } = loadConfig({ cwd, env, set, isVenue: true });
  return (await capabilityFindings(settings, { timers: systemTimers, serviceClock: clockAhead(0, systemTimers) })).map(
    ({ check, verdict, what, mend }) => [`${verdict} ${check}: ${what}`, ...(verdict === 'fail' ? [mend] : [])].join(' | '),
  );
}

const OPENING = { usd: '1000000', eur: '1000000', sek: '10000000', btc: '100', eth: '1000' };

test('what is not named is not asked for', async () => {
  expect(await findings([], ['order-query', 'balances'])).toEqual([]);
});

test('what the service offers, and a ledger that agrees with the account', async () => {
  expect(await findings(['order-query', 'balances'], ['order-query', 'balances'], OPENING)).toEqual([
    'ok order-query: the service can be asked what became of an order',
    'ok balances: the ledger agrees with the account',
  ]);
  expect(await findings(['balances'], ['balances'])).toEqual(['ok balances: the account has 5 currencies; there is no ledger yet']);
});

test('differences by currency, also in one that the account does not name', async () => {
  expect(await findings(['balances'], ['balances'], { ...OPENING, usd: '999999.5', doge: '7' })).toEqual([
    'warn balances: the account has usd 1000000, and the ledger 999999.5; doge 0, and the ledger 7',
  ]);
});

test('a difference proves nothing while a daemon has an order in flight', async () => {
  expect(await findings(['balances'], ['balances'], { ...OPENING, usd: '999999.5' }, { inFlight: true })).toEqual([
    expect.stringMatching(/^warn balances: orders are in flight, .*`kairos pause`/),
  ]);
});

test('what is named and not offered', async () => {
  const [orders, balances] = await findings(['order-query', 'balances'], []);
  expect(orders).toMatch(/^fail order-query: .* with 404; .*service\.capabilities/);
  expect(balances).toMatch(/^fail balances: .* with 404/);
});

test('a wrong secret is told as such, not as a service that does not offer what is named', async () => {
  const both = ['order-query', 'balances'] as const;
  const wrong = / with 401: it refuses key, secret, user or time \| check KAIROS_API_KEY, KAIROS_API_SECRET, .*doctor --probe`$/;
  expect(
    await findings(both, both, undefined, { env: { KAIROS_API_SECRET: Buffer.from('not the secret of this key').toString('base64') } }),
  ).toEqual([expect.stringMatching(wrong), expect.stringMatching(wrong)]);
});

test('asking needs a key, and says which is missing', () => {
  const { apiSecret: _secret, ...rest } = serviceSettings();
  const asking = () => new BrokerQuery({ baseUrl: 'http://127.0.0.1:1', service: { ...rest, apiSecret: null }, timers: systemTimers });
  expect(asking).toThrow('service.apiSecret: queries of orders and balances need it; set KAIROS_API_SECRET');
});

test('with clock.source: date every signature has the time of the service, however wrong this machine is', async () => {
  const capabilities = ['order-query', 'balances'] as const;
  const venue = await started({ capabilities }, systemTimers);
  const cwd = folder();
  const set = ['clock.source=date', `service.baseUrl=${venue.url}`, `service.capabilities=[${capabilities.join(', ')}]`];
  const config = loadConfig({ cwd, env: {}, set: [...set, 'journal.path=kairos.db'], isVenue: true });
  const wrong: Timers = { ...systemTimers, wallMs: () => systemTimers.wallMs() + 3_600_000 };
  const found = await serviceFindings(config, { timers: wrong, probe: true, hasKey: true, listenMs: null });
  expect(found.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(found.map(({ check, verdict }) => `${verdict} ${check}`)).toEqual(
    expect.arrayContaining(['ok probe', 'ok order-query', 'ok balances']),
  );
  expect((await accountBalances(config.settings, wrong)).get('btc')).toBe('100');
});
