import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { publish } from '#daemon/operations/ops-files.ts';
import { liveState } from '#daemon/run/live-state.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kairos-live-state-'));
const journal = path.join(folder, 'kairos.db');
let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const TIME = { reason: null, offsetMs: -3, halfWidthMs: 41 };

const STRATEGY = {
  ...{ id: 'pair', product: 'btcusd', use: 'pair', position: '0', mark: null, unrealised: 0 },
  state: { name: 'RUNNING', until: null, why: '' },
};

/** What the daemon says, and what is made of it. */
const said: readonly [string, string, unknown][] = [
  [
    'its time and nothing of money',
    JSON.stringify({ halted: false, time: TIME }),
    { time: TIME, today: null, waitingExits: [], rateWarnings: [] },
  ],
  [
    'what it made today',
    JSON.stringify({
      time: TIME,
      rateWarnings: ['no lane leads'],
      money: {
        currency: 'usd',
        profitOfDay: 12.5,
        heldForDayLoss: [{ currency: 'sek', profit: -3, isResumed: false }, { currency: 1 }],
        missing: ['no price of ethusd yet'],
        laneless: ['ltcusd has no lane'],
      },
    }),
    {
      time: TIME,
      today: {
        ...{ currency: 'usd', profit: 12.5, missing: ['no price of ethusd yet'], laneless: ['ltcusd has no lane'] },
        heldForDayLoss: [{ currency: 'sek', profit: -3, isResumed: false }],
      },
      waitingExits: [],
      rateWarnings: ['no lane leads'],
    },
  ],
  [
    'money without figures',
    JSON.stringify({ time: TIME, money: { currency: 'usd', profitOfDay: 1 } }),
    { time: TIME, today: null, waitingExits: [], rateWarnings: [] },
  ],
  [
    'that it knows nothing',
    '{"time":{"reason":"CLOCK_UNSURE","offsetMs":null,"halfWidthMs":null}}',
    { time: { reason: 'CLOCK_UNSURE', offsetMs: null, halfWidthMs: null }, today: null, waitingExits: [], rateWarnings: [] },
  ],
  [
    'which exits wait for a person',
    JSON.stringify({ time: TIME, waitingExits: [{ strategy: 'a', product: 'btcusd', worth: '9000', currency: 'usd' }, { strategy: 1 }] }),
    { time: TIME, today: null, waitingExits: [{ strategy: 'a', product: 'btcusd', worth: '9000', currency: 'usd' }], rateWarnings: [] },
  ],
  [
    'what a strategy holds in other products than its own',
    JSON.stringify({
      time: TIME,
      strategies: [{ ...STRATEGY, legs: [{ product: 'ethusd', mark: 2_600, position: '-0.2' }] }],
      otherBooks: [{ id: 'manual', product: 'btcusd', mark: null }],
    }),
    {
      time: TIME,
      today: null,
      waitingExits: [],
      rateWarnings: [],
      books: {
        strategies: [expect.objectContaining(STRATEGY)],
        otherBooks: [
          { id: 'manual', product: 'btcusd', mark: null },
          { id: 'pair', product: 'ethusd', mark: 2_600 },
        ],
      },
    },
  ],
  ['a reason that nobody knows', '{"time":{"reason":"toString","offsetMs":1,"halfWidthMs":1}}', null],
  ['figures that are none', '{"time":{"reason":null,"offsetMs":"1","halfWidthMs":1}}', null],
  ['nothing of time', '{}', null],
  ['no JSON', '<html>', null],
];
test.each(said)('a daemon that says %s', async (_, body, expected) => {
  server = createServer((_request, response) => response.end(body));
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  mkdirSync(folder, { recursive: true });
  publish(controlFiles(journal).ops, { pid: 4711, url: `http://127.0.0.1:${port}` });
  expect(await liveState(journal, 4711)).toEqual(expected);
  expect(await liveState(journal, 4712)).toBeNull();
});

test('a daemon that is not there says nothing', async () => {
  expect(await liveState(journal, 4711)).toBeNull();
});
