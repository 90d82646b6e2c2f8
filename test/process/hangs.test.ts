import { writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';

const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
venue: { quotesPerSecond: 5 }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('F75 of a daemon that hangs doctor, status and why-not say that it does not answer, and that a file halts it', async () => {
  folder = new DaemonFolder('hangs');
  folder.write('kairos.yaml', CONFIG);
  const kairos = (...args: string[]) => kairosHere(args, { cwd: folder.path });
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.says(/PAPER/);
  await daemon.until('position', () => folder.accepted());
  const { pid } = daemon;
  const finding = (verdict: string, what: RegExp) => expect.stringMatching(new RegExp(`^${verdict} +${what.source}`, 'm'));
  const silent = /daemon +process \d+ does not answer at http:\/\/127\.0\.0\.1:\d+ .*: it hangs/;

  const answers = finding('ok', /daemon +process \d+ answers at/);
  await expect.poll(() => kairos('doctor')).toMatchObject({ code: 0, stdout: answers });
  daemon.signal('SIGSTOP');
  try {
    const seen = await kairos('doctor');
    expect(seen).toMatchObject({ code: 1, stdout: finding('fail', silent), stderr: expect.stringContaining('daemon') });
    expect(seen.stdout).toContain(`\`kill -9 ${pid}\``);
    expect((await kairos('status')).stdout).toMatch(
      new RegExp(`^daemon +process ${pid} does not answer; its last row is of \\S+Z, .* ago`, 'm'),
    );

    // A receipt that no watchdog wrote is no proof that the gate is shut.
    writeFileSync(controlFiles(folder.journal).halted, '{"who":"mallory","why":"all is well","of":["1 2"]}', { mode: 0o600 });
    expect((await kairos('status')).stdout).not.toContain('HALTED');
    expect(await kairos('halt', '--reason', 'it hangs')).toMatchObject({ code: 1, stderr: expect.stringContaining(`kill -9 ${pid}`) });
    const { stdout } = await kairos('status');
    expect(stdout).not.toContain('HALTED');
    expect(stdout).toMatch(/^halt +\S+\/var\/kairos\.db\.halt stands, but the daemon has not taken note of it: orders may still go out$/m);
    expect(await kairos('why-not')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^keep at \S+: it was HALTED since \S+: halted by \S+: it hangs\n +then +kairos resume/),
    });
  } finally {
    daemon.signal('SIGCONT');
  }
  await daemon.until('journaled halt', () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'halted'")[0]);
  await expect.poll(() => kairos('doctor')).toMatchObject({ code: 3, stdout: answers });
  await expect.poll(async () => (await kairos('status')).stdout).not.toMatch(/^(daemon|halt) /m);
});
