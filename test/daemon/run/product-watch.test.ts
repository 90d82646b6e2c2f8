import { afterEach, expect, test } from 'vitest';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { productText } from '#assembly/assemble.ts';
import { watchProducts } from '#daemon/run/service-watch.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Product } from '#domain/product.ts';
import { answer, RawServer } from '../../adapters/service-client/support/raw-server.ts';
import { serviceSettings } from '../../adapters/service-client/support/service-settings.ts';
import { until } from '../../adapters/service-client/support/until.ts';
import { btcProduct } from '../../support/market-data.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('F19 the list of products is read again each minute; a change is told, and once more as the next look bears it out; trouble does not end it', async () => {
  const record = (sizeIncrement: string) => ({ ...productText(btcProduct), productCode: 'btcusd', exchangeCode: 'VB', sizeIncrement });
  const lists = [answer(200, JSON.stringify([record('0.0001')])), answer(404, '{}'), answer(200, JSON.stringify([record('0.001')]))];
  let reads = 0;
  const server = await RawServer.start((_request, socket) => {
    socket.write(lists[Math.min(reads, 2)] ?? '');
    reads += 1;
  });
  closing.push(() => server.stop());
  const timers = new VirtualTimers();
  const client = new ServiceClient({ baseUrl: server.baseUrl, service: serviceSettings(), timers });
  closing.push(() => client.close());
  const posted: InboxEvent[] = [];
  const notices: string[] = [];
  const service = {
    client,
    settings: serviceSettings(),
    baseUrl: server.baseUrl,
    embedded: false,
    leftOut: new Map(),
    close: async () => {},
  };
  const products: readonly Product[] = [btcProduct];
  const stop = watchProducts(
    { service, products },
    { timers, notice: (_level, text) => notices.push(text), post: (event) => posted.push(event) },
  );
  timers.advance(59_999);
  expect(reads).toBe(0);
  timers.advance(1);
  await until(() => reads === 1, 'the first look');
  const passing = (isThere: () => boolean) => () => {
    if (!isThere()) timers.advance(500);
    return isThere();
  };
  await until(
    passing(() => notices.length > 0),
    'word of the trouble',
  );
  await until(
    passing(() => posted.length > 1),
    'the change, and the look that bears it out',
  );
  const looks = reads;
  await until(
    passing(() => reads > looks),
    'a later look',
  );
  stop();
  for (const text of notices) expect(text).toContain('could not be read again');
  const list = { kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] };
  expect(posted).toEqual([list, list]);
});
