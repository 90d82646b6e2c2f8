import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVenueThread, type VenueThread } from '#assembly/venue-thread.ts';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';
import { answerRelay } from '../support/answer-relay.ts';
import { rowsOf } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';

/** Values that occur nowhere else, so that any trace of them is a leak. The venue knows none of them. */
const SECRETS = {
  KAIROS_API_KEY: '5ec4e75e-c4e7-45ec-8e75-ec4e75ec4e75',
  KAIROS_API_SECRET: Buffer.from('a-secret-that-signs-orders-31415').toString('base64'),
  KAIROS_PASSWORD: 'a-password-that-signs-in-27182',
};
const TOKEN = { KAIROS_TOKEN: 'a-token-that-signs-in-16180' };
/** Each secret as it was given, and the signing key as bytes. */
const TRACES = [...Object.values(SECRETS), ...Object.values(TOKEN), 'a-secret-that-signs-orders-31415', BROKER_SECRET];

const CONFIG = `strategies:
  - { id: eager, use: ./eager.ts, product: btcusd, amount: { base: 0.01 }, budget: { usd: 10000 } }
schedule:
  - { name: stop-all, cron: '* * * * * *', action: remote.pauseAll }
log: { level: trace }
`;

/** A key that is no Kairos venue's is sent live alone. */
const FILES = ['--config', 'kairos.yaml', '--config', 'live.yaml'];
const LIVE = ['run', '--live', ...FILES];
const ARM = ['arm', '--yes', '--unrehearsed', ...FILES];
const LIVE_CONFIG = `mode: live
service: { userId: 1205 }
account: { opening: { usd: 100000 } }
risk: { maxOrderValue: 5000, maxPositionValue: 20000, maxDayValue: off, maxDayLoss: off, maxDrawdownPct: off }
`;

/** Wants an order at every quote until it has one. */
const EAGER = `import { buy, strategy } from 'kairos/strategy';

export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});
`;

const leaks = (text: string): readonly string[] => TRACES.filter((secret) => text.includes(secret));

