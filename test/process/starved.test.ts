import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../support/books.ts';
import type { DaemonFolder } from '../support/daemon-folder.ts';
import { eagerFolder, furtherOrders } from '../support/eager-daemon.ts';
import { freePort } from '../support/free-port.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';

let folder: DaemonFolder;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await endAll();
  folder.remove();
});

const reasons = (kind: string): readonly string[] =>
  folder.rows<{ reason: string }>(`SELECT reason FROM decisions WHERE kind = '${kind}'`).map(({ reason }) => reason);

function expectSound(): void {
  const judge = new JournalJudge(folder.journal);
  expect([...judge.look(), ...judge.wholeness()]).toEqual([]);
}

describe.skipIf(process.platform === 'win32')('a daemon that gets no processor', () => {
  test('F57 F64 stopped for four seconds, then given a tenth of its time: orders wait, none reaches the service after its quote died, and it trades on', async () => {
    folder = eagerFolder('starved');
    const port = await freePort();
    const venue = startKairos(['venue', '--port', String(port), '--set', 'venue.quotesPerSecond=10'], { cwd: folder.path });
    await venue.says(/stop/);
    const daemon = startKairos(['run', '--set', `service.baseUrl=http://127.0.0.1:${port}`], { cwd: folder.path });
    await furtherOrders(daemon, folder, 3);

    daemon.signal('SIGSTOP');
    await pause(4_000);
    daemon.signal('SIGCONT');
    await furtherOrders(daemon, folder, 3);

    for (let turn = 0; turn < 10; turn += 1) {
      daemon.signal('SIGSTOP');
      await pause(450);
      daemon.signal('SIGCONT');
      await pause(50);
    }
    await furtherOrders(daemon, folder, 3);
    daemon.signal('SIGTERM');
    const { code, stdout } = await daemon.ended;
    expect(code).toBe(0);

    expect(reasons('lag')).toContain('LAG');
    expect(reasons('refused')).toContain('LAG');
    expect(stdout).toMatch(/orders wait[\s\S]*orders go on/);
    // The service saw no order on a quote that it no longer kept.
    expect(rowsOf(folder.venue, 'SELECT * FROM refusals')).toEqual([]);
    expectSound();
  });
});

const limits = (pid: number, descriptors: number): boolean =>
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:4096`]).status === 0;

describe('a daemon out of file descriptors', { tags: 'util-linux' }, () => {
  test('F63 connections take the last descriptor: it does not spin, a halt gets through, and with descriptors again a person resumes it', async () => {
    folder = eagerFolder('descriptors');
    const daemon = startKairos(['run'], { cwd: folder.path });
    await furtherOrders(daemon, folder, 3);
    const [, page] = await daemon.says(/page +http:\/\/127\.0\.0\.1:(\d+)/);
    const open = () => readdirSync(`/proc/${daemon.pid}/fd`).length;
    const most = open() + 4;
    expect(limits(daemon.pid, most)).toBe(true);
    for (let n = 0; n < 60; n += 1) sockets.push(connect(Number(page), '127.0.0.1').on('error', () => {}));
    await daemon.until('last descriptor', () => (open() >= most - 1 ? true : undefined));
    // None is left for certain: who wants the halt cannot be read, and it is taken all the same.
    expect(limits(daemon.pid, 8)).toBe(true);

    expect(await runKairos(['halt'], { cwd: folder.path })).toMatchObject({ code: 0 });
    await daemon.until('halt in the journal', () => (reasons('halted').length > 0 || !daemon.isRunning ? true : undefined));
    expect(reasons('halted')).toHaveLength(1);

    for (const socket of sockets.splice(0)) socket.destroy();
    expect(limits(daemon.pid, 4096)).toBe(true);
    expect(await runKairos(['resume'], { cwd: folder.path })).toMatchObject({ code: 0 });
    await furtherOrders(daemon, folder, 2);
    daemon.signal('SIGTERM');
    const { code, stdout, stderr } = await daemon.ended;
    expect(code).toBe(0);
    // A loop over what cannot be accepted would tell of it without end.
    expect(stdout.length + stderr.length).toBeLessThan(200_000);
    expectSound();
  });
});
