import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { rowsOf } from '../support/books.ts';
import type { DaemonFolder } from '../support/daemon-folder.ts';
import { eagerFolder, furtherOrders, ordersOf, startUnder } from '../support/eager-daemon.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, KAIROS, runKairos, Started, startKairos } from '../support/process.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs -o size=1m none '${import.meta.dirname}'`], { timeout: 20_000 }).status === 0;

/** The daemon, whose journal's log is synchronised by a disk that fails so. */
function onDiskThat(injected: string): Started {
  const log = `${folder.journal}-wal`;
  const rule = `inject=fsync,fdatasync:${injected}`;
  return startUnder(['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', '-P', log, '-e', 'trace=fsync,fdatasync', '-e', rule], {
    cwd: folder.path,
  });
}

const halts = () => folder.rows<{ reason: string }>("SELECT reason FROM decisions WHERE kind = 'halted'").map(({ reason }) => reason);

function expectWhole(): void {
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
  const judge = new JournalJudge(folder.journal);
  expect([...judge.look(), ...judge.wholeness()]).toEqual([]);
}

describe('a disk whose synchronisation fails', { tags: 'strace' }, () => {
  test.for([
    ['once', 'when=20', [['JOURNAL_FAULT']]],
    ['for ever', 'when=20+', [[], ['JOURNAL_FAULT']]],
  ] as const)(
    'F47 EIO %s: it halts and ends, what the disk has is whole, and the next start stays halted, its order unknown',
    async ([, when, journaled], { expect }) => {
      folder = eagerFolder('eio');
      const daemon = onDiskThat(`error=EIO:${when}`);
      const { code, stdout, stderr } = await daemon.ended;
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toContain('could not commit');
      // Where even the halt cannot be synchronised its row is there or not, and a file beside the journal has it.
      expect(journaled).toContainEqual(halts());
      expectWhole();
      const before = ordersOf(folder);
      const next = startKairos(['run'], { cwd: folder.path });
      await next.says(/PAPER/);
      expect((await kairosHere(['status'], { cwd: folder.path })).stdout).toMatch(/HALTED/);
      next.signal('SIGTERM');
      expect(await next.ended).toMatchObject({ code: 0 });
      const { sent = 0, intent = 0, ...settled } = before;
      expect(ordersOf(folder)).toEqual({ ...settled, ...(sent + intent > 0 && { unknown: sent + intent + (settled.unknown ?? 0) }) });
      expectWhole();
    },
  );

  test('F48 a disk that takes 2.5 s, five times: told of, orders wait, none reaches the service after its quote died, and it trades on', async () => {
    folder = eagerFolder('slow-disk');
    const daemon = onDiskThat('delay_exit=2500000:when=20+5');
    await daemon.says(/late at the 99th percentile; orders wait[\s\S]*orders go on/);
    await furtherOrders(daemon, folder, 2);
    process.kill(childOf(daemon.pid), 'SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect(folder.rows("SELECT 1 FROM decisions WHERE kind = 'refused' AND reason = 'LAG'").length).toBeGreaterThan(0);
    expect(rowsOf(folder.venue, 'SELECT * FROM refusals')).toEqual([]);
    expectWhole();
  });
});

/** The first process that another one started. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}

describe.skipIf(!canMount)('a disk that is full (needs Linux and the right to mount)', () => {
  test('F46 it halts with a row that says so, ends with 1, and the journal is whole; with room again it stays halted until a person resumes', async () => {
    folder = eagerFolder('full');
    // A disk of 24 MB of its own, gone with its shell: it is filled once the daemon trades, and what is left of it is copied out.
    const script = `mkdir -p var kept && mount -t tmpfs -o size=24m none var
