import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, type Started, startKairos } from '../support/process.ts';

const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

const folders: DaemonFolder[] = [];
afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(0)) folder.remove();
});

function folderOf(name: string): DaemonFolder {
  const folder = new DaemonFolder(name);
  folders.push(folder);
  return folder;
}

async function running(cwd: string, ...args: string[]): Promise<Started> {
  const daemon = startKairos(['run', ...args], { cwd });
  await daemon.until('banner', () => (daemon.stdout.includes(' look ') ? true : undefined));
  return daemon;
}

test('a HALT of the folder is a FIFO: it holds nobody up, halts each daemon, and stands for the other when one is resumed', {
  timeout: 180_000,
}, async () => {
  const { path: cwd } = folderOf('halt-of-all');
  const kairos = (...args: string[]) => runKairos(args, { cwd });
  const of = (name: string) => ['--config', folders[0]?.write(`${name}.yaml`, `journal: { path: var/${name}.db }\n${CONFIG}`) ?? ''];
  const [one, other] = [of('one'), of('other')];
  mkdirSync(path.join(cwd, 'var'));
  execFileSync('mkfifo', [path.join(cwd, 'var/HALT')]);

  const first = await running(cwd, ...one);
  expect(first.stdout).toMatch(/trading is HALTED/);
  expect(await kairos('resume', ...one)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ended: halted, set by file [\s\S]*var\/HALT stays and halts the other daemons/),
  });
  expect((await kairos('status', ...one)).stdout).toMatch(/^trading +ACTIVE/m);

  const second = await running(cwd, ...other);
  expect(second.stdout).toMatch(/trading is HALTED/);
  expect((await kairos('status', ...other)).stdout).toMatch(/^trading +HALTED/m);
  expect(await kairos('halt', ...one)).toMatchObject({ code: 0, stdout: expect.stringMatching(/the last gate was found shut/) });
});
