import { existsSync, mkdirSync, readdirSync, readFileSync, type Stats, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createForOwner,
  isMissing,
  isOwn,
  journalFiles,
  leasedBy,
  readSmall,
  removeJournal,
  replaceFile,
} from '#adapters/journal/files.ts';
import { journalName } from '#adapters/journal/journal-name.ts';
import { KairosError } from '#domain/errors.ts';
import { openFiles } from './open-files.ts';
import { folder } from './rows.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('the path of a journal', () => {
  const refusal = (path: string): string => {
    try {
      journalFiles(path);
    } catch (error) {
      if (error instanceof KairosError) return `${error.code} ${error.message.replaceAll(path, 'X')}`;
      throw error;
    }
    return 'none';
  };

  test('may be of a file or of none yet, and is no folder and no circle of links', () => {
    const dir = folder();
    const circle = join(dir, 'circle.db');
    symlinkSync(circle, circle);
    writeFileSync(join(dir, 'kairos.db'), '');
    expect([join(dir, 'kairos.db'), join(dir, 'none.db'), dir, circle].map(refusal)).toEqual([
      'none',
      'none',
      'JOURNAL_UNUSABLE journal X is a directory: set journal.path to a file',
      expect.stringMatching(/^JOURNAL_UNUSABLE journal X cannot be reached \(ELOOP.*\): check journal\.path$/),
    ]);
  });

  test('by a link names the files beside the journal itself', () => {
    const dir = folder();
    writeFileSync(join(dir, 'kairos.db'), '');
    symlinkSync(join(dir, 'kairos.db'), join(dir, 'link.db'));
    expect(journalFiles(join(dir, 'link.db'))).toMatchObject({ named: join(dir, 'link.db'), lease: join(dir, 'kairos.db.lease') });
    symlinkSync(dir, join(dir, 'folder'));
    expect(journalFiles(join(dir, 'folder', 'new.db')).database).toBe(join(dir, 'new.db'));
    expect(journalFiles(join(dir, 'none', 'new.db')).database).toBe(join(dir, 'none', 'new.db'));
  });

  test('F49 by a link to where it is not yet names the same files before it is made as after', () => {
    const dir = folder();
    mkdirSync(join(dir, 'var'));
    symlinkSync('../disk/real.db', join(dir, 'var', 'kairos.db'));
    symlinkSync('kairos.db', join(dir, 'var', 'other.db'));
    const named = () => ['kairos.db', 'other.db'].map((name) => journalFiles(join(dir, 'var', name)).lease);
    const lease = join(dir, 'disk', 'real.db.lease');
    expect(named()).toEqual([lease, lease]);
    createForOwner(join(dir, 'disk', 'real.db'));
    expect(named()).toEqual([lease, lease]);
  });
});

test('a file that is made is for its owner alone, and one that is there stays as it is', () => {
  const file = join(folder(), 'deep', 'var', 'kairos.db');
  createForOwner(file);
  expect([modeOf(file), modeOf(join(file, '..')), readFileSync(file, 'utf8')]).toEqual(['600', '700', '']);
  writeFileSync(file, 'rows');
  createForOwner(file);
  expect(readFileSync(file, 'utf8')).toBe('rows');
  expect(openFiles()).not.toContain(file);
});

test('a small file is replaced whole, with nothing left beside it or open', () => {
  const file = join(folder(), 'kairos.db.mark');
  replaceFile(file, 'one');
  replaceFile(file, 'two');
  expect([readFileSync(file, 'utf8'), modeOf(file), existsSync(`${file}.new`)]).toEqual(['two', '600', false]);
  expect(openFiles()).not.toContain(file);
  // Where it cannot be written, the one before stands.
  mkdirSync(`${file}.new`);
  expect(() => replaceFile(file, 'three')).toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe('two');
});

test('a small file is read as far as it is one, and where it is of another kind, or not as it should be, that is told', () => {
  const dir = folder();
  const file = join(dir, 'kairos.db.ops');
  writeFileSync(file, 'a note');
  expect([readSmall(file), readSmall(file, ({ size }) => size === 6)]).toEqual(['a note', 'a note']);
  expect(() => readSmall(file, () => false)).toThrow(`${file} is no file of Kairos's own: remove it`);
  expect(() => readSmall(dir)).toThrow(`${dir} is no file of Kairos's own: remove it`);
  expect(openFiles()).not.toContain(file);
});

test.skipIf(process.platform === 'win32').each([
  [7, 7, 0o600, true],
  [7, 7, 0o640, false],
  [7, 7, 0o602, false],
  [7, 8, 0o600, false],
  [0, 8, 0o600, true],
  [0, 8, 0o640, false],
  // A system without users.
  [undefined, 8, 0o777, true],
])('to user %j a file of user %i with the rights %o is his own: %s', (user, uid, mode, isHis) => {
  const asked = vi.spyOn(process, 'getuid').mockReturnValue(user as number);
  onTestFinished(() => asked.mockRestore());
  expect(isOwn({ uid, mode } as Stats)).toBe(isHis);
});

test.each([
  ['/srv/bot/var/kairos.db', 'bot'],
  ['/srv/bot/var/alpha.db', 'alpha'],
  ['/srv/bot/data/kairos.db', 'kairos'],
  ['/srv/bot/my.db.copy', 'my.db.copy'],
])('the daemon of %s is called %s', (path, name) => {
  expect([journalName(path), leasedBy(`${path}.lease`), leasedBy(path)]).toEqual([name, path, undefined]);
});

test('a file is missing by the error of looking for it, and by no other', () => {
  const errorOf = (look: () => unknown): unknown => {
    try {
      return look();
    } catch (error) {
      return error;
    }
  };
  const dir = folder();
  expect([join(dir, 'none'), dir].map((path) => isMissing(errorOf(() => readFileSync(path))))).toEqual([true, false]);
  expect([undefined, null, 'ENOENT', new Error('ENOENT')].map(isMissing)).toEqual([false, false, false, false]);
});

test('a journal that goes takes its log and its mark along, and nothing else', () => {
  const path = join(folder(), 'kairos.db');
  for (const end of ['', '-wal', '-shm', '.mark', '.ballast']) writeFileSync(`${path}${end}`, '');
  removeJournal(journalFiles(path));
  removeJournal(journalFiles(path));
  expect(readdirSync(join(path, '..'))).toEqual(['kairos.db.ballast']);
});
