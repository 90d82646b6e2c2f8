import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { kairosHere, unhurriedHere } from '../../support/kairos-here.ts';
import { endAll, runKairos, startKairos } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 1 } }
  - { id: out, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, enabled: false }
lanes: { waitMs: 20000 }
venue: { quotesPerSecond: 5, validityMs: 20000 }
risk: { maxLossStreak: off }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

interface Row {
  readonly kind: string;
  readonly strategy: string | null;
  readonly reason: string | null;
  readonly detail: string;
}

const ACTS = "('halted', 'resumed', 'paused', 'enabled')";

test('halt, resume, pause, enable and the drill work on a running daemon, and a halt outlives it', async () => {
  folder = new DaemonFolder('acts');
  folder.write('kairos.yaml', CONFIG);
  const files = controlFiles(folder.journal);
  const cwd = folder.path;
  const kairos = async (...words: string[]) => {
    const { code, stdout, stderr } = await runKairos(words, { cwd });
    return { code, stdout, stderr };
  };
  const acts = () => folder.rows<Row>(`SELECT kind, strategy, reason, detail FROM decisions WHERE kind IN ${ACTS} ORDER BY seq`);

  const daemon = startKairos(['run'], { cwd });
  await daemon.until('first order', () => folder.accepted());
  const url = publishedIn(files.ops)?.url ?? '';
  expect(publishedIn(files.ops)?.pid).toBe(daemon.pid);
  expect(statSync(files.token).mode & 0o777).toBe(0o600);
  const ready = async () => (await fetch(`${url}/readyz`)).json();
  // A machine that does not keep up is not ready for a while.
  await expect.poll(ready).toEqual({ ready: true, reasons: [] });
  expect(await (await fetch(`${url}/api/state`)).json()).toMatchObject({
    mode: 'paper',
    trading: 'ACTIVE',
    strategies: [{ id: 'flip' }, { id: 'out' }],
  });

  expect(await kairos('pause', 'flip')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^paused: flip;/) });
  const state: unknown = await (await fetch(`${url}/api/state`)).json();
  expect(state).toMatchObject({
    strategies: [
      { id: 'flip', paused: true, disabled: false },
      { id: 'out', disabled: true, state: { name: 'DISABLED', mend: 'set enabled: true in its entry, then restart' } },
    ],
  });
  expect(await kairos('resume', 'flip')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ended: paused of flip, set by /) });
  expect(await kairos('enable', 'flip')).toMatchObject({ code: 0, stdout: 'flip is not disabled: nothing has changed\n' });
  expect(await kairos('enable', 'filp')).toMatchObject({ code: 2, stderr: expect.stringContaining('the nearest is flip') });

  expect(await kairos('enable', 'out')).toMatchObject({
    code: 3,
    stderr: 'kairos: out has enabled: false: set enabled: true in its entry, then restart\n',
  });

  // A token that is gone, or another one, is told with its place and the way out.
  const token = readFileSync(files.token, 'utf8');
  rmSync(files.token);
  expect(await kairos('pause', 'flip')).toMatchObject({ code: 2, stderr: expect.stringContaining(`put ${files.token} back`) });
  writeFileSync(files.token, 'a-token-of-nobody-at-all', { mode: 0o600 });
  expect(await kairos('pause', 'flip')).toMatchObject({ code: 2, stderr: expect.stringMatching(/started with another token: ops\.token/) });
  writeFileSync(files.token, token, { mode: 0o600 });

  // A drill wants a moment in which no order is on its way.
  const drill = () => kairos('halt', '--drill');
  await expect.poll(drill).toMatchObject({ code: 0, stdout: expect.stringMatching(/^passed: the gate was shut [\d.]+ ms after the file/) });
  await expect.poll(ready).toEqual({ ready: true, reasons: [] });
  const tried = folder.rows<{ state: string }>("SELECT state FROM orders WHERE strategy = 'manual'");
  expect(new Set(tried.map(({ state: was }) => was))).toEqual(new Set(['not_sent']));

  expect(await kairos('halt', '--reason', 'a test')).toMatchObject({ code: 0, stdout: expect.stringContaining('which has journaled it') });
  await expect.poll(ready).toEqual({ ready: false, reasons: ['trading is halted'] });
  daemon.signal('SIGINT');
  const first = await daemon.ended;
  expect(first.code).toBe(0);
  expect([existsSync(files.ops), existsSync(files.halt)]).toEqual([false, true]);
  expect(acts().map(({ kind }) => kind)).toEqual(['paused', 'resumed', 'halted']);

  const second = startKairos(['run'], { cwd });
  await second.says(/trading is HALTED/);
  const orders = folder.rows('SELECT 1 FROM orders').length;
  expect(await kairos('resume')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ended: halted, set by .* \(a test\)/) });
  expect(existsSync(files.halt)).toBe(false);
  await second.until('order after the resumption', () => (folder.rows('SELECT 1 FROM orders').length > orders ? true : undefined));

  // A signal halts as well, in the turn of the loop that hears of it.
  const again = publishedIn(files.ops)?.url ?? '';
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
    second.signal(signal);
    await second.until('halt by signal', () => acts().find(({ detail }) => detail.includes(signal)));
  }
  expect(await (await fetch(`${again}/api/state`)).json()).toMatchObject({ halted: true, trading: 'HALTED' });

  // An act that is asked for over HTTP says that it is journaled, and what lets orders go out what keeps them back.
  const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' };
  const post = async (act: string) =>
    (await fetch(`${again}/api/${act}`, { method: 'POST', headers, body: JSON.stringify({ strategy: 'flip' }) })).json();
  const answer = { strategy: 'flip', who: 'api', why: 'by the control API', journaled: true };
  expect(await post('pause')).toEqual({ act: 'pause', ...answer });
  expect(await post('resume')).toEqual({ act: 'resume', ...answer, still: ['halted'] });
  second.signal('SIGINT');
  const ended = await second.ended;
  expect(ended.code).toBe(0);
  expect(`${first.stdout}${first.stderr}${ended.stdout}${ended.stderr}`).not.toContain(token.trim());
});

