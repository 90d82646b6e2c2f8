import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { clockAhead, measuredOffset } from '#adapters/service-client/clock/measured-offset.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { until } from '../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Measures a service that answers so: by how much its clock is ahead of ours, or nothing where it is in trouble. */
async function measured(answers: readonly (number | null)[], looks?: { readonly wanted: number; readonly maxRefused: number }) {
  const timers = new VirtualTimers(Date.UTC(2026, 0, 1) + 300);
  timers.jumpWall(-86_400_000);
  const asked: number[] = [];
  const server = createServer((_request, response) => {
    const aheadMs = answers[Math.min(asked.length, answers.length - 1)] ?? null;
    asked.push(timers.monotonicMs());
    response.sendDate = false;
    if (aheadMs === null) response.writeHead(503).end();
    else response.writeHead(200, { date: new Date(timers.wallMs() + aheadMs).toUTCString() }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  let found: Awaited<ReturnType<typeof measuredOffset>> | undefined;
  void measuredOffset({ baseUrl, service: serviceSettings(), timers }, looks).then((one) => (found = one));
  while (found === undefined) {
    await until(() => found !== undefined || timers.pending === 1, 'it is measured, or the next look waits');
    if (found === undefined) timers.advanceToNext();
  }
  return { found, asked: asked.map((at) => at - (asked[0] ?? 0)) };
}

test('a command finds by four dates how far the clock of the service is ahead of this machine, to a fraction of their second', async () => {
  const { found, asked } = await measured([7400]);
  expect(asked).toEqual([0, 230, 460, 690]);
  if (!('offsetMs' in found)) return expect.fail(found.why);
  expect(Math.abs(found.offsetMs - 7400)).toBeLessThanOrEqual(found.halfWidthMs);
  expect(found.halfWidthMs).toBeLessThan(200);
});

test.each<[string, answers: readonly (number | null)[], asked: number, why: string | undefined]>([
  ['that answers at last is measured all the same', [null, 7400], 3, undefined],
  ['in trouble is asked no more often than was said', [7400, null], 3, 'the service answered 503, 2 times'],
  ['whose dates contradict each other has no time', [7400, 60_000], 2, 'its answers carry times that contradict each other'],
])('a service %s', async (_, answers, times, why) => {
  const { found, asked } = await measured(answers, { wanted: 2, maxRefused: 2 });
  expect([asked.length, 'why' in found ? found.why : undefined]).toEqual([times, why]);
});

test('what it found is the time by which requests are signed', () => {
  const timers = new VirtualTimers();
  expect(clockAhead(7400, timers).now()).toEqual({ ms: timers.wallMs() + 7400, halfWidthMs: 0 });
});
