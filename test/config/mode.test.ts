import { describe, expect, test } from 'vitest';
import { factsOf } from '../support/same-facts.ts';
import { codesOf, configOf, faultsOf, LIVE_URL, strategyYaml } from './support.ts';

const SECRET = Buffer.from('a secret of one live account').toString('base64');
const READY = `${LIVE_URL}${strategyYaml({ budget: '{ usd: 500 }' })}risk: { maxOrderValue: 100, maxPositionValue: 200, maxDayValue: 1000, maxDayLoss: 50, maxDrawdownPct: 10 }\naccount: { opening: { usd: 1000 } }\n`;
const KEYS = { KAIROS_USER_ID: '77', KAIROS_API_KEY: 'k', KAIROS_API_SECRET: SECRET };

describe('nobody trades with real money by accident', () => {
  test('an address on this machine makes nothing paper: what listens there does', () => {
    const local = 'service: { baseUrl: "http://127.0.0.1:8090" }';
    expect(configOf(local, { live: false }).mode).toBe('dry');
    expect(configOf(local, { live: false, isVenue: true }).mode).toBe('paper');
    expect(codesOf(`mode: paper\n${local}`, { live: false })).toEqual(['MODE']);
    expect(configOf(`mode: live\n${READY}`.replace(/"https:[^"]*"/, '"http://127.0.0.1:8090"'), { live: true, env: KEYS }).mode).toBe(
      'live',
    );
  });

  test('one of the two keys of live trading alone is a fault, of a start and of nothing else', () => {
    expect(codesOf(READY, { live: true, env: KEYS })).toEqual(['MODE']);
    expect(codesOf(`mode: live\n${READY}`, { live: false, env: KEYS })).toEqual(['MODE']);
    expect(configOf(`mode: live\n${READY}`, { live: 'either', env: KEYS }).mode).toBe('live');
  });

  test('a real service without --live is dry: no user, keys, limits or budgets, and the paper account', () => {
    const { mode, settings } = configOf(`${LIVE_URL}${strategyYaml()}`, { live: false });
    expect(mode).toBe('dry');
    expect(settings.service).toMatchObject({ userId: null, apiKey: null, apiSecret: null });
    expect(settings.trading.arming).toMatchObject({ arm: 'auto', crashHalt: null });
    expect(settings.account.opening).toMatchObject({ usd: '1000000' });
    expect(settings.clock.source).toBe('date');
    expect(settings.lanes.opensPerSecond).toBe(10);
  });

  test('what is set by hand stands in every mode', () => {
    const own = `${LIVE_URL}account: { opening: { usd: 7 } }\ntrading: { arm: manual }\n`;
    const { settings } = configOf(own, { live: false });
    expect([settings.account.opening, settings.trading.arming.arm]).toEqual([{ usd: '7' }, 'manual']);
  });

  test('live with everything spelt out', () => {
    const { mode, settings } = configOf(`mode: live\n${READY}`, { live: true, env: KEYS });
    expect(mode).toBe('live');
    expect(settings.lanes.opensPerSecond).toBe(10);
  });

  test('live needs user, keys, limits and budgets, each by its own word', () => {
    const wanted = [
      'service.userId: is needed live; set KAIROS_USER_ID',
      'service.apiKey: is needed live; set KAIROS_API_KEY',
      'service.apiSecret: is needed live; set KAIROS_API_SECRET or KAIROS_API_SECRET_FILE',
      'risk.maxOrderValue: must be set by you to trade live, such as {usd: 500}, or off',
      'risk.maxPositionValue: must be set by you to trade live, such as {usd: 500}, or off',
      'risk.maxDayValue: must be set by you to trade live, such as {usd: 500}, or off',
      'risk.maxDayLoss: must be set by you to trade live, such as {usd: 500}, or off',
      'risk.maxDrawdownPct: must be set by you to trade live, such as 10, or off',
      'account.opening: is needed live, such as {usd: 1000, btc: 0.5}: what the account holds now',
      'kairos.yaml:4: strategies[0].budget: is needed live, such as {usd: 1000}',
    ];
    expect(faultsOf(`mode: live\n${LIVE_URL}${strategyYaml()}`, { live: 'either' }).map(factsOf)).toEqual(wanted.map(factsOf));
  });

  test.each([
    ['halt: { escalate: pauseAll }', 'halt.escalate', { live: true }],
    ["schedule: [{ name: s, cron: '0 22 * * *', timezone: UTC, action: remote.pauseAll }]", 'schedule[0].action', { live: true }],
    ['alerts: { watch: { pauseAllAfter: 1m } }', 'alerts.watch.pauseAllAfter', { sendsAlerts: true }],
  ] as const)('live needs a sign-in where the service is told to pause its strategies: %s', (yaml, key, use) => {
    const of = (env: NodeJS.ProcessEnv) => faultsOf(`mode: live\n${READY}${yaml}`, { ...use, env: { ...KEYS, ...env } });
    const none = expect.stringMatching(
      /^kairos\.yaml:\d+: (.*): needs a sign-in; set KAIROS_TOKEN, or KAIROS_USERNAME and KAIROS_PASSWORD, or /,
    );
    expect(of({})).toEqual([none]);
    expect(of({})[0]).toContain(`: ${key}: `);
    expect(of({ KAIROS_USERNAME: 'me' }), 'no password').toEqual([none]);
    for (const env of [{ KAIROS_TOKEN: 'a-token-of-mine' }, { KAIROS_USERNAME: 'me', KAIROS_PASSWORD: 'hunter22' }])
      expect(of(env)).toEqual([]);
    expect(of({ KAIROS_SERVICE_REFRESH_TOKEN_FILE: 'var/session' })).toEqual([]);
    expect(faultsOf(`mode: live\n${READY}${yaml}`), 'a command that trades nothing').toEqual([]);
  });

  test('commands that trade nothing read a live configuration without keys', () => {
    expect(configOf(`mode: live\n${READY}`).mode).toBe('live');
  });

  test('B36 certificates are checked off loopback', () => {
    const env = { ...KEYS, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(faultsOf(`mode: live\n${READY}`, { live: true, env })).toEqual([
      "env NODE_TLS_REJECT_UNAUTHORIZED: turns off the check of the service's certificate; unset it",
    ]);
    expect(faultsOf('lanes: { max: 1 }', { env })).toEqual([]);
  });
});
