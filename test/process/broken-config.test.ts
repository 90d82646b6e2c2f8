import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, type Started, startKairos } from '../support/process.ts';

const CONFIG = `journal: { path: own/mine.db }
strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

let folder: DaemonFolder;
let daemon: Started;

afterEach(async () => {
  await endAll();
  folder.remove();
});

async function start(): Promise<void> {
  folder = new DaemonFolder('broken-config');
  folder.write('kairos.yaml', CONFIG);
  daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.says(/PAPER/);
}

const kairos = (...args: string[]) => kairosHere(args, { cwd: folder.path });

const BREAKS: readonly [how: string, breakIt: (file: string) => void, fault: RegExp][] = [
  ['half of it is saved', (file) => appendFileSync(file, '  - { id: h, use'), /kairos\.yaml:4: is not valid YAML/],
  [
    'it has an unknown key',
    (file) => appendFileSync(file, 'risk: { maxOrderValu: 5 }\n'),
    /kairos\.yaml:4: risk\.maxOrderValu: unknown setting/,
  ],
  ['it is cut inside a letter', (file) => appendFileSync(file, Buffer.from('# \u00e9').subarray(0, 3)), /kairos\.yaml: is not UTF-8 text/],
  ['it is empty, and names no journal', (file) => writeFileSync(file, ''), /kairos\.yaml: is empty/],
];

test('a person halts the running daemon whatever is wrong with kairos.yaml, and is told both', async () => {
  await start();
  for (const [how, breakIt, fault] of BREAKS) {
    breakIt(folder.write('kairos.yaml', CONFIG));
    const { code, stdout, stderr } = await kairos('halt', '--reason', how);
    expect({ how, code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^halted: .*\nthe last gate was found shut/),
      stderr: expect.stringMatching(
        /^kairos: the configuration is broken \(.*\); process \d+ is halted, which runs on .*mine\.db all the same\n$/,
      ),
    });
    expect(stderr).toMatch(fault);
    expect(existsSync(path.join(folder.path, 'own/mine.db.halt'))).toBe(true);
    await daemon.says(new RegExp(how));
    folder.write('kairos.yaml', CONFIG);
    expect(await kairos('resume')).toMatchObject({ code: 0 });
  }
});

test('with a broken kairos.yaml a person sees, pauses, closes and resumes at the running daemon; without one the fault is told', async () => {
  await start();
  folder.write('kairos.yaml', `${CONFIG.replace('id: keep', 'id: other')}  - { id: h, use`);
  const status = await kairos('status');
  expect(status).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/is not valid YAML.*this goes by the daemon that runs on .*own\/mine\.db/),
  });
  expect(status.stdout).toMatch(/^keep +btcusd/m);
  expect(await kairos('pause', 'keep')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^paused: keep/) });
  expect(await kairos('close', 'keep')).toMatchObject({ code: 0 });
  expect(await kairos('flatten')).toMatchObject({ code: 0, stderr: expect.stringMatching(/^kairos: .*is not valid YAML.*\n$/) });
  expect(await kairos('resume')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ended: reducing.*\nkeep stays paused: `kairos resume keep`/s),
  });
  expect(await kairos('resume', 'keep')).toMatchObject({ code: 0, stdout: expect.stringMatching(/ended: paused of keep/) });
  expect(await kairos('why-not')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^keep at/) });
  const looks = ['orders', 'trades', 'positions', 'profit', 'why last', 'journal tail', 'journal runs'];
  for (const look of looks) expect(await kairos(...look.split(' ')), look).toMatchObject({ code: 0 });
  daemon.signal('SIGTERM');
  await daemon.ended;
  for (const act of ['status', 'pause', 'flatten'])
    expect(await kairos(act)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^kairos: kairos\.yaml:\d+: is not valid YAML/),
    });
});

test('where no daemon is found, that is said first, and the next start is halted', async () => {
  await start();
  daemon.signal('SIGTERM');
  await daemon.ended;
  folder.write('kairos.yaml', `${CONFIG}risk: { maxOrderValu: 5 }\n`);
  const { code, stdout, stderr } = await kairos('halt');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^kairos: no daemon was reached: none runs on \S+own\/mine\.db, and only its next start is halted; .*maxOrderValu/,
  );
  expect(existsSync(path.join(folder.path, 'own/mine.db.halt'))).toBe(true);
});

test('a file that is not there, or a faulty variable, keeps no halt either; which daemon was meant is not taken for known', async () => {
  await start();
  const missing = await kairos('halt', '--config', 'prod.yaml');
  expect(missing).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^kairos: process \d+ is halted, which runs on .*mine\.db; prod\.yaml: there is no such file/),
  });
  await kairos('resume');
  rmSync(path.join(folder.path, 'kairos.yaml'));
  folder.write('other.yaml', `${CONFIG}  - {`);
  const env = { KAIROS_OPS_PORT: 'none at all', KAIROS_JOURNAL_PATH: 'own/mine.db' };
  expect(await kairosHere(['halt', '--config', 'other.yaml'], { cwd: folder.path, env })).toMatchObject({ code: 0 });
});
