import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StateView } from '#server/page/view.ts';
import { screenLines } from '../../src/cli/top-screen.ts';
import { emptyState, exampleStrategy } from '../support/empty-state.ts';

const STATE: StateView = {
  ...emptyState(),
  trading: 'HALTED',
  strategies: [exampleStrategy({}), exampleStrategy({ id: 'unsure', low: '0', high: '0.01' })],
  orders: [
    {
      ...{
        order: '7-1',
        strategy: 'unsure',
        product: 'btcusd',
        side: 'sell',
        state: 'unknown',
        size: '0.01',
        price: '60000',
        quoteCcy: 'usd',
        value: '600',
      },
      ...{ fee: '0.6', feeCcy: 'usd', since: '2026-01-01T00:00:00.000Z', quoteId: 'q' },
    },
  ],
  unknowns: 1,
  notReady: ['HALTED by ann: prices look wrong'],
  limits: [
    { name: 'risk.maxOrdersPerMinute', scope: 'all', used: 15, limit: 30, unit: 'orders', forExits: 0, share: 0.5, since: null },
    { name: 'risk.maxDayLoss', scope: 'all', used: 0, limit: 500, unit: 'usd', forExits: 0, share: 0, since: null },
  ],
};

const lines = (state: StateView | undefined, { width = 80, height = 30 } = {}): readonly string[] =>
  screenLines({
    ...{ journal: 'var/kairos.db', state, width, height, now: Date.parse('2026-01-01T02:00:00Z') },
    decisions: Array.from({ length: 50 }, (_, n) => `decision ${n}`),
  }).map(stripVTControlCharacters);

test('a screen says what trades, what is held at its worst, what waits, and how near limits are', () => {
  const screen = lines(STATE);
  expect(screen[0]).toBe('PAPER  HALTED  run-1, up 2 h  02:00:00 UTC');
  expect(screen).toContain('HALTED by ann: prices look wrong');
  expect(screen).toContainEqual(expect.stringMatching(/^1 order of unknown outcome/));
  expect(screen).toContainEqual(expect.stringMatching(/^dip +btcusd +RUNNING +0\.01 +9\.40 usd +\u22123\.20 usd/));
  expect(screen).toContainEqual(expect.stringMatching(/^unsure +btcusd +RUNNING +0 to 0\.01 /));
  expect(screen).toContainEqual(expect.stringMatching(/^7-1 +unknown +unsure +sell/));
  expect(screen).toContainEqual(expect.stringMatching(/^maxOrdersPerMinute +all +#{5}\.{5} +15 of 30 orders$/));
  // What is not used is not near.
  expect(screen.join('\n')).not.toContain('maxDayLoss');
  expect(screen.slice(-2)).toEqual(['decision 49', 'q ends this screen and no daemon']);
});

test('an exit that waits for a person is told with what lets it go, as `status` tells it', () => {
  const command = 'kairos close dip --product btcusd --up-to-value 781';
  const exit = { strategy: 'dip', product: 'btcusd', worth: '710', currency: 'usd', command };
  const said = lines({ ...STATE, waitingExits: [exit] }, { width: 200 });
  expect(said).toContain(
    `the exit of dip in btcusd is worth 710 usd, more than risk.maxExitValue, and waits for the consent of a person; to allow it: \`${command}\``,
  );
});

test('a strategy that is refused has beneath it since when, by which limit, and what ends that', () => {
  const state = { name: 'REFUSED', reason: 'MAX_ORDER_VALUE', until: null, blockedSince: null } as const;
  const words = { since: '2026-01-01T01:50:00.000Z', why: 'worth 2100 usd, over 2000 usd', mend: 'raise risk.maxOrderValue' };
  const screen = lines({ ...STATE, strategies: [exampleStrategy({}), exampleStrategy({ id: 'hold', state: { ...state, ...words } })] });
  const row = screen.findIndex((line) => /^hold +btcusd +REFUSED /.test(line));
  expect(screen[row + 1]).toMatch(/^ {4}since 01:50:00: worth 2100 usd, over 2000 usd; raise risk\.maxOrderValue$/);
});

test('losses, states and full limits have the colour of what they mean, on a terminal that has colours', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  vi.stubEnv('NO_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const full = { name: 'risk.maxDayLoss', scope: 'all', used: 8.47, limit: 8, unit: 'usd', forExits: 0, share: 1, since: null } as const;
  const screen = screenLines({ journal: '', state: { ...STATE, limits: [full] }, decisions: [], width: 80, height: 40, now: 0 }).join('\n');
  expect(screen).toContain('\u001b[31mHALTED\u001b[39m');
  expect(screen).toContain('\u001b[32mRUNNING\u001b[39m');
  expect(screen).toContain('\u001b[32m9.40 usd\u001b[39m');
  expect(screen).toContain('\u001b[31m\u22123.20 usd\u001b[39m');
  expect(screen).toContain('\u001b[31m##########\u001b[39m  8.47 of 8.00 usd');
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', '1');
  expect(screenLines({ journal: '', state: STATE, decisions: [], width: 80, height: 40, now: 0 }).join('')).not.toContain('\u001b');
});

test.for([
  [80, 24],
  [60, 12],
  [200, 60],
])('it fits %i columns and %i lines', ([width = 0, height = 0]) => {
  const screen = lines(STATE, { width, height });
  expect(screen.length).toBeLessThanOrEqual(height);
  for (const line of screen) expect(line.length).toBeLessThanOrEqual(width);
});

test('without a daemon it says so, and still shows the last decisions', () => {
  expect(lines(undefined).slice(0, 2)).toEqual(['no daemon answers on var/kairos.db', '`kairos run` starts one']);
  expect(lines(undefined)).toContain('decision 49');
});
