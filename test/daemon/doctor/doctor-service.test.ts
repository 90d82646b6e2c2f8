import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { clockAhead } from '#adapters/service-client/clock/measured-offset.ts';
import { allReadings, DIALECT, type PointName, readDialect } from '#adapters/service-client/dialect/dialect.ts';
import { listReadings } from '#adapters/service-client/hearing/list-readings.ts';
import { errorBodyReading } from '#adapters/service-client/hearing/probe-reading.ts';
import { probeOrder } from '#adapters/service-client/rest/probe.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { openService, quotedProducts } from '#assembly/service.ts';
import { loadConfig } from '#config/load.ts';
import { dialectFindings, firstLook, type ServiceDialect } from '#daemon/doctor/first-inspection.ts';
import { serviceFindings } from '#daemon/doctor/service.ts';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import { folder } from '../../config/support.ts';
import { started } from '../../paper-venue/venue-rig.ts';

/** What can be heard without trading and without a token. */
const HEARABLE: readonly PointName[] = [
  'currencies',
  'products',
  'figures',
  'display',
  'spread',
  'quoteFees',
  'quoteSize',
  'ids',
  'validity',
  'acks',
  'maintenance',
  'connections',
  'levels',
  'agent',
  'redirects',
  'dates',
  'productList',
  'limits',
];
/** Told apart from another by nothing that Kairos sends. */
const ALIKE: Readonly<Record<string, string>> = { 'upper-products-only': 'upper-products' };
const LISTEN_MS = 9000;
/** Two amounts of a product, the larger one of which is quoted with a spread. */
const LANES =
  '[{ id: a, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }, { id: b, use: buy-and-hold, product: btcusd, amount: { base: 3 } }]';

async function look(names: readonly string[], set: readonly string[] = [], ms = LISTEN_MS): Promise<ServiceDialect> {
  const dialect = readDialect(names);
  if (typeof dialect === 'string') throw new Error(dialect);
  const venue = await started({ dialect, quotesPerSecond: 6, capabilities: ['balances'] }, systemTimers);
  const env = { KAIROS_API_KEY: BROKER_KEY, KAIROS_API_SECRET: BROKER_SECRET, KAIROS_USER_ID: '1205' };
  const given = [`service.baseUrl=${venue.url}`, `strategies=${LANES}`, ...set];
  const { settings } = loadConfig({ cwd: folder(), env, set: given, isVenue: true });
  const service = await openService(settings, systemTimers);
  try {
    const products = await quotedProducts(service.client);
    return await firstLook({ settings, service, products, timers: systemTimers, serviceClock: clockAhead(0, systemTimers), ms });
  } finally {
    await service.close();
  }
}

const readingOf = ({ heard }: ServiceDialect, point: PointName): string | null | undefined =>
  heard.find((one) => one.point === point)?.reading;

/** Dialects that together have every reading that can be heard; a feed that is shut at times, or is one, shows less of the rest. */
const ALONE = new Set(['one-connection', 'ack-missing']);
/** Over before anybody listens to the feed. */
const SHORT = 'products-empty-at-first';
const DEPTH = Math.max(...HEARABLE.map((point) => Object.keys(DIALECT[point].readings).length));
const TOGETHER = Array.from({ length: DEPTH }, (_, index) =>
  HEARABLE.map((point) => Object.keys(DIALECT[point].readings)[index] ?? '').filter(
    (name) => name !== '' && name !== SHORT && !ALONE.has(name),
  ),
);

test('every reading that can be heard without trading is told apart from the others of its place', async () => {
  const dialects = [...TOGETHER, ...[...ALONE].map((name) => [name])];
  const wrong = await Promise.all(
    dialects.map(async (names) => {
      const dialect = await look(names);
      return names.flatMap((name) => {
        const point = allReadings().find((one) => one.name === name)?.point ?? 'currencies';
        const found = readingOf(dialect, point);
        return found === (ALIKE[name] ?? name) ? [] : [`${name}: ${found}`];
      });
    }),
  );
  expect(wrong.flat()).toEqual([]);
});

test('a list that is empty at first is looked at again', async () => {
  const venue = await started({ dialect: [SHORT] }, systemTimers);
  const { settings } = loadConfig({ cwd: folder(), env: {}, set: [`service.baseUrl=${venue.url}`], isVenue: true });
  const found = await listReadings({ baseUrl: venue.url, service: settings.service, timers: systemTimers });
  expect(found).toContainEqual(expect.objectContaining({ point: 'productList', reading: SHORT }));
});

test('what is unusual names its settings, what is offered beyond the specification is proposed, and what orders alone show is not heard', async () => {
  const dialect = await look(['undated-answers', 'upper-currencies'], ['clock.source=date'], 3000);
  expect(dialect.settings).toEqual({ 'clock.source': 'system', 'service.capabilities': '["balances"]' });
  expect(dialect.unheard).toEqual(expect.arrayContaining(['feeTaken', 'feeTold', 'word', 'answerStatus', 'sides']));
  expect(dialect.lanes).toMatchObject([{ perSecond: expect.closeTo(6, 0), unread: [], anonymous: 0 }, {}]);
  expect(dialectFindings(dialect)).toContainEqual(
    expect.objectContaining({ check: 'dialect', verdict: 'warn', what: 'the service needs clock.source, service.capabilities' }),
  );
});

