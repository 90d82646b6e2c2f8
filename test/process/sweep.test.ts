import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { TrialResult } from '#research/replay/trial.ts';
import type { Sweep } from '#research/sweep/sweep.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

const CONFIG = `strategies:
  - { id: cross, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 40 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off }
`;
const SWEEP = ['sweep', '--vary', 'cross.fast=2..13', '--jobs', '2'];

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

/** Finished trials as the log has them, whole lines alone. */
function finished(): readonly TrialResult[] {
  const dir = path.join(folder.path, 'var/sweeps');
  if (!existsSync(dir)) return [];
  const lines = readdirSync(dir).flatMap((file) => readFileSync(path.join(dir, file), 'utf8').split('\n').slice(0, -1));
  return lines.flatMap((line): TrialResult[] =>
    line.startsWith('{"kind":"trial"') && line.endsWith('}}') ? [JSON.parse(line).trial] : [],
  );
}

test('a sweep that is killed, and one that is interrupted, lose no finished trial and play none twice', async () => {
  folder = new DaemonFolder('sweep');
  folder.write('kairos.yaml', CONFIG);
  syntheticRecording({ dir: folder.recordings, lanes: ['btcusd 0.01'], seconds: 3600 });
  const cwd = folder.path;

  const killed = startKairos(SWEEP, { cwd });
  await killed.until('two trials', () => (finished().length >= 2 ? true : undefined));
  await killed.kill();
  const first = finished();

  const interrupted = startKairos([...SWEEP, '--jobs', '1'], { cwd });
  await interrupted.until('another trial', () => (finished().length > first.length ? true : undefined));
  interrupted.signal('SIGINT');
  const { code, stdout, stderr } = await interrupted.ended;
  const second = finished();
  expect(second.slice(0, first.length)).toEqual(first);
  // It may have been at its end already.
  expect([0, 130]).toContain(code);
  if (code === 130) expect(stderr).toContain(`interrupted: ${second.length} of 12 trials are kept in `);
  expect(stdout).toMatch(/^\d+ of 12 trials on 7200 quotes/m);

  const rest = await runKairos([...SWEEP, '--json'], { cwd });
  const sweep: Sweep = JSON.parse(rest.stdout);
  expect(sweep.played).toEqual({ wanted: 12, known: second.length, finished: 12, refused: 0, pruned: 0 });
  expect(finished().slice(0, second.length)).toEqual(second);
  expect(new Set(finished().map(({ id }) => id)).size).toBe(12);
  expect(finished()).toHaveLength(12);
});

/** Holds at every quote; its parameter says how it slips at the third. */
const SLIP = `import { map } from 'rxjs';
import { hold, param, strategy } from 'kairos/strategy';
import world from 'world';
let quotes = 0;
export default strategy({
  name: 'slip',
  params: { how: param.int(0, { min: 0, max: 3 }) },
  signals: ({ quotes$ }, { how }) => quotes$.pipe(map(() => how)),
  decide: (how) => {
    quotes += 1;
    if (quotes === 3 && how === 1) void world.Promise.reject(new Error('left alone'));
    if (quotes === 3 && how === 2) world.setTimeout(() => { throw new Error('late'); }, 30);
    if (quotes === 3 && how === 3) void world.Promise.reject('a text');
    return hold('waits');
  },
});
`;

test('what a strategy leaves uncaught, in a promise or a timer, fails its trial; the others are played', async () => {
  folder = new DaemonFolder('sweep-uncaught');
  folder.giveWorld();
  folder.write('kairos.yaml', 'strategies: [{ id: slip, use: ./slip.ts, product: btcusd, amount: { base: 0.01 } }]\n');
  folder.write('slip.ts', SLIP);
  syntheticRecording({ dir: folder.recordings, lanes: ['btcusd 0.01'], seconds: 60 });
  const { code, stderr } = await runKairos(['sweep', '--vary', 'slip.how=0..3', '--jobs', '1', '--json'], {
    cwd: folder.path,
  });
  expect([code, stderr]).toEqual([5, expect.stringMatching(/^sweep: 4 trials\n(sweep: .*\n)*$/)]);
  const failed = finished().map(({ params, failed: why }) => `${JSON.stringify(params).replace(/\D/g, '')}: ${why}`);
  expect(failed.sort()).toEqual([
    '0: null',
    expect.stringMatching(/^1: slip\.ts:\d+:\d+: left alone \(caught nowhere/),
    expect.stringMatching(/^2: slip\.ts:\d+:\d+: late \(caught nowhere/),
    expect.stringMatching(/^3: a text \(caught nowhere/),
  ]);
});

test('a walk-forward says in how many trials a strategy left something uncaught, and where, and ends with 5', async () => {
  folder = new DaemonFolder('walk-uncaught');
  folder.giveWorld();
  folder.write('kairos.yaml', 'strategies: [{ id: slip, use: ./slip.ts, product: btcusd, amount: { base: 0.01 } }]\n');
  folder.write('slip.ts', SLIP);
  syntheticRecording({ dir: folder.recordings, lanes: ['btcusd 0.01'], seconds: 60 });
  const words = ['walk-forward', '--train', '20s', '--test', '10s', '--vary', 'slip.how=0..1', '--jobs', '1'];
  const { code, stdout, stderr } = await runKairos(words, { cwd: folder.path });
  const trials = finished();
  expect([code, trials.length % 2, trials.filter(({ failed }) => failed !== null).length]).toEqual([5, 0, trials.length / 2]);
  const said = new RegExp(`^${trials.length / 2} of ${trials.length} trials: slip\\.ts:\\d+:\\d+: left alone \\(caught nowhere`, 'm');
  expect(stdout).toMatch(said);
  expect(stderr).toMatch(/^kairos: .* failed: the result's first lines say where and why/m);
});

test('sweep and walk-forward take a latency; a walk-forward of losers says that nothing was traded, and lists and promises nothing', async () => {
  folder = new DaemonFolder('trial-latency');
  folder.write('kairos.yaml', CONFIG);
  syntheticRecording({ dir: folder.recordings, lanes: ['btcusd 0.01'], seconds: 600 });
  const trials = ['--vary', 'cross.fast=2,3', '--jobs', '1', '--latency', '250'];
  const swept = await runKairos(['sweep', ...trials], { cwd: folder.path });
  expect(swept.stdout).toMatch(/^note: latency: .*250 ms/m);
  const { code, stdout } = await runKairos(['walk-forward', '--train', '4m', '--test', '2m', ...trials], {
    cwd: folder.path,
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^note: latency: .*250 ms/m);
  expect(stdout).toMatch(/^4 of 4 trials \(4 of trainings, 0 of tests\); parameters chosen by /m);
  expect(stdout).toMatch(/^nothing was traded out of sample, and nothing can be judged$/m);
  expect(stdout).not.toMatch(/promised|cross\.fast/);
  expect(await runKairos(['sweep', '--latency', 'soon'], { cwd: folder.path })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('milliseconds such as 50'),
  });
});
