import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { isDiskFull } from '#adapters/journal/disk-reserve.ts';
import { KairosError } from '#domain/errors.ts';
import { begun, folder } from './rows.ts';

/** Runs a command with a disk of 12 MB of its own at `dir`, gone with the process; needs Linux and the right to mount. */
function onSmallDisk(dir: string, command: string) {
  const script = `mount -t tmpfs -o size=12m none '${dir}' && ${command}`;
  return spawnSync('unshare', ['-rm', 'sh', '-c', script], { encoding: 'utf8', timeout: 60_000 });
}

// The mount hides the folder in a name space of its own, and nowhere else.
const canMount = process.platform === 'linux' && onSmallDisk(import.meta.dirname, 'true').status === 0;

describe('F46 F52 the disk is full', () => {
  test.skipIf(!canMount)('the halt is still written, reads go on, the older backup stands (needs Linux and the right to mount)', () => {
    const dir = folder();
    const { stdout, stderr } = onSmallDisk(dir, `'${process.execPath}' '${join(import.meta.dirname, 'child-full-disk.ts')}' '${dir}'`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      backup: 'BACKUP_FAILED',
      oldBackup: true,
      fault: expect.stringMatching(/^(JOURNAL|RECORDING)_FAULT$/),
      last: ['halted JOURNAL_FAULT'],
      verdict: true,
      next: expect.stringMatching(/^(laid|JOURNAL_UNUSABLE)$/),
    });
  });

  test('the ballast lies beside the journal from the start, and only a full disk frees it', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.reserveDiskSpace();
    expect(statSync(`${path}.ballast`).size).toBe(4 * 1024 * 1024);
    journal.makeRoom(new Error('something else'));
    expect(existsSync(`${path}.ballast`)).toBe(true);
    journal.makeRoom(
      new KairosError('JOURNAL_FAULT', 'full', { cause: new Database.SqliteError('database or disk is full', 'SQLITE_FULL') }),
    );
    expect(readdirSync(join(path, '..')).filter((name) => name.endsWith('.ballast'))).toEqual([]);
  });

  test.each([
    ['a write of the recording', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), true],
    ['a commit', new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'), true],
    ['a busy journal', new Database.SqliteError('database is locked', 'SQLITE_BUSY'), false],
    ['nothing', undefined, false],
  ])('%s says whether it is', (_, cause, full) => {
    expect(isDiskFull(new KairosError('RECORDING_FAULT', 'could not be written', { cause }))).toBe(full);
  });
});