describe('5.1.s5: I15: no secret reaches a log, the journal, a recording or an error', () => {
  const folder = new DaemonFolder('secrets');
  let venue: VenueThread;
  let at: readonly string[] = [];

  beforeAll(async () => {
    folder.write('eager.ts', EAGER);
    folder.write('kairos.yaml', CONFIG);
    folder.write('live.yaml', LIVE_CONFIG);
    venue = await startVenueThread({ ...VENUE_SETTINGS, seed: 'secrets', quotesPerSecond: 10 });
    at = ['--set', `service.baseUrl=${venue.url}`];
  });

  afterAll(async () => {
    await endAll();
    await venue.close();
    folder.remove();
  });

  test('F07: a key that the service refuses halts at the second 401, and no file or line names it', async () => {
    const env = { ...SECRETS, ...TOKEN };
    const daemon = startKairos([...LIVE, ...at], { cwd: folder.path, env });
    const seen = (sql: string) => () => folder.rows(sql)[0];
    await daemon.until('a refused order', seen("SELECT * FROM decisions WHERE kind = 'refused'"));
    expect(await runKairos([...ARM, ...at], { cwd: folder.path, env })).toMatchObject({ code: 0 });
    await daemon.until('halt', seen("SELECT * FROM decisions WHERE kind = 'halted' AND reason = 'SECOND_UNAUTHORIZED'"));
    await daemon.until('answer to the schedule', seen("SELECT * FROM actions WHERE status = 'failed'"));
    daemon.signal('SIGTERM');
    const { code, stdout, stderr } = await daemon.ended;
    expect(code).toBe(0);
    expect(folder.runs()).toMatchObject([{ end_state: 'halted' }]);
    expect(leaks(stdout)).toEqual([]);
    expect(leaks(stderr)).toEqual([]);
    const files = folder.files().filter((file) => file.startsWith('var/'));
    expect(files.some((file) => file.endsWith('inbox.ndjson'))).toBe(true);
    for (const file of files) expect({ file, leaks: leaks(folder.read(file).toString('latin1')) }).toEqual({ file, leaks: [] });
  });

  test('a service that says back what it was sent: its answer is kept without the key', async () => {
    const relay = await answerRelay(venue.port);
    relay.fault = 'echo';
    try {
      const own = ['--set', `service.baseUrl=${relay.url}`, '--set', 'journal.path=var/echo.db'];
      const place = { cwd: folder.path, env: { ...SECRETS, ...TOKEN } };
      const daemon = startKairos([...LIVE, ...own], place);
      const rows = <Row>(sql: string) => rowsOf<Row>(`${folder.path}/var/echo.db`, sql)[0];
      await daemon.until('a refused order', () => rows("SELECT 1 FROM decisions WHERE kind = 'refused'"));
      expect(await runKairos([...ARM, ...own], place)).toMatchObject({ code: 0 });
      const refused = () => rows<{ response: string }>("SELECT response FROM orders WHERE state = 'rejected'");
      expect((await daemon.until('refusal', refused)).response).toMatch(/x-api-key: \[set\]/i);
      expect(relay.orders[0]).toContain(SECRETS.KAIROS_API_KEY);
      daemon.signal('SIGTERM');
      const { stdout, stderr } = await daemon.ended;
      expect(leaks(stdout + stderr)).toEqual([]);
      for (const file of folder.files().filter((one) => one.startsWith('var/'))) {
        expect({ file, leaks: leaks(folder.read(file).toString('latin1')) }).toEqual({ file, leaks: [] });
      }
    } finally {
      await relay.close();
    }
  });

  test.for([
    ['thrown at a quote', 'throw new Error(told);', 143],
    ['in a promise left rejected', 'void world.Promise.reject(new Error(told));', 143],
    ['thrown in a timer', 'world.setTimeout(() => { throw told; }, 5);', 143],
    [
      'in an error that names nobody, which ends the daemon',
      "world.setTimeout(() => { const lost = new world.Error(told); lost.stack = 'Error: ' + told; throw lost; }, 5);",
      1,
    ],
  ] as const)('a secret %s is kept without it', async ([what, slip, exit], { expect }) => {
    const own = new DaemonFolder('leak');
    own.giveWorld();
    try {
      own.write(
        'kairos.yaml',
        'strategies: [{ id: leak, use: ./leak.ts, product: btcusd, amount: { base: 0.01 } }]\nlog: { level: trace }\n',
      );
      own.write(
        'leak.ts',
        `import { hold, strategy } from 'kairos/strategy';
import world from 'world';
const told = ['a key 5ec4e75e-c4e7-45ec-8e75-', 'ec4e75ec4e75, a password a-password-that-', 'signs-in-27182'].join('');
let quotes = 0;
export default strategy({
  name: 'leak',
  signals: ({ quotes$ }) => quotes$,
  decide: () => {
    quotes += 1;
    if (quotes < 5) { ${slip} }
    return hold('waits');
  },
});
`,
      );
      const daemon = startKairos(['run', ...at], { cwd: own.path, env: { ...SECRETS, ...TOKEN } });
      if (exit !== 1) {
        await daemon.until(what, () => own.rows("SELECT 1 FROM decisions WHERE kind = 'disabled' OR detail LIKE '%[set]%'")[0]);
        daemon.signal('SIGTERM');
      }
      const { code, stdout, stderr } = await daemon.ended;
      expect(code).toBe(exit === 1 ? 1 : 0);
      expect(stdout + stderr).toContain('[set]');
      expect(leaks(stdout + stderr)).toEqual([]);
      for (const file of own.files().filter((one) => one.startsWith('var/'))) {
        expect({ file, leaks: leaks(own.read(file).toString('latin1')) }).toEqual({ file, leaks: [] });
      }
    } finally {
      await endAll();
      own.remove();
    }
  });

  test.for([
    ['what is configured', ['config', 'print', '--origins'], SECRETS, 0],
    ['a sign-in that is refused', ['accounts', '--debug'], SECRETS, 1],
    ['a token that is refused, and then a sign-in', ['accounts', '--debug'], { ...SECRETS, ...TOKEN }, 1],
    ['a secret that is no Base64', ['config', 'check'], { KAIROS_API_SECRET: 'a-password-that-signs-in-27182!' }, 2],
  ] as const)('%s is told without it', async ([, args, env, exit], { expect }) => {
    const { code, stdout, stderr } = await runKairos([...args, ...at], { cwd: folder.path, env });
    expect(code).toBe(exit);
    expect(stdout + stderr).not.toBe('');
    expect(leaks(stdout + stderr)).toEqual([]);
  });
});
