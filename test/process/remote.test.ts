import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { totpCode, totpKey } from '#adapters/service-client/rest/totp.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { type Ended, endAll, type Started, startKairos } from '../support/process.ts';
import { startAtTerminal } from '../support/terminal.ts';

const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const SIGN_IN = { KAIROS_USERNAME: 'paper@example.com', KAIROS_PASSWORD: 'paper' };
const STEP_MS = 30_000;

interface Found {
  readonly strategyId: string;
  readonly state: Readonly<Record<string, string>>;
}

describe('a new user, with the commands alone, against a paper service in another process', () => {
  const folder = new DaemonFolder('remote');
  let venue: Started;
  let env: Readonly<Record<string, string>> = {};
  let hookPort = 0;

  const kairos = (...args: string[]): Promise<Ended> => kairosHere(args, { cwd: folder.path, env });
  const printed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kairos(...args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await printed(...args, '--json'));
  const find = async (): Promise<readonly Found[]> => json('remote', 'find');
  const create = async (): Promise<string> => {
    const { status, response } = await json('remote', 'create', '--account', '70312', '--product', 'btcusd', '--amount', '500');
    expect(status).toBe('confirmed');
    return JSON.parse(response).strategyId;
  };
  /** Types an answer to what is asked on a terminal; what the screen shows in the end. */
  const atTerminal = async (args: readonly string[], asked: string, answer: string): Promise<Ended> => {
    const terminal = startAtTerminal(args, { cwd: folder.path, env });
    await terminal.until(asked, ({ stdout }) => stdout.includes(asked) || undefined);
    terminal.type(answer);
    return terminal.ended;
  };

  beforeAll(async () => {
    hookPort = await freePort();
    const settings = { database: ':memory:', 'signIn.totpSecret': TOTP, 'webhooks.url': `http://127.0.0.1:${hookPort}/webhooks` };
    const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `venue.${name}=${value}`]);
    venue = startKairos(['venue', '--port', '0', '--json', ...set], { cwd: folder.path });
    const { url } = JSON.parse((await venue.says(/^\{[\s\S]*^\}$/m))[0]);
    env = { ...SIGN_IN, KAIROS_BASE_URL: url };
    folder.write('kairos.yaml', `strategies: []\nservice: { refreshTokenFile: var/session }\n`);
  });

  afterAll(async () => {
    await endAll();
    folder.remove();
  });

  test('sign-in by the environment alone, with the second factor computed; without it the person is asked, who is not there', async () => {
    expect(await kairos('accounts')).toMatchObject({ code: 1, stderr: expect.stringContaining('KAIROS_TOTP_SECRET') });
    const own = ['--set', 'service.refreshTokenFile='];
    const signedIn = await kairosHere(['remote', 'sign-in', ...own], { cwd: folder.path, env: { ...env, KAIROS_TOTP_SECRET: TOTP } });
    expect(signedIn).toMatchObject({ code: 0, stdout: expect.stringMatching(/^signed in at http:.* until .*; \d+ accounts\n$/) });
  });

  test('sign-in with the six digits typed at a terminal keeps the session', { tags: 'util-linux' }, async () => {
    // Each code is taken once, and the one before was just used: that of the next step is taken as well.
    const digits = totpCode(totpKey(TOTP), Date.now() + STEP_MS);
    const shown = await atTerminal(['remote', 'sign-in'], 'Six digits of your authenticator', digits);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('the session is kept in') });
    expect(await printed('accounts')).toMatch(/70312 .* VB /);
    expect(await printed('products', '--exchange', 'VB')).toMatch(/^btcusd /m);
  });

  test('create, start, pause of openings, flush to nothing, delete: shown, asked about, found, and done', {
    tags: 'util-linux',
  }, async () => {
    const request = ['remote', 'create', '--account', '70312', '--product', 'btcusd', '--amount', '500'];
    expect(await printed(...request, '--dry-run')).toMatch(/^POST http:.*\/action\/create\n[\s\S]*\n\n\{"strategyType":"AI",.*\}\n$/);
    expect(await find()).toEqual([]);
    expect(await kairos(...request.slice(0, -1), '0.001')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('below minNotionalValue'),
    });

    const id = await create();
    expect(await printed('remote', 'modify', id, '--price-limit', '65000')).toContain(`modify of ${id}: done`);
    const another = ['remote', 'modify', 'of-somebody-else', '--price-limit', '65000.123456'];
    expect(await kairos(...another)).toMatchObject({ code: 2, stderr: expect.stringContaining('--product') });
    expect(await printed('remote', 'start', id)).toContain(`start of ${id}: done, as the service reads it back`);
    const [from = '', to = ''] = [1, 60].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    expect(await printed('remote', 'pause-openings', id, '--from', from, '--to', to)).toContain('done, as the service reads it back');
    expect(await find()).toMatchObject([{ strategyId: id, state: { status: 'ACTIVE', openingPauseFrom: expect.any(String) } }]);

    const flush = ['remote', 'flush', id, '--long', '0', '--short', '0'];
    expect(await kairos(...flush)).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    expect(await kairos(...flush.slice(0, -1), '101')).toMatchObject({ code: 2, stderr: expect.stringContaining('from 0 to 100') });
    const [wrong, right] = [await atTerminal(flush, 'Type "flush"', 'yes'), await atTerminal(flush, 'Type "flush"', 'flush')];
    expect(wrong).toMatchObject({ code: 3, stdout: expect.stringContaining('nothing was sent') });
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('asked; what a flush does cannot be read back') });
    expect(await json(...flush, '--yes')).toMatchObject({ status: 'unverified', httpStatus: 202, ended: true });

    expect(await atTerminal(['remote', 'delete', id], 'cannot be undone', 'y')).toMatchObject({ code: 0 });
    expect(await find()).toEqual([]);
    const asked: readonly { action: string; status: string }[] = await json('remote', 'actions');
    expect(asked.map(({ action, status }) => `${action} ${status}`)).toEqual([
      ...['remote.create failed', 'remote.create confirmed', 'remote.modify confirmed', 'remote.modify failed'],
      ...['remote.start confirmed', 'remote.schedule-opening-pause confirmed'],
      ...['remote.flush unverified', 'remote.flush unverified', 'remote.delete confirmed'],
    ]);
  });

  test("a line of the daemon's schedule is read back; a deposit that the service tells of is in the ledger and no profit", {
    tags: 'util-linux',
  }, async () => {
    const id = await create();
    await printed('remote', 'start', id);
    folder.write(
      'kairos.yaml',
      `strategies: []
service: { refreshTokenFile: var/session }
webhooks: { enabled: true, port: ${hookPort} }
schedule:
  - { name: rest, cron: '0 0 1 1 *', action: remote.pause, strategyId: ${id} }
`,
    );
    const daemon = startKairos(['run'], { cwd: folder.path, env, ipc: true });
    await daemon.ready();
    expect(await printed('schedule', 'run', 'rest')).toBe('rest: remote.pause confirmed: answered 202\n');
    expect(await find()).toMatchObject([{ strategyId: id, state: { status: 'PAUSED' } }]);
    // Through the daemon now, which holds the journal.
    expect(await printed('remote', 'delete', id, '--yes')).toContain('done, as the service reads it back');

    await printed('venue', 'deposit', '--user', '1205', '--currency', 'usd', '--amount', '750', '--url', env.KAIROS_BASE_URL ?? '');
    const deposits = () => folder.rows("SELECT book, currency, amount FROM ledger WHERE kind = 'deposit'");
    await daemon.until('deposit', () => (deposits().length > 0 ? true : undefined));
    expect(deposits()).toEqual([{ book: 'treasury', currency: 'usd', amount: '750' }]);
    expect(await printed('notifications', 'list')).toContain('DEPOSIT_CONFIRMED');
    expect(await printed('ledger', 'balances')).toMatch(/usd .*750/);
    const days: readonly { profit: string }[] = await json('profit');
    expect(days.filter(({ profit }) => Number(profit) !== 0)).toEqual([]);
    daemon.signal('SIGINT');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect(await kairos('parity', 'last')).toMatchObject({ code: 0 });
  });
});

