import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { commitFault, isBusyFault, isOutOfDescriptors, openFault } from '#adapters/journal/fault.ts';
import { HighWater, readMark } from '#adapters/journal/high-water.ts';
import { KairosError } from '#domain/errors.ts';
import { folder } from './rows.ts';

const sqlite = (code: string, message = 'it says no') => new Database.SqliteError(message, code);

describe('one line says what a failure of the journal means, and what to do', () => {
  test.each([
    [sqlite('SQLITE_BUSY'), 'JOURNAL_BUSY', /another program held journal j\.db.*close what writes to it/],
    [sqlite('SQLITE_BUSY_SNAPSHOT'), 'JOURNAL_BUSY', /another program held journal j\.db/],
    [new Error('orders.quote_id: order 1-1 has it already'), 'JOURNAL_FAULT', /earlier order names this quote/],
    [
      sqlite('SQLITE_CONSTRAINT_PRIMARYKEY', 'UNIQUE constraint failed: orders.order_id'),
      'JOURNAL_FAULT',
      /earlier order has this order id/,
    ],
    [sqlite('SQLITE_IOERR_WRITE', 'disk I/O error'), 'JOURNAL_FAULT', /could not commit \(disk I\/O error\): check the disk/],
  ])('a commit: %s', (error, code, message) => {
    expect(commitFault(error, 'j.db')).toMatchObject({ code, message: expect.stringMatching(message), cause: error });
  });

  test.each([
    [sqlite('SQLITE_NOTADB'), 'JOURNAL_UNUSABLE', /^journal j\.db is not an SQLite file: check it/],
    [sqlite('SQLITE_CANTOPEN', 'unable to open'), 'JOURNAL_UNUSABLE', /^journal j\.db cannot be opened \(unable to open\): check it/],
    [
      Object.assign(new Error('no such disk'), { code: 'SQLITE_NOTADB' }),
      'JOURNAL_UNUSABLE',
      /^journal j\.db cannot be opened \(no such disk\)/,
    ],
    // What passes by itself ends with 1: a process manager tries again.
    [sqlite('SQLITE_BUSY'), 'JOURNAL_BUSY', /^journal j\.db is held by another program: close it and try again$/],
    [sqlite('SQLITE_FULL'), 'JOURNAL_FAULT', /^journal j\.db cannot be opened \(it says no\): check the disk, then start again$/],
    [
      Object.assign(new Error('no space'), { code: 'ENOSPC' }),
      'JOURNAL_FAULT',
      /^journal j\.db cannot be opened \(no space\): check the disk/,
    ],
  ])('an opening: %s', (error, code, message) => {
    expect(openFault(error, 'j.db')).toMatchObject({ code, message: expect.stringMatching(message), cause: error });
  });

  test('what is said already is not said again', () => {
    const said = new KairosError('BOOK_MISMATCH', 'another book');
    expect([commitFault(said, 'j.db'), openFault(said, 'j.db')]).toEqual([said, said]);
  });

  test('only a busy journal may be tried again', () => {
    const errors = [commitFault(sqlite('SQLITE_BUSY'), 'j'), commitFault(sqlite('SQLITE_FULL'), 'j'), { code: 'JOURNAL_BUSY' }, undefined];
    expect(errors.map(isBusyFault)).toEqual([true, false, false, false]);
  });

  test('F63 too many open files are told from other failures', () => {
    const failed = (code: unknown) => Object.assign(new Error('it says no'), { code });
    const errors = [failed('EMFILE'), failed('ENFILE'), failed('ENOENT'), new Error('EMFILE'), { code: 'EMFILE' }, undefined];
    expect(errors.map(isOutOfDescriptors)).toEqual([true, true, false, false, false, false]);
  });
});

describe('F50 the high-water mark', () => {
  test('is written where it has moved, and only there: each time costs a wait for the disk', () => {
    const file = join(folder(), 'kairos.db.mark');
    const writes = (seq: number, hash: string, mark = new HighWater(file)): boolean => {
      const before = statSync(file, { throwIfNoEntry: false })?.ino;
      mark.note({ seq, hash });
      expect(readMark(file)).toEqual({ seq, hash });
      return statSync(file).ino !== before;
    };
    expect([writes(1, 'a'), writes(1, 'a'), writes(1, 'b'), writes(2, 'b')]).toEqual([true, false, true, true]);
    const mark = new HighWater(file);
    expect([writes(3, 'c', mark), writes(3, 'c', mark)]).toEqual([true, false]);
  });

  test.each(['null', '5', '"mark"', '[]', '{"seq":1}', '{"hash":"x"}', '{"seq":"1","hash":"x"}', '{"seq":1,"hash":2}', '{"seq":'])(
    'that says %s is refused, since rows may be missing',
    (text) => {
      const file = join(folder(), 'kairos.db.mark');
      writeFileSync(file, text);
      const why = text === '{"seq":' ? 'Unexpected end of JSON input' : 'it has no seq and hash';
      const message = `the journal's high-water mark ${file} cannot be read (${why}): remove it, then run kairos journal verify`;
      expect(() => readMark(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_BROKEN', message }));
    },
  );
});
