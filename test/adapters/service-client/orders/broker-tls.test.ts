import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { order, Reports, TestGate } from '../support/orders.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/test-certificate.ts';
import { until } from '../support/until.ts';

const trusted = getCACertificates('default');
let server: Server | null = null;
let broker: WireBroker | null = null;

afterEach(async () => {
  await broker?.close(0);
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
  server = null;
  setDefaultCACertificates(trusted);
});

async function overTls(warmSockets: number, troubles: [string, boolean][] = []): Promise<Reports> {
  const secure = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (_request, response) =>
    response.writeHead(201).end('{"status":"FILLED"}'),
  );
  server = secure;
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const address = secure.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  broker = new WireBroker({
    baseUrl: `https://localhost:${port}`,
    service: serviceSettings(),
    gate: new TestGate(systemTimers),
    timers: systemTimers,
    warmSockets,
    onConnectTrouble: (why, certificate) => troubles.push([why, certificate]),
  });
  const reports = new Reports();
  broker.connect(reports.sink);
  return reports;
}

test('an order goes out over TLS on a connection that was opened ahead', async () => {
  setDefaultCACertificates([TEST_CERTIFICATE]);
  const reports = await overTls(2);
  await until(() => (broker?.ready ?? 0) === 2, 'two connections are warm');
  for (const asked of [order(), order(), order()]) {
    broker?.submit(asked);
    await until(() => reports.of(asked).length === 2, 'reports came');
    expect(reports.types(asked)).toEqual(['written', 'accepted']);
  }
});

test('F02 a certificate that nobody vouches for is not_sent, and told of as such', async () => {
  const troubles: [string, boolean][] = [];
  const reports = await overTls(1, troubles);
  const asked = order();
  broker?.submit(asked);
  await until(() => reports.of(asked).length === 1 && troubles.length > 0, 'the order was given up');
  expect(reports.of(asked)[0]).toMatchObject({ type: 'not_sent', reason: 'NOT_CONNECTED', why: expect.stringContaining('certificate') });
  expect(troubles[0]?.[1]).toBe(true);
});

test('B36 the environment cannot turn certificate checks off', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    const reports = await overTls(0);
    const asked = order();
    broker?.submit(asked);
    await until(() => reports.of(asked).length === 1, 'the order was given up');
    expect(reports.of(asked)[0]).toMatchObject({ type: 'not_sent' });
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
});
