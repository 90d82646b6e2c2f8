import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ClockOffset } from '#adapters/service-client/clock/clock-offset.ts';
import { type DateAnswer, DateSampler } from '#adapters/service-client/clock/date-samples.ts';
import { httpDateMs } from '#adapters/service-client/clock/http-date.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { until } from '../support/until.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function service(answer: (response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

interface Bench {
  readonly sampler: DateSampler;
  readonly samples: DateAnswer[];
  readonly refusals: string[];
  readonly offset: ClockOffset;
}

function sampling(baseUrl: string, timers: VirtualTimers | typeof systemTimers): Bench {
  const offset = new ClockOffset();
  const samples: DateAnswer[] = [];
  const refusals: string[] = [];
  const sampler = new DateSampler({
    baseUrl,
    service: serviceSettings(),
    timers,
    guess: (at) => offset.guess(at),
    sample: (answer) => {
      samples.push(answer);
      offset.add(answer);
    },
    refused: (why) => refusals.push(why),
  });
  closing.push(() => sampler.close());
  sampler.burst();
  return { sampler, samples, refusals, offset };
}

const head =
  (headers: Record<string, string>, status = 200) =>
  (response: ServerResponse): void => {
    response.sendDate = false;
    response.writeHead(status, headers).end('[]');
  };
const DATE = 'Thu, 01 Jan 2026 00:00:07 GMT';

describe('which answers tell the time', () => {
  const good: readonly [string, Record<string, string>, number][] = [
    ['a plain one', { date: DATE }, 200],
    ['one that wants a token', { date: DATE }, 401],
    ['one that finds nothing', { date: DATE }, 404],
  ];
  test.each(good)('%s does', async (_, headers, status) => {
    const { samples, refusals } = sampling(await service(head(headers, status)), new VirtualTimers());
    await until(() => samples.length > 0, 'a sample came');
    expect(samples[0]).toMatchObject({ dateMs: Date.UTC(2026, 0, 1, 0, 0, 7) });
    expect(refusals).toEqual([]);
  });

  const bad: readonly [string, Record<string, string>, number, RegExp][] = [
    ['F58 without Date', {}, 200, /no readable Date/],
    ['F58 with garbage for a Date', { date: 'yesterday' }, 200, /no readable Date/],
    ['F58 from a cache', { date: DATE, age: '0' }, 200, /cache/],
    ['of a gateway in trouble', { date: DATE }, 503, /503/],
    ['of a service in trouble', { date: DATE }, 500, /500/],
  ];
  test.each(bad)('%s does not, and is asked again with back-off', async (_, headers, status, why) => {
    const timers = new VirtualTimers();
    const { samples, refusals } = sampling(await service(head(headers, status)), timers);
    await until(() => refusals.length === 1, 'a refusal came');
    await until(() => timers.pending === 1, 'only the next try waits');
    timers.advance(500);
    await until(() => refusals.length === 2, 'it was asked again');
    expect(refusals[1]).toMatch(why);
    expect(samples).toEqual([]);
  });

  test.each([
    [2000, []],
    [2001, [expect.stringMatching(/took 2001 ms/)]],
  ])('F58 one that took more than 2 s does not: %d ms', async (ms, why) => {
    const timers = new VirtualTimers();
    const { samples, refusals } = sampling(
      await service((response) => {
        timers.advance(ms);
        head({ date: DATE })(response);
      }),
      timers,
    );
    await until(() => samples.length + refusals.length === 1, 'an answer came');
    expect(refusals).toEqual(why);
  });

  test('one with hints before it does', async () => {
    const { samples, refusals } = sampling(
      await service((response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        head({ date: DATE })(response);
      }),
      new VirtualTimers(),
    );
    await until(() => samples.length + refusals.length > 0, 'an answer came');
    expect(refusals).toEqual([]);
  });

  test('one whose body breaks off does, by its head', async () => {
    const timers = new VirtualTimers();
    const { samples, refusals } = sampling(
      await service((response) => {
        response.writeHead(200, { date: DATE, 'content-length': 100 });
        response.write('[');
        setImmediate(() => response.destroy());
      }),
      timers,
    );
    await until(() => samples.length + refusals.length > 0 && timers.pending > 0, 'it is over');
    expect([samples.length, refusals]).toEqual([1, []]);
  });

  test('none does that comes once it is closed', async () => {
    let answer = (): void => {};
    const { sampler, samples, refusals } = sampling(
      await service((response) => {
        answer = () => head({ date: DATE })(response);
        void sampler.close();
      }),
      new VirtualTimers(),
    );
    await sampler.close();
    answer();
    expect([samples, refusals]).toEqual([[], []]);
  });

  test('a service that is not there is asked again', async () => {
    const timers = new VirtualTimers();
    const { refusals } = sampling('http://127.0.0.1:9', timers);
    await until(() => refusals.length === 1 && timers.pending > 0, 'a refusal came');
    timers.advance(500);
    await until(() => refusals.length === 2, 'it was asked again');
    expect(refusals[1]).toMatch(/no answer/);
  });
});

test('the first sample comes at once, nine more at the edges of seconds, then few', async () => {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1) + 300);
  const asked: number[] = [];
  const baseUrl = await service((response) => {
    asked.push(timers.monotonicMs());
    head({ date: new Date(timers.monotonicMs()).toUTCString() })(response);
  });
  const { samples, offset } = sampling(baseUrl, timers);
  for (let n = 1; n <= 10; n += 1) {
    await until(() => samples.length === n && timers.pending === 1, `sample ${n} came`);
    if (n < 10) timers.advanceToNext();
  }
  const now = timers.monotonicMs();
  expect(Math.abs(offset.bound(now, now)?.offsetMs ?? Number.NaN)).toBeLessThan(10);
  expect(asked[0]).toBe(Date.UTC(2026, 0, 1) + 300);
  expect(now - (asked[0] ?? 0)).toBeLessThanOrEqual(10_000);
  expect(timers.untilNext, 'a minute later too little would be known').toBe(10_000);
  const asks = asked.length;
  await later(timers, samples, 51);
  expect(asks).toBe(10);
  const [first = 0, second = 0, third = 0, next = 0] = asked.slice(-6, -2);
  expect(third - first).toBeLessThan(5_000);
  expect(second - first).toBeGreaterThan(0);
  expect(next - third).toBeGreaterThanOrEqual(60_000);
});

