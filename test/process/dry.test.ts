import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { SETTINGS } from '../paper-venue/venue-rig.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, type Started, startKairos } from '../support/process.ts';
import { believing, EXAMPLE_CERTIFICATE, RealService } from '../support/real-service.ts';

const STRATEGY = `import { buy, mid, sell, sma, strategy } from 'kairos/strategy';

export default strategy({
  name: 'in-and-out',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), sma(2)),
  decide: (_average, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

const CONFIG = `strategies:
  - { id: own, use: ./in-and-out.ts, product: ethusd, amount: { base: 0.1 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, minTimeLeftMs: 50 }
schedule:
  - { name: stop-all, cron: '* * * * * *', action: remote.pauseAll }
`;

interface OrderRow {
  readonly state: string;
  readonly quote_id: string;
}

const LIVE_KEYS = {
  KAIROS_USER_ID: '1205',
  KAIROS_API_KEY: 'a-live-key',
  KAIROS_API_SECRET: Buffer.from('a secret of one live account').toString('base64'),
};

describe.each([
  ['without a user id (F32)', 'anonymous', {}],
  ['with the user and the keys of live trading', '1205', LIVE_KEYS],
])('a dry run on a real service, %s', (_, user, keys) => {
  const folder = new DaemonFolder('dry');
  let venue: Venue;
  let service: RealService;
  let daemon: Started;
  let env: Readonly<Record<string, string>>;

  const kairos = (...args: string[]) => runKairos(args, { cwd: folder.path, env });
  /** Those that were due in time: a busy machine misses some. */
  const actions = () =>
    folder.rows<{ status: string; response: string }>("SELECT status, response FROM actions WHERE status NOT IN ('asked', 'skipped')");

  beforeAll(async () => {
    venue = await startVenue({ ...SETTINGS, quotesPerSecond: 10, validityMs: 10_000 }, systemTimers);
    service = await RealService.before(venue.port);
    env = { ...believing(folder.write('ca.pem', EXAMPLE_CERTIFICATE)), KAIROS_BASE_URL: service.url, ...keys };
    folder.write('in-and-out.ts', STRATEGY);
    folder.write('kairos.yaml', CONFIG);
    daemon = startKairos(['run'], { cwd: folder.path, env });
    await daemon.until('order of each side that was accepted', () => {
      const sides = folder.rows<{ side: string }>("SELECT DISTINCT side FROM orders WHERE state = 'accepted'");
      return sides.length === 2 ? sides : undefined;
    });
    await daemon.until('scheduled action', () => actions()[0]);
  });

  afterAll(async () => {
    await endAll();
    await service.stop();
    await venue.close();
    folder.remove();
  });

  test('fills orders at the quotes of the service, each on a quote of its own', () => {
    const orders = folder.rows<OrderRow>('SELECT state, quote_id FROM orders');
    expect(orders.filter(({ state }) => state === 'accepted').length).toBeGreaterThanOrEqual(2);
    expect(new Set(orders.map(({ quote_id }) => quote_id)).size).toBe(orders.length);
    const { round_trip } = folder.rows<{ round_trip: number }>(
      "SELECT min(detail ->> 'roundTripMs') AS round_trip FROM decisions WHERE kind = 'accepted'",
    )[0] ?? { round_trip: 0 };
    expect(round_trip).toBeGreaterThan(0);
  });

  test('no order byte leaves, and nothing but GETs: on record is every byte that was sent', () => {
    expect(service.requests.length).toBeGreaterThan(2);
    expect(service.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
    const all = service.sent.join('\n');
    expect(all).not.toMatch(/X-API-|quoteId|authorization/i);
    expect(all).not.toContain('/api/');
    expect(venue.executions()).toEqual([]);
    expect(venue.counts()).toMatchObject({ pauseAll: 0 });
  });

  test('an action that is due at the service is not asked for, and says so', () => {
    expect(actions()[0]).toMatchObject({ status: 'failed', response: expect.stringContaining('dry mode') });
  });

  test('says DRY at its start, in its notices, in status and in its run', async () => {
    await daemon.says(/^DRY {2}Kairos \S+ {2}run /m);
    const { code, stdout } = await kairos('status');
    expect({ code, line: stdout.split('\n')[0] }).toEqual({ code: 0, line: 'DRY: no order is sent' });
    expect(folder.rows('SELECT mode, book FROM runs')).toEqual([{ mode: 'dry', book: `dry ${service.url} ${user}` }]);
  });

  test('is armed as the dry run that it is, and its journal belongs to nothing else', async () => {
    expect(await kairos('arm', '--yes')).toMatchObject({ code: 0 });
    daemon.signal('SIGTERM');
    const { code, stdout } = await daemon.ended;
    expect(code).toBe(0);
    const notices = stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(notices.filter((line) => !line.includes('"msg":"DRY: '))).toEqual([]);
    expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
    const paper = await runKairos(['run'], { cwd: folder.path });
    expect(paper).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the book "dry ${service.url} ${user}", this run to "paper"`),
    });
    expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
  });
});
