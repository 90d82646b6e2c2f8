import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { isDiskFull, reserveDiskSpace } from '#adapters/journal/disk-reserve.ts';
import { KairosError } from '#domain/errors.ts';
import { begun, folder, openFilesIn } from './rows.ts';

const MB_4 = 4 * 1024 * 1024;
const full = new Database.SqliteError('database or disk is full', 'SQLITE_FULL');

describe('F46 room for the halt itself, on the day on which the disk is full', () => {
  test('the ballast lies beside the journal from the start, and only a full disk frees it', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.reserveDiskSpace();
    expect(statSync(`${path}.ballast`).size).toBe(MB_4);
    journal.makeRoom(new Error('something else'));
    expect(existsSync(`${path}.ballast`)).toBe(true);
    journal.makeRoom(new KairosError('JOURNAL_FAULT', 'full', { cause: full }));
    // Nothing is left to give up, which is no failure.
    journal.makeRoom(full);
    expect(readdirSync(join(path, '..')).filter((name) => name.endsWith('.ballast'))).toEqual([]);
  });

  test("takes as much of the disk as it says, of nobody else's sight, and is laid once", () => {
    const file = join(folder(), 'kairos.db.ballast');
    writeFileSync(file, 'cut off');
    reserveDiskSpace(file, 'kairos.db');
    const { size, blocks, mtimeMs } = statSync(file);
    expect([size, blocks * 512 >= MB_4, openFilesIn(dirname(file))]).toEqual([MB_4, true, []]);
    reserveDiskSpace(file, 'kairos.db');
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test('is missed before a start, not on that day', () => {
    const file = join(folder(), 'gone', 'kairos.db.ballast');
    expect(() => reserveDiskSpace(file, 'kairos.db')).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_FAULT',
        message: expect.stringMatching(/^journal kairos\.db: its disk has no 4 MB left \(ENOENT.*make room/),
      }),
    );
  });

  test('is not needed by a journal in memory', () => {
    const journal = begun(':memory:');
    journal.reserveDiskSpace();
    expect(() => journal.makeRoom(full)).not.toThrow();
    expect(existsSync('.ballast')).toBe(false);
  });

  test.each([
    ['a write of the recording', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), true],
    ['a commit that finds no room', full, true],
    ['a commit', new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'), true],
    ['an error of another program', Object.assign(new Error('ENOENT'), { code: 'ENOENT' }), false],
    ['a busy journal', new Database.SqliteError('database is locked', 'SQLITE_BUSY'), false],
    ['nothing', undefined, false],
  ])('%s says whether it is', (_, cause, full) => {
    expect(isDiskFull(new KairosError('RECORDING_FAULT', 'could not be written', { cause }))).toBe(full);
  });
});