test('a request leaves so long before the edge of a second as the quickest one was on its way', async () => {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1) + 300);
  const arrivals: number[] = [];
  const baseUrl = await service((response) => {
    const wayMs = arrivals.length === 0 ? 200 : 40;
    timers.advance(wayMs);
    const date = timers.monotonicMs();
    arrivals.push(date);
    timers.advance(wayMs);
    head({ date: new Date(date).toUTCString() })(response);
  });
  const { samples } = sampling(baseUrl, timers);
  for (let n = 1; n <= 10; n += 1) {
    await until(() => samples.length === n && timers.pending === 1, `sample ${n} came`);
    if (n < 10) timers.advanceToNext();
  }
  const fromEdge = arrivals.slice(-3).map((at) => Math.abs(at - Math.round(at / 1000) * 1000));
  expect(Math.max(...fromEdge)).toBeLessThan(30);
});

test('F56 a rate that changes at once is found within minutes, before the truth is far beyond what is known', async () => {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1) + 300);
  let changedAt = Number.POSITIVE_INFINITY;
  const truth = (at: number): number => 1.2e-3 * Math.max(0, at - changedAt);
  const baseUrl = await service((response) => {
    const at = timers.monotonicMs();
    head({ date: new Date(at + truth(at)).toUTCString() })(response);
  });
  const { samples, offset } = sampling(baseUrl, timers);
  for (let n = 1; n <= 10; n += 1) {
    await until(() => samples.length === n && timers.pending === 1, `sample ${n} came`);
    if (n < 10) timers.advanceToNext();
  }
  await later(timers, samples, 60);
  changedAt = timers.monotonicMs();
  let beyondMs = 0;
  for (let n = 0; n < 30; n += 1) {
    await later(timers, samples, 3);
    const now = timers.monotonicMs();
    const bound = offset.bound(now, now);
    if (bound) beyondMs = Math.max(beyondMs, Math.abs(bound.offsetMs - truth(now)) - bound.halfWidthMs);
  }
  expect(beyondMs).toBeLessThan(75);
});

/** Samples behind the first ten come in threes: one wait for each three, and one for the edge of each. */
async function later(timers: VirtualTimers, samples: readonly unknown[], count: number): Promise<void> {
  const before = samples.length;
  for (let n = 1; n <= count; n += 1) {
    if (n % 3 === 1) timers.advanceToNext();
    timers.advanceToNext();
    await until(() => samples.length === before + n && timers.pending === 1, `sample ${before + n} came`);
  }
}

test('against real time and a real server, ten samples agree with the truth', async () => {
  const aheadMs = 7_300;
  const baseUrl = await service((response) => head({ date: new Date(Date.now() + aheadMs).toUTCString() })(response));
  const { samples, offset } = sampling(baseUrl, systemTimers);
  await until(() => samples.length >= 3, 'three samples came');
  const now = performance.now();
  const bound = offset.bound(now, now);
  const truth = Date.now() + aheadMs - performance.now();
  expect(Math.abs((bound?.offsetMs ?? Number.NaN) - truth)).toBeLessThanOrEqual((bound?.halfWidthMs ?? 0) + 2);
});

describe('HTTP dates', () => {
  test('the one present form is read', () => {
    expect(httpDateMs('Sun, 06 Nov 2044 08:49:37 GMT')).toBe(Date.UTC(2044, 10, 6, 8, 49, 37));
  });

  test.each([
    '',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Mon, 06 Nov 2044 08:49:37 GMT',
    'Sun, 06 Nov 2044 08:49:37 CET',
    'Sun, 31 Feb 2044 08:49:37 GMT',
    'Sun, 06 Nov 2044 25:49:37 GMT',
    'Sun, 06 Nov 2044 08:49:37 GMT, Sun, 06 Nov 2044 08:49:38 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '1767225600',
    '2026-01-01T00:00:00Z',
  ])('%j is no date', (text) => expect(httpDateMs(text)).toBeNaN());
});
