import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { assertSqliteVersion, migrate, openForReading, openForWriting } from '#adapters/journal/database.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { NO_STATE, stateAfter } from '#adapters/journal/journal-state.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { recover } from '#adapters/journal/recovery.ts';
import { BESIDE_ORDERS, MIGRATIONS, SCHEMA_VERSION } from '#adapters/journal/schema.ts';
import { KairosError } from '#domain/errors.ts';
import { begun, folder, openJournal, START } from './rows.ts';

function refusal(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof KairosError) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: '' };
}

describe('a path that is no journal is refused in one line that names it, and nothing is changed there', () => {
  const cases: Record<string, (path: string) => void> = {
    'a directory': (path) => mkdirSync(path),
    'a text file': (path) => writeFileSync(path, 'not a database, but long enough to be looked at as one.'.repeat(100)),
    'a database of another program': (path) => {
      const other = new Database(path);
      other.exec('CREATE TABLE mine (x)');
      other.close();
    },
    'a database with another application id': (path) => {
      const other = new Database(path);
      other.pragma('application_id = 77');
      other.exec('CREATE TABLE decisions (x)');
      other.close();
    },
    'an empty database with another application id': (path) => {
      const other = new Database(path);
      other.pragma('application_id = 77');
      other.close();
    },
    'an empty database of another program that counts versions': (path) => {
      const other = new Database(path);
      other.pragma('user_version = 1');
      other.close();
    },
    'a database of another program that counts versions': (path) => {
      const other = new Database(path);
      other.exec('CREATE TABLE decisions (x)');
      other.pragma('user_version = 1');
      other.close();
    },
  };
  for (const [name, make] of Object.entries(cases)) {
    test(`B19 ${name}`, () => {
      const path = join(folder(), 'kairos.db');
      make(path);
      const { code, message } = refusal(() => openJournal(path));
      expect(code).toBe('JOURNAL_UNUSABLE');
      expect(message).toContain(path);
      expect(message).toContain('journal.path');
      if (name.includes('database')) expect(message).toContain('is an SQLite file of another program');
      expect(message).not.toContain('\n');
      expect(existsSync(`${path}-wal`)).toBe(false);
      expect(refusal(() => JournalReader.open(path)).code).toBe('JOURNAL_UNUSABLE');
      // The refusal gives the lease back.
      expect(refusal(() => openJournal(path)).code).toBe('JOURNAL_UNUSABLE');
    });
  }

  test('a folder that cannot be written to', ({ skip }) => {
    if (process.getuid?.() === 0) skip('root may write everywhere');
    const dir = folder();
    chmodSync(dir, 0o500);
    expect(refusal(() => openJournal(join(dir, 'kairos.db'))).code).toBe('JOURNAL_UNUSABLE');
    chmodSync(dir, 0o700);
  });

  test('a folder that is a file', () => {
    const dir = folder();
    writeFileSync(join(dir, 'var'), '');
    expect(refusal(() => openJournal(join(dir, 'var', 'kairos.db'))).code).toBe('JOURNAL_UNUSABLE');
  });
});

test('F54 a journal of a newer Kairos is left alone, naming both versions', () => {
  const path = join(folder(), 'kairos.db');
  begun(path).close();
  const later = new Database(path);
  later.pragma(`user_version = ${SCHEMA_VERSION + 6}`);
  later.close();
  for (const open of [() => openJournal(path), () => JournalReader.open(path)]) {
    const { code, message } = refusal(open);
    expect(code).toBe('JOURNAL_NEWER');
    expect(message).toContain(`schema ${SCHEMA_VERSION + 6}`);
    expect(message).toContain(`up to ${SCHEMA_VERSION}`);
  }
});

test('F54 a migration that fails midway is rolled back whole, and the next start does it anew', () => {
  const path = join(folder(), 'kairos.db');
  begun(path).close();
  const database = new Database(path);
  const step = 'CREATE TABLE extra (x); INSERT INTO nowhere VALUES (1);';
  expect(() => migrate(database, [...MIGRATIONS, step])).toThrow(/nowhere/);
  expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
  expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'extra'").all()).toEqual([]);
  const ends = 'ROLLBACK; INSERT INTO nowhere VALUES (1)';
  expect(() => migrate(database, [...MIGRATIONS, ends])).toThrow(/nowhere/);
  for (let starts = 0; starts < 2; starts += 1) migrate(database, [...MIGRATIONS, 'CREATE TABLE extra (x)']);
  expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1);
  database.close();
});

test('what a start asks about other things than orders is found without reading the rows of orders', () => {
  const database = new Database(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
  const asked: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (source: string) => {
    asked.push(source);
    return prepare(source);
  };
  recover(database, stateAfter(database, NO_STATE, { from: { seq: 0, entry: 0 }, to: { seq: 1, entry: 1 } }), START);
  const about = asked.filter((sql) => sql.includes(BESIDE_ORDERS));
  expect(about.length).toBeGreaterThan(8);
  for (const sql of about) {
    const given = Array.from(sql.matchAll(/\?/g), () => 1);
    const plan = prepare<number[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...given);
    expect(plan.map(({ detail }) => detail).join('; '), sql).not.toMatch(/SCAN d/);
  }
  database.close();
});

test('a journal waits 50 ms at most for another program, and its commits for the disk; who reads it can change nothing', () => {
  const files = journalFiles(join(folder(), 'kairos.db'));
  const settings = ['busy_timeout', 'synchronous', 'wal_autocheckpoint', 'journal_mode'];
  const writing = openForWriting(files);
  expect(settings.map((name) => writing.pragma(name, { simple: true }))).toEqual([50, 2, 4000, 'wal']);
  writing.close();
  const reading = openForReading(files);
  expect([reading.pragma('busy_timeout', { simple: true }), reading.readonly]).toEqual([50, true]);
  reading.close();
});

test('an SQLite that can lose rows is refused, a later one is not', () => {
  for (const old of ['3.51.2', '3.50.9', '2.99.99']) expect(refusal(() => assertSqliteVersion(old)).code).toBe('JOURNAL_UNUSABLE');
  for (const fit of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) assertSqliteVersion(fit);
});

test('a reader finds no journal where there is none, and makes none', () => {
  const path = join(folder(), 'kairos.db');
  expect(refusal(() => JournalReader.open(path)).code).toBe('NOT_FOUND');
  expect(existsSync(path)).toBe(false);
});

test('two names of one journal share one lease', () => {
  const dir = folder();
  const path = join(dir, 'kairos.db');
  const link = join(dir, 'link.db');
  begun(path);
  symlinkSync(path, link);
  expect(refusal(() => openJournal(link)).code).toBe('JOURNAL_LEASED');
});

test('F49 a hard link to a journal has a lease of its own: it is refused, and the journal too until the link is gone', () => {
  const path = join(folder(), 'kairos.db');
  const link = join(folder(), 'kairos.db');
  const journal = begun(path);
  linkSync(path, link);
  const { code, message } = refusal(() => openJournal(link));
  expect([code, message]).toEqual(['JOURNAL_UNUSABLE', expect.stringContaining(`${link} has 2 names (hard links)`)]);
  expect(existsSync(`${link}-wal`)).toBe(false);
  journal.close();
  expect(refusal(() => openJournal(path)).code).toBe('JOURNAL_UNUSABLE');
  rmSync(link);
  openJournal(path).close();
});
