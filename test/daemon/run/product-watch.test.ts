import { afterEach, expect, test } from 'vitest';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { productText } from '#assembly/assemble.ts';
import { watchProducts } from '#daemon/run/service-watch.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
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

const record = (sizeIncrement: string) => ({ ...productText(btcProduct), productCode: 'btcusd', exchangeCode: 'VB', sizeIncrement });

/** Answers as given, the last of them from then on. */
async function watching(answers: readonly string[], latches: readonly Latch[] = []) {
  const seen = { reads: 0 };
  const server = await RawServer.start((_request, socket) => {
    socket.write(answers[Math.min(seen.reads, answers.length - 1)] ?? '');
    seen.reads += 1;
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
    { timers, latches, notice: (_level, text) => notices.push(text), post: (event) => posted.push(event) },
  );
  const passing = (isThere: () => boolean) => () => {
    if (!isThere()) timers.advance(500);
    return isThere();
  };
  return { seen, timers, posted, notices, stop, passing };
}

test('F19 the list of products is read again each minute; a change is told, and once more as the next look bears it out; trouble does not end it', async () => {
  const lists = [answer(200, JSON.stringify([record('0.0001')])), answer(404, '{}'), answer(200, JSON.stringify([record('0.001')]))];
  const { seen, timers, posted, notices, stop, passing } = await watching(lists);
  timers.advance(59_999);
  expect(seen.reads).toBe(0);
  timers.advance(1);
  await until(() => seen.reads === 1, 'the first look');
  await until(
    passing(() => notices.length > 0),
    'word of the trouble',
  );
  await until(
    passing(() => posted.length > 1),
    'the change, and the look that bears it out',
  );
  const looks = seen.reads;
  await until(
    passing(() => seen.reads > looks),
    'a later look',
  );
  stop();
  for (const text of notices) expect(text).toContain('could not be read again');
  const list = { kind: 'products', products: [{ ...productText(btcProduct), sizeIncrement: '0.001' }] };
  expect(posted).toEqual([list, list]);
});

test('F19 the first look of a run is told where an earlier one left a strategy disabled by a change, which it may bear out', async () => {
  const latch: Latch = { kind: 'disabled', strategy: 't', since: 0, who: 'service', why: 'so', reason: 'PRODUCT_CHANGED' };
  const { seen, posted, stop, passing } = await watching([answer(200, JSON.stringify([record('0.0001')]))], [latch]);
  await until(
    passing(() => seen.reads > 2),
    'later looks',
  );
  stop();
  expect(posted).toEqual([{ kind: 'products', products: [productText(btcProduct)] }]);
});
