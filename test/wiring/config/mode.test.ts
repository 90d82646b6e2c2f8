import { describe, expect, test } from 'vitest';
import { codesOf, configOf, faultsOf, LIVE_URL, strategyYaml } from './support.ts';

const SECRET = Buffer.from('a secret of one live account').toString('base64');
const READY = `${LIVE_URL}${strategyYaml({ budget: '{ usd: 500 }' })}risk: { maxOrderValue: 100, maxPositionValue: 200, maxDayValue: 1000, maxDayLoss: 50, maxDrawdownPct: 10 }\naccount: { opening: { usd: 1000 } }\n`;
const KEYS = { KAIROS_USER_ID: '77', KAIROS_API_KEY: 'k', KAIROS_API_SECRET: SECRET };

describe('nobody trades with real money by accident', () => {
  test('--live without the address of a service, or with one on this machine', () => {
    expect(faultsOf('lanes: { max: 1 }', { live: true })).toEqual([
      '--live: needs service.baseUrl of the real service, and it is not set; set KAIROS_BASE_URL',
    ]);
    const local = 'service: { baseUrl: "http://127.0.0.1:8090" }';
    expect(codesOf(local, { live: true })).toEqual(['MODE']);
    expect(faultsOf(local, { live: false })).toEqual([]);
  });

  test('a real service without --live', () => {
    expect(codesOf(READY, { live: false, env: KEYS })).toEqual(['MODE']);
    expect(faultsOf(READY, { live: false, env: KEYS })[0]).toMatch(
      /^kairos\.yaml:1: service\.baseUrl: .* add --live to trade there, or leave/,
    );
  });

  test('live with everything spelt out', () => {
    const { mode, settings } = configOf(READY, { live: true, env: KEYS });
    expect(mode).toBe('live');
    expect(settings.lanes.opensPerSecond).toBe(10);
  });

  test('live needs user, keys, limits and budgets, each by its own word', () => {
    expect(faultsOf(`${LIVE_URL}${strategyYaml()}`, { live: true })).toEqual([
      'service.userId: is needed with --live; set KAIROS_USER_ID',
      'service.apiKey: is needed with --live; set KAIROS_API_KEY',
      'service.apiSecret: is needed with --live; set KAIROS_API_SECRET or KAIROS_API_SECRET_FILE',
      'risk.maxOrderValue: must be set by you with --live, such as {usd: 500}, or off',
      'risk.maxPositionValue: must be set by you with --live, such as {usd: 500}, or off',
      'risk.maxDayValue: must be set by you with --live, such as {usd: 500}, or off',
      'risk.maxDayLoss: must be set by you with --live, such as {usd: 500}, or off',
      'risk.maxDrawdownPct: must be set by you with --live, such as 10, or off',
      'account.opening: is needed with --live, such as {usd: 1000, btc: 0.5}: what the account holds now',
      'kairos.yaml:3: strategies[0].budget: is needed with --live, such as {usd: 1000}',
    ]);
  });

  test('commands that trade nothing read a live configuration without keys', () => {
    expect(configOf(READY).mode).toBe('live');
  });

  test('B36 certificates are checked off loopback', () => {
    const env = { ...KEYS, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(faultsOf(READY, { live: true, env })).toEqual([
      "env NODE_TLS_REJECT_UNAUTHORIZED: turns off the check of the service's certificate; unset it",
    ]);
    expect(faultsOf('lanes: { max: 1 }', { env })).toEqual([]);
  });
});