test('a real service is asked for nothing, the first time as the second, until the settings say mode: live', async () => {
  const folder = new DaemonFolder('undeclared');
  onTestFinished(() => folder.remove());
  const asked: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    if (method !== 'GET') asked.push(`${method} ${url}`);
    response.writeHead(method === 'GET' ? 404 : 202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pauseAll = (...set: string[]) =>
    kairosHere(['remote', 'pause-all', ...set], {
      cwd: folder.path,
      env: { KAIROS_BASE_URL: `http://127.0.0.1:${port}`, KAIROS_TOKEN: 'a.b' },
    });
  folder.write('kairos.yaml', 'strategies: []\n');
  for (let time = 0; time < 2; time++)
    expect(await pauseAll()).toMatchObject({ code: 3, stderr: expect.stringMatching(/mode: live.*; nothing was sent\n$/) });
  expect(asked).toEqual([]);
  for (let time = 0; time < 2; time++) expect(await pauseAll('--set', 'mode=live')).toMatchObject({ code: 0 });
  expect(asked).toEqual(Array(2).fill('PUT /strategy-orchestrator/strategies/pauseAll'));
});

test('a daemon whose session cannot be kept says so and goes on; a sign-in is refused', async () => {
  const folder = new DaemonFolder('unkept');
  const cwd = folder.path;
  folder.write('kairos.yaml', 'strategies: []\nservice: { refreshTokenFile: kairos.yaml/session }\nhalt: { escalate: pauseAll }\n');
  const daemon = startKairos(['run'], { cwd, ipc: true });
  await daemon.says(/"level":"error".*the session cannot be kept/);
  expect(await kairosHere(['remote', 'pause-all'], { cwd })).toMatchObject({ code: 0 });
  const refused = expect.stringMatching(/^kairos: service\.refreshTokenFile: the session cannot be kept .*\n$/);
  expect(await kairosHere(['remote', 'sign-in'], { cwd })).toMatchObject({ code: 2, stdout: '', stderr: refused });
  daemon.signal('SIGINT');
  expect(await daemon.ended).toMatchObject({ code: 0 });
  folder.remove();
});
