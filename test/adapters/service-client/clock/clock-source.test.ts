import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { BOUND_FOR_MS, DateSource, SystemSource } from '#adapters/service-client/clock/clock-source.ts';
import { lookAtDate } from '#adapters/service-client/clock/date-look.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { until } from '../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service that tells the second that the test says, or none. */
async function service() {
  const told = { date: 'Thu, 01 Jan 2026 00:00:07 GMT' as string | undefined, asked: [] as string[] };
  const server = createServer((request, response) => {
    told.asked.push(`${request.method} ${request.url} ${request.headers['cache-control']}`);
    response.sendDate = false;
    response.writeHead(200, told.date === undefined ? {} : { date: told.date }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { told, baseUrl: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` };
}

async function source() {
  const { told, baseUrl } = await service();
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1));
  const notices: string[] = [];
  const trips: number[] = [];
  const made = new DateSource({
    ...{ baseUrl, service: serviceSettings(), timers },
    notice: (level, text) => notices.push(`${level}: ${text}`),
    onRoundTrip: (ms) => trips.push(ms),
  });
  closing.push(() => made.stop());
  let changes = 0;
  const start = (): void => made.start(() => (changes += 1));
  return { told, timers, notices, trips, made, start, changes: () => changes };
}

const SECOND_7 = Date.UTC(2026, 0, 1, 0, 0, 7);

test('nothing is known before it is begun; then a bound that holds for a while is told once and asked for anew', async () => {
  const s = await source();
  expect([s.made.bound(), s.made.newestMs]).toEqual([undefined, undefined]);
  s.start();
  await until(() => s.changes() === 1, 'a sample came');
  const at = s.timers.monotonicMs();
  expect([s.made.newestMs, s.trips]).toEqual([at, [0]]);
  const first = s.made.bound();
  // A second's width to begin with, and as much as the clocks may part until the bound is no longer told.
  const wandered = 2 * BOUND_FOR_MS * (0.01 + 0.0002);
  expect(first?.offsetMs).toBeCloseTo(SECOND_7 + 500 - at, 1);
  expect(first?.halfWidthMs).toBeCloseTo(500 + wandered, 1);
  s.timers.advance(BOUND_FOR_MS - 1);
  await until(() => s.made.newestMs === at || s.changes() > 1, 'nothing else came');
  if (s.changes() === 1) expect(s.made.bound()).toBe(first);
  await s.made.stop();
  const asked = s.told.asked.length;
  s.timers.advance(1);
  expect(s.made.bound()?.halfWidthMs, 'without another it widens').toBeGreaterThan(first?.halfWidthMs ?? 0);
  expect([s.timers.pending, s.told.asked.length], 'what is stopped asks no more').toEqual([0, asked]);
});

test('a resync while it is looked at already asks no second time', async () => {
  const s = await source();
  s.start();
  s.made.resync();
  await until(() => s.timers.pending > 0, 'the next waits');
  expect([s.told.asked.length, s.changes()]).toEqual([1, 1]);
  await s.made.stop();
  expect(s.timers.pending, 'and what is stopped waits for nothing').toBe(0);
});

test('what is known is void after a resync, and it is looked at again at once', async () => {
  const s = await source();
  s.start();
  await until(() => s.changes() === 1, 'a sample came');
  expect(s.made.bound()).toBeDefined();
  const asked = s.told.asked.length;
  s.made.resync();
  expect([s.made.bound(), s.made.newestMs]).toEqual([undefined, undefined]);
  await until(() => s.changes() === 2, 'another came');
  expect(s.told.asked.length).toBeGreaterThan(asked);
  expect(s.made.bound()).toBeDefined();
});

test('F58 answers that contradict each other are told, and nothing is known until enough agree', async () => {
  const s = await source();
  s.start();
  await until(() => s.changes() === 1, 'a sample came');
  const next = async (aheadMs: number): Promise<void> => {
    const before = s.changes();
    await until(() => s.timers.pending === 1, 'the next waits');
    s.timers.advanceToNext();
    s.told.date = new Date(s.timers.monotonicMs() + aheadMs).toUTCString();
    await until(() => s.changes() > before, 'another came');
  };
  expect(s.notices).toEqual([]);
  s.made.bound();
  await next(50_000);
  expect(s.notices).toEqual(["error: the service's answers carry times that contradict each other; orders wait until ten in a row agree"]);
  expect(s.made.bound()).toBeUndefined();
  const since = s.timers.monotonicMs();
  for (let n = 0; n < 9; n += 1) await next(50_000);
  expect(s.made.bound()).toBeDefined();
  expect(s.timers.monotonicMs() - since, 'they are asked for at once').toBeLessThan(11_000);
});

test('ten answers in a row without a time are told once, by what was wrong with the last', async () => {
  const s = await source();
  s.told.date = undefined;
  s.start();
  for (let refused = 1; refused <= 12; refused += 1) {
    await until(() => s.told.asked.length >= refused && s.timers.pending > 0, 'it was asked');
    expect(s.notices).toHaveLength(refused > 10 ? 1 : s.notices.length);
    s.timers.advance(60_000);
  }
  expect(s.notices).toHaveLength(1);
  expect(s.notices[0]).toMatch(/^warn: the service's time cannot be read: .*Date.*, 10 times in a row; .*clock.source: system/);
  expect(s.changes()).toBe(0);
});

test('the clock of this machine is known from the first moment, and again at once', () => {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1));
  const made = new SystemSource(timers, 7);
  let changes = 0;
  made.start(() => (changes += 1));
  made.resync();
  expect(changes).toBe(2);
  expect(made.bound()).toEqual({ offsetMs: timers.wallMs() - timers.monotonicMs(), halfWidthMs: 7 });
  timers.advance(5);
  expect(made.newestMs).toBe(timers.monotonicMs());
});

test('one look tells the date, or why there is none; what a cache kept would be an old time', async () => {
  const { told, baseUrl } = await service();
  const look = () => lookAtDate({ baseUrl, service: serviceSettings(), timers: new VirtualTimers() });
  expect(await look()).toMatchObject({ dateMs: SECOND_7 });
  expect(told.asked).toEqual(['GET /mms/v2/productDetails no-cache']);
  told.date = undefined;
  expect(await look()).toMatch(/Date/);
  expect(await lookAtDate({ baseUrl: 'http://127.0.0.1:9', service: serviceSettings(), timers: new VirtualTimers() })).toMatch(/no answer/);
});