(until [ -e fill ]; do sleep 0.1; done; cat /dev/zero > var/filler) 2>/dev/null &
'${process.execPath}' '${KAIROS}' run; code=$?
rm -f var/filler; cp -r var/. kept; exit $code`;
    const daemon = new Started('unshare', ['-rm', 'sh', '-c', script], { cwd: folder.path });
    await daemon.says(/accepted/);
    folder.write('fill', '');
    const { code, stdout } = await daemon.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/ENOSPC|disk is full/);
    rmSync(path.join(folder.path, 'var'), { recursive: true, force: true });
    cpSync(path.join(folder.path, 'kept'), path.join(folder.path, 'var'), { recursive: true });
    expect(halts()).toEqual(['JOURNAL_FAULT']);
    expectWhole();
    const next = startKairos(['run'], { cwd: folder.path });
    await next.says(/PAPER/);
    const before = Object.values(ordersOf(folder)).reduce((sum, count) => sum + count, 0);
    expect(await kairosHere(['resume'], { cwd: folder.path })).toMatchObject({ code: 0 });
    await next.until('further order', () =>
      Object.values(ordersOf(folder)).reduce((sum, count) => sum + count, 0) > before || (ordersOf(folder).unknown ?? 0) > 0
        ? true
        : undefined,
    );
  });
});

describe('files that were changed while nothing ran', () => {
  test('F50 F51 a removed log, an old copy put back and a flipped bit end the next start in one line; of a recording the check names the file', async () => {
    folder = eagerFolder('changed');
    // A checkpoint in the moment before the kill leaves nothing in the log that the mark knows of: then once more.
    for (let hasLog = false; !hasLog; hasLog = rowsWithoutLog() < readMark()) {
      // Afresh: the kill may leave an order of unknown outcome, and no other goes out beside it.
      rmSync(path.join(folder.path, 'var'), { recursive: true, force: true });
      const daemon = startKairos(['run'], { cwd: folder.path });
      await furtherOrders(daemon, folder, 2);
      rmSync(path.join(folder.path, 'old.db'), { force: true });
      expect(await kairosHere(['journal', 'backup', 'old.db'], { cwd: folder.path })).toMatchObject({ code: 0 });
      const known = readMark();
      await furtherOrders(daemon, folder, 4);
      // The mark follows the last row within a second.
      await daemon.until('time', () => (readMark() > known + 8 ? true : undefined));
      await daemon.kill();
    }
    const whole = path.join(folder.path, 'whole');
    cpSync(path.join(folder.path, 'var'), whole, { recursive: true });
    const restored = () => {
      rmSync(path.join(folder.path, 'var'), { recursive: true });
      cpSync(whole, path.join(folder.path, 'var'), { recursive: true });
    };
    const refusal = async () => {
      const { code, stderr } = await runKairos(['run'], { cwd: folder.path });
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      return `${code} ${stderr}`;
    };

    rmSync(`${folder.journal}-wal`);
    rmSync(`${folder.journal}-shm`, { force: true });
    expect(await refusal()).toMatch(/^4 kairos: journal .*(mark|missing|ends)/);

    restored();
    for (const end of ['', '-wal', '-shm']) rmSync(`${folder.journal}${end}`, { force: true });
    cpSync(path.join(folder.path, 'old.db'), folder.journal);
    expect(await refusal()).toMatch(/^4 kairos: journal .*(mark|missing|ends)/);

    restored();
    expect(await kairosHere(['journal', 'verify'], { cwd: folder.path })).toMatchObject({ code: 0 });
    flip(`${folder.journal}-wal`, 'HTTP_OK');
    expect(await kairosHere(['journal', 'verify'], { cwd: folder.path })).toMatchObject({ code: 4 });

    restored();
    const log = readdirSync(folder.recordings, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('inbox.ndjson')) ?? '';
    flip(path.join(folder.recordings, log), '"kind"');
    const { code, stdout, stderr } = await kairosHere(['data', 'verify'], { cwd: folder.path });
    expect(code).toBe(4);
    expect(`${stdout}${stderr}`).toContain('inbox.ndjson:');
  });
});

/** The last decision that the database has without its log. */
function rowsWithoutLog(): number {
  const alone = path.join(folder.path, 'alone.db');
  cpSync(folder.journal, alone);
  return rowsOf<{ seq: number }>(alone, 'SELECT max(seq) AS seq FROM decisions')[0]?.seq ?? 0;
}

/** The last row that the mark knows of: it follows within a second, and 0 before it is there. */
const readMark = (): number =>
  existsSync(`${folder.journal}.mark`) ? Number(/"seq":(\d+)/.exec(readFileSync(`${folder.journal}.mark`, 'utf8'))?.[1] ?? 0) : 0;

/** Flips a bit of the first place in a file where a text stands: of a log everything behind it is lost by it. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}