test('a feed whose quotes cannot be read stops trading, and the line has the field; one without quotes says what was refused', async () => {
  const [commas, unknown] = await Promise.all([
    look(['comma-figures'], [], 3000),
    look([], ['strategies=[{ id: a, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]', 'service.paths.quotes=/nowhere'], 3000),
  ]);
  expect(dialectFindings(commas)).toContainEqual(
    expect.objectContaining({
      check: 'feed',
      verdict: 'fail',
      what: expect.stringMatching(/cannot be read: TQ: buyQuote\.price is not a positive/),
    }),
  );
  expect(dialectFindings(unknown)).toEqual([
    expect.objectContaining({ check: 'feed', verdict: 'fail', what: expect.stringMatching(/no quote: .*404.*service\.paths\.quotes/) }),
    expect.objectContaining({ check: 'dialect' }),
  ]);
});

test.each<[string, number | null, RegExp | undefined]>([
  ['{ base: 0.001 }', 2000, /strategy a: amount: an order of btcusd is worth at least \d+(\.\d+)? usd, over risk\.maxOrderValue 30 usd/],
  ['{ base: 0.001 }', null, undefined],
  ['{ quote: 31 }', 2000, /an order of btcusd is worth 31(\.0)? usd, over risk\.maxOrderValue 30 usd/],
  ['{ quote: 29 }', 2000, undefined],
])('an amount of %s that no limit lets pass fails, as far as its worth is known (listening %s ms)', async (amount, listenMs, says) => {
  const venue = await started({}, systemTimers);
  const strategies = `[{ id: a, use: buy-and-hold, product: btcusd, amount: ${amount} }]`;
  const set = [`service.baseUrl=${venue.url}`, `strategies=${strategies}`, 'risk.maxOrderValue.usd=30'];
  const config = loadConfig({ cwd: folder(), env: {}, set, isVenue: true });
  const found = await serviceFindings(config, { timers: systemTimers, probe: false, hasKey: false, listenMs });
  const [limit] = found.filter(({ check }) => check === 'limits');
  expect(limit).toEqual(says && expect.objectContaining({ verdict: 'fail', what: expect.stringMatching(says) }));
});

/** What the doctor makes of an answer to its probe order. */
async function probed(status: number, said: string): Promise<string | undefined> {
  const venue = await started({}, systemTimers);
  const service = createServer(async ({ method, url, headers }, answer) => {
    if (method === 'POST') return answer.writeHead(status).end(said);
    const { accept = '*/*' } = headers;
    const from = await fetch(`${venue.url}${url}`, { headers: { accept } });
    answer.writeHead(from.status, { 'content-type': 'application/json' }).end(await from.text());
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => void service.close());
  const address = service.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const env = { KAIROS_API_KEY: BROKER_KEY, KAIROS_API_SECRET: BROKER_SECRET, KAIROS_USER_ID: '1205' };
  const set = [`service.baseUrl=http://127.0.0.1:${port}`, `strategies=${LANES}`];
  const config = loadConfig({ cwd: folder(), env, set, isVenue: true });
  const found = await serviceFindings(config, { timers: systemTimers, probe: true, hasKey: true, listenMs: null });
  return found.flatMap(({ check, verdict, mend }) => (check === 'probe' ? `${verdict}: ${mend}` : [])).join();
}

test.each<[number, string, RegExp]>([
  [404, '{"errorCode":"QUOTE_NOT_FOUND"}', /^ok/],
  [400, '{"description":"the quote was not issued to this user"}', /^ok/],
  [422, '', /^ok/],
  [400, '{"description":"user 1205 is not known"}', /^fail: .*KAIROS_USER_ID/],
  [404, '{"message":"Cannot POST /vb-broker/api/orders"}', /^fail: .*service\.brand/],
  [400, '{"description":"side must be ASK or BID"}', /^warn: .*service\.sides/],
  [415, 'Unsupported Media Type', /^warn: /],
])('a probe order that is answered with %i %s: only a refusal of the quote says that orders pass', async (status, said, finding) => {
  expect(await probed(status, said)).toMatch(finding);
});

test.each(Object.keys(DIALECT.errorBodies.readings))('the refusal of a probe order shows %s', async (name) => {
  const venue = await started({ dialect: [name] }, systemTimers);
  const env = { KAIROS_API_KEY: BROKER_KEY, KAIROS_API_SECRET: BROKER_SECRET, KAIROS_USER_ID: '1205' };
  const { settings } = loadConfig({ cwd: folder(), env, set: [`service.baseUrl=${venue.url}`], isVenue: true });
  const { said } = await probeOrder({
    baseUrl: venue.url,
    service: settings.service,
    timers: systemTimers,
    serviceClock: clockAhead(0, systemTimers),
  });
  expect(errorBodyReading(said)).toMatchObject({ point: 'errorBodies', reading: name });
});