test('order, close and flatten work on a running daemon, print what was executed, and leave nothing held', async () => {
  folder = new DaemonFolder('by-hand');
  folder.write('kairos.yaml', CONFIG);
  const cwd = folder.path;
  const kairos = (...words: string[]) => kairosHere(words, { cwd });
  expect(await kairos('order', 'btcusd', 'buy', '--size', '0.01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start it with'),
  });

  const daemon = startKairos(['run'], { cwd });
  await daemon.until('first order', () => folder.accepted());
  expect(await kairos('pause', 'flip')).toMatchObject({ code: 0 });

  // A machine that does not keep up refuses for a while what it would do else.
  const executed = async (...words: string[]) => {
    const come = async () => {
      const came = await kairos('order', ...words);
      return came.code === 3 ? undefined : came;
    };
    return await waitFor(come);
  };
  const bought = await executed('btcusd', 'buy', '--size', '0.0123', '--reason', 'a test');
  expect(bought).toMatchObject({ code: 0, stdout: expect.stringMatching(/^order \d+-1: buy 0.0123 at [\d.]+, fee [\d.]+ usd\ndone: /) });
  const json = await executed('ethusd', 'buy', '--value', '100', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    act: 'order',
    ended: true,
    executed: [{ state: 'accepted', side: 'buy', feeCcy: 'usd' }],
  });
  await expect
    .poll(() => kairos('order', 'btcusd', 'sell', '--size', '5'))
    .toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the position would be -4.9877, and the product may not go short (SHORT_NOT_ALLOWED)'),
    });
  expect(await kairos('order', 'btcusd', 'buy')).toMatchObject({ code: 2, stderr: expect.stringContaining('--size or --value') });

  expect(await kairos('close', 'manual', '--product', 'btcusd', '--pct', '50')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0.00615 is held'),
  });
  const nobody = expect.stringContaining('there is no strategy "nobody"; there are');
  expect(await kairos('close', 'nobody')).toEqual(expect.objectContaining({ stderr: nobody }));
  for (const words of [
    ['close', 'manual', '--end'],
    ['flatten', '--end'],
  ])
    expect(await kairos(...words)).toMatchObject({ code: 3, stderr: expect.stringContaining('nothing is being closed there') });
  expect(await kairos('close', 'manaul')).toMatchObject({ stderr: expect.stringContaining('the nearest is manual') });

  // The book holds some of it already, which stays.
  const rehearsal = await unhurriedHere(['rehearse', 'ethusd', '--yes', '--json'], { cwd });
  expect(JSON.parse(rehearsal.stdout)).toMatchObject({
    mode: 'paper',
    left: '0',
    legs: [{ side: 'buy', feeCcy: 'usd' }, { side: 'sell' }],
    // The account was not asked: nobody says that it is flat.
    flat: null,
    agree: null,
    evidence: expect.stringMatching(/whether the account is, nobody has seen: .*service\.capabilities/),
  });
  expect(await kairos('rehearse', 'ethusd', '--live', '--yes')).toMatchObject({ code: 3, stderr: expect.stringContaining('run --live') });

  expect(await kairos('halt')).toMatchObject({ code: 0 });
  expect(await kairos('close', 'manual')).toMatchObject({ code: 3, stderr: expect.stringContaining('trading is halted') });
  expect(await kairos('flatten')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await kairos('flatten', '--yes', '--reason', 'enough')).toMatchObject({ code: 0 });
  const held = folder.rows<{ book: string; product: string; held: number }>(
    `SELECT book, product, round(sum(amount), 9) AS held FROM ledger
     WHERE kind = 'fill' AND substr(product, 1, 3) = currency GROUP BY book, product ORDER BY book, product`,
  );
  expect(held.filter((row) => row.held !== 0)).toEqual([]);
  expect(held.map(({ book }) => book)).toContain('manual');
  const asked = folder.rows<Row>("SELECT kind, strategy, reason, detail FROM decisions WHERE kind = 'by_hand' ORDER BY seq");
  const acts = asked.map(({ detail }) => JSON.parse(detail).act).filter((act, index, all) => act !== all[index - 1]);
  expect(acts).toEqual(['order', 'close', 'flatten', 'order', 'close', 'flatten']);
  daemon.signal('SIGINT');
  expect((await daemon.ended).code).toBe(0);
  // What people asked for is in the recording, so that the run comes to the same when it is played again.
  expect(await kairos('parity', 'last')).toMatchObject({ code: 0, stdout: expect.stringContaining('replays to the same') });
});

test('the pause of a strategy that the settings have no more ends as it is advised', async () => {
  folder = new DaemonFolder('gone');
  const cwd = folder.path;
  const kairos = (...words: string[]) => kairosHere(words, { cwd });
  folder.write('kairos.yaml', CONFIG);
  const first = startKairos(['run'], { cwd });
  await first.until('first order', () => folder.accepted());
  expect(await kairos('pause', 'flip')).toMatchObject({ code: 0 });
  first.signal('SIGINT');
  await first.ended;
  folder.write('kairos.yaml', CONFIG.replace('id: flip', 'id: other'));
  const second = startKairos(['run'], { cwd });
  await second.until('its first order', () => folder.rows("SELECT 1 FROM orders WHERE strategy = 'other'")[0]);
  expect(await kairos('resume')).toMatchObject({ code: 0, stdout: expect.stringContaining('flip stays paused: `kairos resume flip`') });
  expect(await kairos('resume', 'flip')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ended: paused of flip, set by /) });
  expect((await kairos('status')).stdout).not.toContain('flip paused');
  expect(await kairos('resume', 'flip')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no strategy "flip"') });
});
