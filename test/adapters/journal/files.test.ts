import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createForOwner, isMissing, journalFiles, removeJournal, replaceFile } from '#adapters/journal/files.ts';
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
