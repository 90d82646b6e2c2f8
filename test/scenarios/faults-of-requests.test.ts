import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import type { RemoteAnswer, RemoteAsk } from '#domain/remote.ts';
import { answer, RawServer } from '../adapters/service-client/support/raw-server.ts';
import { serviceSettings } from '../adapters/service-client/support/service-settings.ts';
import { until } from '../adapters/service-client/support/until.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

/** How the service meets one request after the other: with these bytes, or with none at all. */
type Meeting = string | 'silence' | 'cut';
const LOGIN = 'POST /httpserver/main/v2/auth/login';
const CREATE = 'POST /strategy-orchestrator/strategies/action/create';
const PAUSE = 'PUT /strategy-orchestrator/strategies/s-1/action/pause';
const STOP = 'PUT /strategy-orchestrator/strategies/s-1/action/stop';
const FLUSH = 'PUT /strategy-orchestrator/strategies/s-1/action/flush';
const ALL = 'PUT /strategy-orchestrator/strategies/pauseAll';
const TAKEN = answer(202, '');
const token = (name: string): string =>
  answer(200, '{"refreshToken":"r","expirationTime":3600,"isAppConnected":true}', [`authorization: Bearer ${name}`]);

interface Fault {
  readonly name: string;
  readonly ask: RemoteAsk;
  readonly settings?: Partial<ServiceSettings>;
  /** The deadline of a line of the schedule, or of a halt. */
  readonly withinMs?: number;
  readonly meets: readonly Meeting[];
  /** Requests in virtual time: milliseconds after the one before at the least, and what was asked. */
  readonly requests: readonly (readonly [afterMs: number, request: string])[];
  readonly outcome: Partial<RemoteAnswer>;
}

const create: RemoteAsk = { action: 'create', fields: { strategyType: 'AI' } };
const pauseOne: RemoteAsk = { action: 'pause', strategyId: 's-1' };
const stopOne: RemoteAsk = { action: 'stop', strategyId: 's-1' };
const flush: RemoteAsk = { action: 'flush', strategyId: 's-1', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 };
const signsIn: Partial<ServiceSettings> = { token: null, username: 'paper@example.com', password: 'paper' };

const faults: readonly Fault[] = [
  {
    name: 'F16 a create that is never answered is unknown and not sent again',
    ask: create,
    meets: ['silence'],
    requests: [[0, CREATE]],
    outcome: { status: 'unknown', httpStatus: null },
  },
  {
    name: 'F16 a create whose connection is cut is unknown and not sent again',
    ask: create,
    meets: ['cut'],
    requests: [[0, CREATE]],
    outcome: { status: 'unknown', httpStatus: null },
  },
  {
    name: 'F16 a create that a broken backend answered is unknown and not sent again',
    ask: create,
    meets: [answer(503, '')],
    requests: [[0, CREATE]],
    outcome: { status: 'unknown', httpStatus: 503 },
  },
  {
    name: 'F17 a pause that was cut, and then met a broken backend: the same verb again, each time later, and no more than "asked"',
    ask: pauseOne,
    meets: ['cut', answer(503, ''), TAKEN],
    requests: [
      [0, PAUSE],
      [1, PAUSE],
      [1, PAUSE],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F17 a stop that is not answered is asked again after its time is over',
    ask: stopOne,
    meets: ['silence', TAKEN],
    requests: [
      [0, STOP],
      [5000, STOP],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F17 a refused stop is not asked again',
    ask: stopOne,
    meets: [answer(422, '{}')],
    requests: [[0, STOP]],
    outcome: { status: 'failed', httpStatus: 422 },
  },
  {
    name: 'F18 a token that is refused is renewed once, and what was asked is asked again with the new one',
    ask: { action: 'pauseAll' },
    settings: signsIn,
    meets: [token('one'), answer(401, '{}'), token('two'), TAKEN],
    requests: [
      [0, LOGIN],
      [0, ALL],
      [0, LOGIN],
      [0, ALL],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F18 a sign-in that meets a broken backend, a limit and a cut line is tried again, and what was asked is asked with its token',
    ask: { action: 'pauseAll' },
    settings: signsIn,
    meets: [token('one'), answer(401, '{}'), answer(500, ''), answer(429, '', ['retry-after: 2']), 'cut', token('two'), TAKEN],
    requests: [
      [0, LOGIN],
      [0, ALL],
      [0, LOGIN],
      [1, LOGIN],
      [2000, LOGIN],
      [1, LOGIN],
      [0, ALL],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F18 a flush that waits for its token is sent once it is there',
    ask: flush,
    settings: signsIn,
    meets: [answer(502, ''), token('one'), TAKEN],
    requests: [
      [0, LOGIN],
      [1, LOGIN],
      [0, FLUSH],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F17 a service that says how long to wait is asked again then, where that is within the deadline',
    ask: { action: 'pauseAll' },
    withinMs: 60_000,
    meets: [answer(429, '', ['retry-after: 30']), answer(503, ''), TAKEN],
    requests: [
      [0, ALL],
      [30_000, ALL],
      [1, ALL],
    ],
    outcome: { status: 'asked', httpStatus: 202 },
  },
  {
    name: 'F17 where it is not, it was not taken, and nothing is asked again',
    ask: { action: 'pauseAll' },
    withinMs: 60_000,
    meets: [answer(429, '', ['retry-after: 60'])],
    requests: [[0, ALL]],
    outcome: { status: 'failed', httpStatus: 429 },
  },
  {
    name: 'F18 a given token that is refused is told of, and nothing is asked for ever',
    ask: { action: 'pauseAll' },
    meets: [answer(401, '{}')],
    requests: [[0, ALL]],
    outcome: { status: 'failed', httpStatus: 401 },
  },
];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test.each(faults)('$name', async ({ ask, settings, withinMs, meets, requests, outcome }) => {
  const timers = new VirtualTimers();
  const seen: { readonly at: number; readonly request: string }[] = [];
  const server = await RawServer.start((request, socket) => {
    const meeting = meets[seen.length] ?? TAKEN;
    seen.push({ at: timers.monotonicMs(), request: request.slice(0, request.indexOf(' HTTP/1.1')) });
    if (meeting === 'cut') socket.destroy();
    else if (meeting !== 'silence') socket.write(meeting);
  });
  closing.push(() => server.stop());
  const client = new ServiceClient({ baseUrl: server.baseUrl, service: serviceSettings({ token: 't', ...settings }), timers });
  closing.push(() => client.close());
  // Where an answer is on its way little time passes, so that no machine is too slow for it.
  const moved = (isThere: () => boolean): boolean => {
    if (!isThere()) timers.advance(meets[seen.length - 1] === 'silence' ? 500 : 5);
    return isThere();
  };
  let answered: RemoteAnswer | undefined;
  const asked = client.strategies.ask(ask, withinMs).then((value) => {
    answered = value;
  });
  for (const index of requests.keys()) await until(() => moved(() => seen.length > index), `request ${index + 1}`);
  await until(() => moved(() => answered !== undefined), 'an answer');
  await asked;
  timers.advance(600_000);
  await pause(20);
  expect(answered).toMatchObject(outcome);
  expect(seen.map(({ request }) => request)).toEqual(requests.map(([, request]) => request));
  for (const [index, [afterMs]] of requests.entries()) {
    const waited = (seen[index]?.at ?? 0) - (seen[index - 1]?.at ?? seen[0]?.at ?? 0);
    expect(waited, `wait before request ${index + 1}`).toBeGreaterThanOrEqual(afterMs);
  }
});
