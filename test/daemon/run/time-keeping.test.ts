import { expect, test } from 'vitest';
import { SystemClock } from '#adapters/time/system-clock.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { TimeKeeping } from '#daemon/run/time-keeping.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { answer, RawServer } from '../../adapters/service-client/support/raw-server.ts';
import { serviceSettings } from '../../adapters/service-client/support/service-settings.ts';
import { until } from '../../adapters/service-client/support/until.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

function keeping(baseUrl: string, isSameClock = true) {
  const timers = new VirtualTimers();
  const events: InboxEvent[] = [];
  const time = new TimeKeeping({
    settings: { source: 'system' },
    service: { baseUrl, settings: serviceSettings() },
    isSameClock,
    timers,
    clock: new SystemClock(timers),
    post: (event) => events.push(event),
    onSuspension: () => {},
    notice: () => {},
  });
  time.start();
  return { timers, time, events };
}

const answered = (httpStatus: number): AnswerReport => ({
  type: 'answered',
  outcome: 'rejected',
  reason: 'HTTP_REFUSED',
  httpStatus,
  body: '',
  roundTripMs: 5,
  figures: {},
  late: false,
  why: '',
});

test.each([
  ['a Kairos venue', true, 0],
  ['any other service, on loopback too', false, 1000],
])('the system clock is the very clock of %s', (_service, isSameClock, halfWidthMs) => {
  expect(keeping('http://127.0.0.1:8090', isSameClock).events).toEqual([
    { kind: 'clock', offsetMs: 0, halfWidthMs, ageMs: 0, machineOffsetMs: 0 },
  ]);
});

test('F07 a 401 has the time found anew before any other order, and no other answer does', () => {
  const { time, events } = keeping('http://127.0.0.1:8090');
  for (const status of [200, 400, 403, 500]) time.reported(answered(status));
  time.reported({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 0 });
  expect(events).toHaveLength(1);
  time.reported(answered(401));
  expect(events.slice(1).map((event) => ('on' in event ? [event.kind, event.on] : event.kind))).toEqual([
    ['condition', true],
    ['condition', false],
    'clock',
  ]);
});

test('I27 stopped, it leaves no timer', async () => {
  const { timers, time } = keeping('http://127.0.0.1:8090');
  expect(timers.pending).toBe(2);
  await time.stop();
  await time.stop();
  expect(timers.pending).toBe(0);
});

test.each(['date', 'system'] as const)(
  'with clock.source %s it tells how long harmless GETs take, where somebody wants to know',
  async (source) => {
    const server = await RawServer.start((_request, socket) => socket.write(answer(200, '[]', [`date: ${new Date().toUTCString()}`])));
    const trips: number[] = [];
    const time = new TimeKeeping({
      settings: { source },
      service: { baseUrl: server.baseUrl, settings: serviceSettings() },
      isSameClock: false,
      timers: systemTimers,
      clock: new SystemClock(systemTimers),
      post: () => {},
      onSuspension: () => {},
      onRoundTrip: (ms) => trips.push(ms),
      notice: () => {},
    });
    time.start();
    await until(() => trips.length > 0, 'a round trip is told');
    expect(trips[0]).toBeGreaterThan(0);
    expect(server.requests.every((request) => request.startsWith('GET /mms/v2/productDetails HTTP/1.1'))).toBe(true);
    await time.stop();
    await server.stop();
  },
);
