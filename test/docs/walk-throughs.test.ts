import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../adapters/alerts/receiver.ts';
import { endBrowser, withPage } from '../support/browser.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { plainRequest } from '../support/plain-request.ts';
import { type Ended, endAll, FRUGAL, Started } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { added, changesOf, WALKS } from './added.ts';

/** What a run, its page and the reference are made of. */
const COPIED = 'bin biome.json config docs package-lock.json package.json scripts src strategies tsconfig.json web'.split(' ');

const CONFIG = `strategies:
  - { id: own, use: ./own.ts, product: btcusd, amount: { base: 0.01 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, duplicateWindowMs: off, maxLossStreak: off }
venue: { quotesPerSecond: 20 }
`;

/** A strategy of a user that cannot do without the new operator. */
const OWN = `import { buy, mid, sell, strategy, wholeCount } from 'kairos/strategy';

export default strategy({
  name: 'own',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), wholeCount(5)),
  decide: (whole, { position, amount }) => (position.isFlat ? buy(amount, \`whole \${whole}\`) : sell('position', 'out')),
});
`;

let tree: string;
let folder: DaemonFolder;
/** What the walk-throughs have added or changed in the tree. */
let changed: readonly string[];

beforeAll(() => {
  tree = realpathSync(mkdtempSync(path.join(tmpdir(), 'kairos-added-')));
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(tree, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));
  const { files, misfits } = added();
  expect(misfits).toEqual([]);
  const ours = files.filter(({ file }) => !file.startsWith('test/'));
  for (const { file, text } of ours) {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  }
  changed = ours.map(({ file }) => file).filter((file) => /^(src|web)\//.test(file));
  folder = new DaemonFolder('added');
  folder.write('kairos.yaml', CONFIG);
  folder.write('own.ts', OWN);
});

afterEach(endAll);
afterAll(async () => {
  await endBrowser();
  rmSync(tree, { recursive: true, force: true });
  folder.remove();
});

const kairos = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Started =>
  new Started(process.execPath, [...FRUGAL, path.join(tree, 'bin/kairos.mjs'), ...args], { cwd: folder.path, env });

const run = (command: string, ...args: readonly string[]): Promise<Ended> =>
  new Started(process.execPath, [path.join(tree, command), ...args], { cwd: tree }).ended;

const ask = async (...args: readonly string[]): Promise<Ended> => kairos(args).ended;

