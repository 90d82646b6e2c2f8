import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TradeQueries } from '#adapters/journal/trade-queries.ts';
import { TradeStore } from '#adapters/journal/trade-store.ts';
import { openFiles } from './open-files.ts';
import { folder } from './rows.ts';

function opened(file: string | null): TradeStore {
  const store = TradeStore.open(file);
  onTestFinished(() => store.close());
  return store;
}

/** A file of figures that has a place in it, closed. */
function kept(file = join(folder(), 'kairos.db.figures')): string {
  const store = TradeStore.open(file);
  store.setPlaceOf('entry', 42);
  store.close();
  return file;
}

/** Changes a file from outside. */
function changed(file: string, sql: string): void {
  const other = new Database(file);
  other.exec(sql);
  other.close();
}

describe('the file of figures', () => {
  test('is found again as it was left, for the owner alone', () => {
    const file = kept(join(folder(), 'deep', 'kairos.db.figures'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = opened(file);
    expect([again.isKept, again.place('entry'), again.place('seq')]).toEqual([true, '42', undefined]);
  });

  test('is written without waiting for the disk, beside readers', () => {
    const { database } = opened(kept());
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(0);
    // Another thread may add for as long as this one waits.
    expect(database.pragma('busy_timeout', { simple: true })).toBe(5000);
  });

  test.each([
    ['of an old format, which has no days', (file: string) => changed(file, 'PRAGMA user_version = 2')],
    [
      'of the format before, whose courses left out strategies that were no longer configured',
      (file: string) => changed(file, "INSERT INTO courses VALUES ('run-1', 'usd', '[]'); PRAGMA user_version = 3"),
    ],
    ['of another format', (file: string) => changed(file, 'PRAGMA user_version = 77')],
    ['of no format', (file: string) => changed(file, 'PRAGMA user_version = 0')],
    ['that is no database', (file: string) => writeFileSync(file, 'not a database, but as long as one. '.repeat(100))],
    ['with a page that is broken', (file: string) => writeFileSync(file, readFileSync(file).fill(0xff, 100, 4096))],
  ])('%s is made anew', (_, spoil) => {
    const file = kept();
    spoil(file);
    const store = opened(file);
    expect([store.isKept, store.place('entry')]).toEqual([true, undefined]);
    expect(openFiles()).not.toContain(`${file} (deleted)`);
    store.setPlaceOf('entry', '7');
    expect(opened(file).place('entry')).toBe('7');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of another format does not leave its write-ahead log to the new one', () => {
    const file = join(folder(), 'kairos.db.figures');
    const other = new Database(file);
    onTestFinished(() => void other.close());
    other.pragma('journal_mode = WAL');
    other.exec('CREATE TABLE mine (x); PRAGMA user_version = 77');
    expect(existsSync(`${file}-wal`)).toBe(true);
    opened(file).setPlaceOf('entry', 1);
    expect(opened(file).place('entry')).toBe('1');
  });

  test('is in memory where none is named, or its place cannot be used', () => {
    const taken = join(folder(), 'kairos.db.figures');
    mkdirSync(taken);
    for (const place of [null, taken]) {
      const store = opened(place);
      store.setPlaceOf('entry', 3);
      expect([store.isKept, store.place('entry')]).toEqual([false, '3']);
    }
  });

  test('is left as it is where it only cannot be had now', () => {
    const file = kept();
    mkdirSync(`${file}-wal`);
    expect(opened(file).isKept).toBe(false);
    rmdirSync(`${file}-wal`);
    expect(opened(file).place('entry')).toBe('42');
  });

  test('what is added together is there as a whole, or not at all', () => {
    const store = opened(null);
    expect(store.adding(() => store.setPlaceOf('entry', 1))).toBeUndefined();
    expect(() =>
      store.adding(() => {
        store.setPlaceOf('entry', 2);
        throw new Error('half way');
      }),
    ).toThrow('half way');
    expect(store.place('entry')).toBe('1');
    expect(store.adding(() => store.place('entry'))).toBe('1');
  });

  test('closed, it is read by nobody', () => {
    const store = TradeStore.open(null);
    store.close();
    expect(() => store.place('entry')).toThrow('not open');
  });
});

describe('figures add up', () => {
  test('of a day, and of what a run moved in a book', () => {
    const store = opened(null);
    const of = new TradeQueries(store);
    store.tally({ of: 'day', currency: 'usd', profit: 1.5, trades: 2, won: 1 });
    store.tally({ of: 'day', currency: 'usd', profit: -0.5, trades: 1, won: 0 });
    store.tally({ of: 'day', currency: 'eur', profit: 9, trades: 1, won: 1 });
    store.tally({ of: 'dax', currency: 'usd', profit: 9, trades: 1, won: 1 });
    expect(of.tallies('day')).toEqual([
      { of: 'day', currency: 'eur', profit: 9, trades: 1, won: 1 },
      { of: 'day', currency: 'usd', profit: 1, trades: 3, won: 1 },
    ]);

    const day = { day: '2026-11-21', currency: 'usd', trades: 1, won: 1, fees: '0.5' };
    store.addToDay(day.day, 'usd', (before) => ({ ...day, profit: `${before?.profit}+1` }));
    store.addToDay(day.day, 'usd', (before) => ({ ...day, trades: 2, profit: `${before?.profit}+2` }));
    expect(of.days()).toEqual([{ ...day, trades: 2, profit: 'undefined+1+2' }]);

    const moved = { run: 'a', book: 'sma', product: 'btcusd', kind: 'fee', currency: 'usd', amount: '0' };
    const add = (amount: string) => (before: string) => `${before}+${amount}`;
    store.move(moved, add('1'));
    store.move(moved, add('2'));
    store.move({ ...moved, product: null }, add('3'));
    store.move({ ...moved, product: null }, add('4'));
    expect(of.moved()).toEqual([
      { ...moved, product: null, amount: '0+3+4' },
      { ...moved, amount: '0+1+2' },
    ]);
  });

  test('of a run, whose first entry is the one that was told first', () => {
    const store = opened(null);
    const of = new TradeQueries(store);
    store.beganAt('a', 12);
    store.beganAt('a', 99);
    store.count({ run: 'a', decisions: 3, orders: 2, accepted: 1 });
    store.count({ run: 'a', decisions: 30, orders: 20, accepted: 10 });
    store.count({ run: 'b', decisions: 1, orders: 0, accepted: 0 });
    expect(of.counts()).toEqual(
      new Map([
        ['a', { run: 'a', decisions: 33, orders: 22, accepted: 11 }],
        ['b', { run: 'b', decisions: 1, orders: 0, accepted: 0 }],
      ]),
    );
    expect([of.firstEntry('a'), of.firstEntry('b'), of.firstEntry('c')]).toEqual([12, undefined, undefined]);
    store.beganAt('b', 40);
    expect(of.firstEntry('b')).toBe(40);
  });
});

test('when the journal is another one, everything is forgotten', () => {
  const store = opened(null);
  const of = new TradeQueries(store);
  const fill = () => {
    store.setPlaceOf('entry', 1);
    store.tally({ of: 'day', currency: 'usd', profit: 1, trades: 1, won: 1 });
    store.move({ run: 'a', book: 'sma', product: null, kind: 'fee', currency: 'usd', amount: '0' }, () => '1');
    store.pair('btcusd', { baseCcy: 'btc', quoteCcy: 'usd' });
    store.count({ run: 'a', decisions: 1, orders: 1, accepted: 1 });
    store.keepBooks(3, { at: 1000, open: '[]' });
    of.keepCourse('a', 'usd', '[]');
  };
  const all = () => [store.place('entry'), of.tallies(''), of.moved(), of.pairs(), of.counts(), of.booksAt(2000), of.courses('usd')];
  const nothing = all();
  fill();
  for (const [index, found] of all().entries()) expect(found).not.toEqual(nothing[index]);
  store.clear();
  expect(all()).toEqual(nothing);
});
