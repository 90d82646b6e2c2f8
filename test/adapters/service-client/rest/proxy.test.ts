import { afterEach, expect, test, vi } from 'vitest';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { proxyFor, proxyText } from '#adapters/service-client/rest/proxy.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { connectProxy } from '../../../support/connect-proxy.ts';
import { order, Reports, TestGate } from '../support/orders.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { until } from '../support/until.ts';

afterEach(() => vi.unstubAllEnvs());

const AT = { host: 'service.example', port: 443 };
const shown = (env: Record<string, string>, at = AT): string | null => {
  const proxy = proxyFor(at, env);
  return proxy && `${proxyText(proxy)} ${proxy.variable}`;
};

test.each<[string | null, Record<string, string>, { host: string; port: number }?]>([
  [null, {}],
  ['http://p.example:3128 HTTPS_PROXY', { HTTPS_PROXY: 'http://p.example:3128', HTTP_PROXY: 'http://q.example' }],
  ['http://p.example:3128 https_proxy', { https_proxy: 'p.example:3128' }],
  ['http://q.example HTTP_PROXY', { HTTP_PROXY: 'http://user:secret@q.example' }],
  [null, { HTTPS_PROXY: 'http://p.example', NO_PROXY: '*' }],
  [null, { HTTPS_PROXY: 'http://p.example', NO_PROXY: 'other.example, .example' }],
  [null, { HTTPS_PROXY: 'http://p.example', no_proxy: 'service.example:443' }],
  ['http://p.example HTTPS_PROXY', { HTTPS_PROXY: 'http://p.example', NO_PROXY: 'service.example:8443,vice.example' }],
  [null, { HTTPS_PROXY: 'http://p.example' }, { host: '127.0.0.1', port: 443 }],
  [null, { HTTPS_PROXY: 'http://p.example' }, { host: 'localhost', port: 443 }],
  [null, { HTTPS_PROXY: 'http://p.example' }, { host: '::1', port: 443 }],
])('%s from %o', (expected, env, at) => {
  expect(shown(env, at)).toBe(expected);
});

test('an address that is none of a proxy is refused by the name of its variable, without its password', () => {
  expect(() => shown({ HTTPS_PROXY: 'socks5://user:secret@p.example' })).toThrow(
    /^HTTPS_PROXY: not the http or https address of a proxy, such as/,
  );
});

test('a proxy that refuses is not_sent, and the trouble names proxy, variable and mend', async () => {
  const proxy = await connectProxy({ status: 407 });
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
  const troubles: string[] = [];
  const broker = new WireBroker({
    baseUrl: 'https://service.example',
    service: serviceSettings(),
    gate: new TestGate(systemTimers),
    timers: systemTimers,
    warmSockets: 1,
    onConnectTrouble: (why, certificate) => troubles.push(`${certificate} ${why}`),
  });
  try {
    const reports = new Reports();
    broker.connect(reports.sink);
    const asked = order();
    broker.submit(asked);
    await until(() => reports.of(asked).length === 1 && troubles.length > 0, 'the order was given up');
    expect(reports.of(asked)[0]).toMatchObject({ type: 'not_sent', reason: 'NOT_CONNECTED' });
    expect(troubles[0]).toMatch(
      /^false service\.example:443: the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) answered 407 to CONNECT service\.example:443: it wants a user/,
    );
    expect(new Set(proxy.asked)).toEqual(new Set(['service.example:443']));
  } finally {
    await broker.close(0);
    await proxy.close();
  }
});