describe('what docs/how-to/add adds, typed into a copy of the tree', () => {
  test('there is a walk-through for each, and a check, an act and a channel touch no more files than promised', () => {
    const touched = (walk: string): readonly string[] =>
      WALKS.filter(({ name }) => name === walk)
        .flatMap(changesOf)
        .map(({ file }) => file);
    for (const name of ['operator', 'command', 'metric', 'dialect']) expect(touched(name).length, name).toBeGreaterThan(0);
    expect(touched('check')).toEqual(['src/domain/limits.ts', 'src/core/risk/risk.ts', 'test/core/risk/risk.test.ts']);
    expect(touched('act')).toEqual([
      ...['src/server/control/endpoints.ts', 'src/daemon/run/control.ts', 'src/cli/wind-down.ts', 'src/cli/commands.ts'],
      ...['test/server/control/acts-on-daemon.test.ts', 'web/acts/acts.ts'],
    ]);
    expect(touched('alert-channel')).toEqual(['src/adapters/alerts/channels.ts']);
    expect(touched('journaled-act')).toHaveLength(8);
  });

  test('its types fit, it is formatted as the house is, and the reference tells of all of it', async () => {
    const said = await Promise.all([
      run('node_modules/typescript/bin/tsc', '-p', '.'),
      run('node_modules/typescript/bin/tsc', '-p', 'web'),
      run('node_modules/@biomejs/biome/bin/biome', 'check', ...changed),
      run('scripts/reference.ts'),
    ]);
    expect(said.map(({ code, stdout, stderr }) => (code === 0 ? '' : stdout + stderr))).toEqual(['', '', '', '']);
    const page = (name: string): string => readFileSync(path.join(tree, `docs/reference/${name}.md`), 'utf8');
    expect(page('settings')).toMatch(/^- `risk\.maxOrderSize`: .* \(`"off"`\)$/m);
    expect(page('settings')).toContain('`alerts.pager.url`');
    expect(page('reasons')).toContain('- `MAX_ORDER_SIZE`: the order is larger than risk.maxOrderSize');
    for (const act of ['wind-down', 'thank']) expect(page('http')).toContain(`- \`POST /api/${act}\`: `);
    expect(page('prometheus')).toContain('kairos_strategies_running');
    expect(page('dialect')).toContain('padded-limits');
    for (const command of ['wind-down', 'uptime']) expect(page('commands')).toContain(`## ${command}\n`);
    expect((await ask('config', 'schema')).stdout).toContain('"maxOrderSize"');
  });

  test('the operator trades, the metric is served, the page has the button, and the act answers over HTTP and as a command', {
    tags: 'chromium',
  }, async () => {
    const daemon = kairos(['run']);
    const [, url] = await daemon.says(/ page +(http:\/\/127\.0\.0\.1:\d+)/);
    await daemon.until('orders', () => (folder.rows("SELECT 1 FROM orders WHERE state = 'accepted'").length > 3 ? true : undefined));
    const running = async (): Promise<string | undefined> =>
      /^kairos_strategies_running (\d+)$/m.exec((await plainRequest(`${url}/metrics`, {})).body)?.[1];
    expect(await running()).toBe('1');
    expect(await ask('uptime')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run \S+, paper, began 20/) });
    await withPage(async (page) => {
      await page.size(1280, 800);
      await page.open(`${url}/`);
      await page.until('the button', "document.body.innerText.includes('Wind down…')");
      await page.click('Wind down…');
      await page.until('its dialog', "document.querySelector('dialog').innerText.includes('Pause and close all')");
      expect(page.errors).toEqual([]);
    });
    const token = readFileSync(path.join(folder.path, 'var/ops-token'), 'utf8').trim();
    const post = (body: object, act = 'wind-down') =>
      plainRequest(`${url}/api/${act}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await post({ now: true })).toMatchObject({ status: 400 });
    expect(await post({ who: 'ann', why: 'hedge moved' }, 'thank')).toMatchObject({ status: 200 });
    expect(folder.rows("SELECT 1 FROM decisions WHERE kind = 'thanked' AND reason = 'BY_PERSON'")).not.toEqual([]);
    expect((await ask('journal', 'tail', '--lines', '1000')).stdout).toMatch(/thanked .*ann: hedge moved/);
    expect(await ask('wind-down', '--reason', 'holidays')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^all strategies are paused/),
    });
    expect(await post({ who: 'ann', why: 'again' })).toMatchObject({ status: 200, body: expect.stringContaining('"act":"flatten"') });
    expect(await running()).toBe('0');
    expect(folder.rows("SELECT 1 FROM decisions WHERE kind = 'paused' AND detail LIKE '%holidays%'")).toHaveLength(1);
    daemon.signal('SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0 });
  });

  test('a backtest uses the operator, and the check refuses its orders', async () => {
    const played = async (...set: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await ask('backtest', '--latency', '20', ...set.flatMap((one) => ['--set', one]));
      return stdout + stderr;
    };
    expect(await played()).toMatch(/exact fills \(\d+ of [1-9]/);
    expect(await played('risk.maxOrderSize=0.02')).toMatch(/exact fills \(\d+ of [1-9]/);
    const refused = await played('risk.maxOrderSize=0.005');
    expect(refused).toContain('MAX_ORDER_SIZE');
    expect(refused).toContain('nothing was executed');
    expect(await ask('config', 'check', '--set', 'risk.maxOrderSize=0.005')).toMatchObject({ code: 0 });
    expect(await ask('config', 'check', '--set', 'risk.maxOrderSize=-1')).toMatchObject({
      stderr: expect.stringContaining('risk.maxOrderSize: must be off or a number above 0'),
    });
  });

  test('the channel delivers', async () => {
    const receiver = await startReceiver();
    try {
      const { code, stdout } = await kairos(['alerts', 'test'], { KAIROS_ALERTS_PAGER_URL: `${receiver.url}/page` }).ended;
      expect([code, stdout]).toEqual([0, expect.stringMatching(/pager .*delivered/)]);
      expect(receiver.received).toEqual([expect.objectContaining({ path: '/page', body: expect.objectContaining({ urgent: false }) })]);
    } finally {
      await receiver.close();
    }
  });

  test('the venue speaks the dialect, and lists it', async () => {
    const venue = kairos(['venue', '--dialect', 'padded-limits', '--port', '0', '--set', 'venue.database=:memory:']);
    const [url] = await venue.says(/http:\/\/127\.0\.0\.1:\d+/);
    const { body } = await plainRequest(`${url}/mms/v2/productDetails`, {});
    expect(body).toMatch(/"minSize":"\d+\.\d{8}"/);
    expect((await ask('venue', '--dialect', 'help')).stdout).toContain('padded-limits');
  });
});
