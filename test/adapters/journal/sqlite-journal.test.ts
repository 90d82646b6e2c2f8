import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readMark } from '#adapters/journal/high-water.ts';
import type { LedgerRow } from '#adapters/journal/paging.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { PendingDecisions } from '#adapters/journal/row-writer.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { OrderRow } from '#adapters/journal/tables.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime, runId } from '#domain/names.ts';
import {
  accepted,
  begin,
  begun,
  fillOf,
  folder,
  openJournal,
  orderFacts,
  permits,
  RUN,
  rejected,
  row,
  START,
  sent,
  unknown,
} from './rows.ts';

function look(path: string) {
  const database = new Database(path, { readonly: true });
  onTestFinished(() => {
    database.close();
  });
  return {
    orders: () => database.prepare<[], OrderRow>('SELECT * FROM orders ORDER BY rowid').all(),
    ledger: () => database.prepare<[], LedgerRow>('SELECT * FROM ledger ORDER BY entry_id').all(),
    all: (table: string) => database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY rowid`).all(),
  };
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof KairosError) return error.code;
    throw error;
  }
  return 'nothing thrown';
};

describe('what the tables say of an order', () => {
  test('a bought order is in orders and, signed, in the ledger with one fee', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const order = orderFacts(1);
    journal.commit(permits(order));
    journal.flush();
    expect(look(path).orders()).toMatchObject([{ order_id: '1-1', state: 'intent', sent_at: null, run_id: RUN }]);
    journal.defer([sent(order)]);
    journal.commit([accepted(order)]);
    expect(look(path).orders()).toEqual([
      {
        order_id: '1-1',
        run_id: RUN,
        strategy: 'sma',
        product: 'btcusd',
        side: 'buy',
        quote_id: order.quoteId,
        state: 'accepted',
        intent_at: '2026-11-21T03:00:01.000Z',
        sent_at: '2026-11-21T03:00:01.005Z',
        settled_at: '2026-11-21T03:00:02.000Z',
        valid_until: '2026-11-21T03:00:04.000Z',
        price: '61000.5',
        size: '0.01',
        value: '610.005',
        fee: '0.610005',
        fee_ccy: 'USD',
        response: '{"status":"FILLED"}',
      },
    ]);
    const common = { run_id: RUN, at: '2026-11-21T03:00:02.000Z', book: 'sma', product: 'btcusd', order_id: '1-1' };
    expect(look(path).ledger()).toEqual([
      { ...common, entry_id: 1, kind: 'fill', currency: 'BTC', amount: '0.01' },
      { ...common, entry_id: 2, kind: 'fill', currency: 'USD', amount: '-610.005' },
      { ...common, entry_id: 3, kind: 'fee', currency: 'USD', amount: '-0.610005' },
    ]);
  });

  test('a sale books the other way round, at the figures of the answer', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const order = orderFacts(1, { side: 'sell' });
    const fill = { ...fillOf(order), price: '61000', value: '610.00', fee: '0', feeCcy: 'BTC' };
    journal.commit([...permits(order), sent(order), accepted(order, fill)]);
    expect(
      look(path)
        .ledger()
        .map(({ kind, currency, amount }) => [kind, currency, amount]),
    ).toEqual([
      ['fill', 'BTC', '-0.01'],
      ['fill', 'USD', '610'],
      ['fee', 'BTC', '0'],
    ]);
    expect(look(path).orders()).toMatchObject([{ price: '61000', value: '610.00', fee: '0', fee_ccy: 'BTC' }]);
  });

  test('F05 a second acceptance, or any word after the first, books nothing twice', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order), unknown(order), accepted(order)]);
    const before = { orders: look(path).orders(), ledger: look(path).ledger() };
    journal.commit([accepted(order)]);
    journal.commit([rejected(order), sent(order), unknown(order)]);
    expect({ orders: look(path).orders(), ledger: look(path).ledger() }).toEqual(before);
    expect(journal.recover(START).books.books).toMatchObject([{ entries: 1 }]);
    journal.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 1, ledger: 3, decisions: 9 });
  });

  test('the row of an order follows its permission between two quotes, or as the daemon ends, and readers see what becomes of it', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit(permits(orderFacts(1)));
    const reader = JournalReader.open(path);
    expect(look(path).orders()).toEqual([]);
    journal.writeOrders();
    expect(look(path).orders()).toMatchObject([{ order_id: '1-1' }]);
    journal.commit([accepted(orderFacts(1))]);
    expect(reader.orders({ limit: 9 })).toMatchObject([{ order_id: '1-1', state: 'accepted' }]);
    reader.close();
    journal.commit(permits(orderFacts(2)));
    journal.close();
    expect(look(path).orders()).toHaveLength(2);
  });

  test('I02 a quote id is taken by one order for good, and the second order leaves no row at all', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const first = orderFacts(1);
    journal.commit([...permits(first), accepted(first)]);
    const again = orderFacts(2, { quoteId: first.quoteId });
    expect(() => journal.commit(permits(again))).toThrow(/earlier order names this quote/);
    expect(codeOf(() => journal.commit(permits(again)))).toBe('JOURNAL_FAULT');
    expect(look(path).orders()).toHaveLength(1);
    expect(look(path).all('decisions')).toHaveLength(3);
    journal.commit([row('halted', { who: 'kairos', why: 'journal fault' })]);
    expect(look(path).all('decisions')).toHaveLength(4);
  });

  test('an action is one row that is brought up to date', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const action = {
      actionId: '5-1',
      name: 'night',
      action: 'remote.pauseAll',
      arguments: { odd: Number.NaN },
      dueAt: isoTime(START),
      askedAt: isoTime(START + 3),
      status: 'asked',
      httpStatus: null,
      response: '',
    } as const;
    journal.commit([row('action', action)]);
    journal.commit([row('action', { ...action, status: 'failed', httpStatus: 503, response: 'busy \ud800' })]);
    expect(look(path).all('actions')).toMatchObject([{ action_id: '5-1', status: 'failed', http_status: 503, arguments: '{"odd":"NaN"}' }]);
    journal.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true, actions: 1 });
  });

  test('a strategy may put anything under its signals: the row is written all the same', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const cycle: Record<string, unknown> = { depth: 1 };
    cycle.self = cycle;
    const signals = { big: 12n, nan: Number.NaN, cycle, fine: 'x\ud800', none: undefined, call: Math.abs };
    journal.commit([row('hold', { why: 'wait', signals }, { strategy: 'sma', reason: 'HOLD' })]);
    const [stored] = look(path).all('decisions');
    expect(JSON.parse(String(stored?.detail))).toMatchObject({ why: 'wait', signals: { big: '12', nan: 'NaN', fine: 'x\ud800' } });
    journal.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true });
  });
});

describe('commits', () => {
  test('what was deferred is written before what is committed, and the inbox log before both', () => {
    const path = join(folder(), 'kairos.db');
    let flushed = 0;
    const journal = begun(path, {
      beforeCommit: () => {
        flushed += 1;
      },
    });
    const before = flushed;
    journal.defer([row('hold', { why: 'first', signals: {} })]);
    expect(look(path).all('decisions')).toHaveLength(0);
    journal.commit([row('paused', { who: 'me', why: 'second' })]);
    expect(flushed).toBe(before + 1);
    expect(
      look(path)
        .all('decisions')
        .map(({ seq, kind }) => [seq, kind]),
    ).toEqual([
      [1, 'hold'],
      [2, 'paused'],
    ]);
  });

  test('a failed inbox log keeps the decision out of the journal: no decision without its cause', () => {
    const path = join(folder(), 'kairos.db');
    let full = false;
    const beforeCommit = () => {
      if (full) throw new KairosError('RECORDING_FAULT', 'disk full');
    };
    const journal = begun(path, { beforeCommit });
    full = true;
    expect(() => journal.commit(permits(orderFacts(1)))).toThrow('disk full');
    full = false;
    expect(look(path).all('decisions')).toHaveLength(0);
  });

  test('F49 another program that holds the file makes a commit busy: nothing is written, deferred rows still wait', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const foreign = new Database(path);
    foreign.exec('BEGIN IMMEDIATE');
    journal.defer([row('hold', { why: 'waits', signals: {} })]);
    expect(() => journal.commit(permits(orderFacts(1)))).toThrow(/JOURNAL_BUSY/);
    expect(codeOf(() => journal.flush())).toBe('JOURNAL_BUSY');
    foreign.exec('ROLLBACK');
    foreign.close();
    journal.commit(permits(orderFacts(1)));
    expect(
      look(path)
        .all('decisions')
        .map(({ kind }) => kind),
    ).toEqual(['hold', 'intent', 'approved']);
  });

  test('F49 a commit waits for a file that another program begins to hold, and not again while it does: quotes come meanwhile', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const foreign = new Database(path);
    const commitMs = (): number => {
      const from = performance.now();
      codeOf(() => journal.commit(permits(orderFacts(1))));
      return performance.now() - from;
    };
    for (const _ of ['one time', 'another time']) {
      foreign.exec('BEGIN IMMEDIATE');
      expect(commitMs()).toBeGreaterThan(40);
      expect(Math.min(...Array.from({ length: 20 }, commitMs))).toBeLessThan(10);
      foreign.exec('ROLLBACK');
      journal.commit([]);
      journal.flush();
    }
    foreign.close();
  });

  test.each<[string, (journal: SqliteJournal) => void]>([
    ['a commit', (journal) => journal.commit([])],
    ['a write', (journal) => journal.write()],
  ])('F49 %s without rows tells whether another program holds the file, before a person or a signal acts', (_, write) => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const foreign = new Database(path);
    foreign.exec('BEGIN IMMEDIATE');
    expect(codeOf(() => write(journal))).toBe('JOURNAL_BUSY');
    journal.flush();
    foreign.exec('ROLLBACK');
    foreign.close();
    write(journal);
    expect(look(path).all('decisions')).toEqual([]);
  });

  test('F49 behind a commit without rows no other program can take the file before the next commit, or a flush', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const foreign = new Database(path, { timeout: 0 });
    const take = (): void => void foreign.exec('BEGIN IMMEDIATE').exec('ROLLBACK');
    journal.commit([]);
    journal.flush();
    take();
    journal.commit([]);
    expect(take).toThrow('locked');
    journal.commit(permits(orderFacts(1)));
    take();
    journal.commit([]);
    journal.flush();
    take();
    foreign.close();
    expect(look(path).all('decisions')).toHaveLength(2);
  });

  test('rows that wait are bounded while commits fail; those of an order or a halt are never dropped', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const foreign = new Database(path);
    foreign.exec('BEGIN IMMEDIATE');
    const order = orderFacts(1);
    journal.defer([...permits(order), sent(order), row('halted', { who: 'ann', why: 'enough' })]);
    const holds = Array.from({ length: 10_100 }, (_, n) => row('hold', { why: `${n}`, signals: {} }));
    journal.defer(holds);
    expect(journal.dropped).toBe(104);
    foreign.exec('ROLLBACK');
    foreign.close();
    journal.flush();
    expect(look(path).all('decisions')).toHaveLength(10_000);
    expect(look(path).orders()).toMatchObject([{ state: 'sent' }]);
    expect(
      look(path)
        .all('decisions')
        .some(({ kind }) => kind === 'halted'),
    ).toBe(true);
  });

  test('where rows that may not be dropped are too many alone, all of them wait', () => {
    const waiting = new PendingDecisions();
    const halts = Array.from({ length: 10_001 }, () => row('halted', { who: 'ann', why: 'enough' }));
    waiting.add(halts);
    expect([waiting.rows.length, waiting.dropped]).toEqual([10_001, 0]);
    waiting.clear();
    waiting.add([row('hold', { why: 'oldest', signals: {} }), ...halts.slice(1)]);
    expect([waiting.rows.length, waiting.rows[0]?.kind, waiting.dropped]).toEqual([10_000, 'halted', 1]);
  });

  test('many deferred rows are written without a flush', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    for (let n = 0; n < 1_000; n += 1) journal.defer([row('hold', { why: `${n}`, signals: {} })]);
    expect(look(path).all('decisions')).toHaveLength(1_000);
    expect(journal.dropped).toBe(0);
  });

  test('F50 a journal that was moved away while in use is noticed within a second', () => {
    const dir = folder();
    const path = join(dir, 'kairos.db');
    const journal = begun(path);
    journal.flush();
    renameSync(path, join(dir, 'elsewhere.db'));
    for (let quarter = 1; quarter < 4; quarter += 1) journal.flush();
    expect(() => journal.flush()).toThrow(/moved, removed or replaced/);
    renameSync(join(dir, 'elsewhere.db'), path);
  });

  test.each<[string, (log: string) => void]>([
    ['removed', (log) => rmSync(log)],
    [
      'exchanged for a copy of itself',
      (log) => {
        copyFileSync(log, `${log}.copy`);
        renameSync(`${log}.copy`, log);
      },
    ],
  ])('F50 a write-ahead log that was %s while in use is noticed within a second, with an order in it', (_, spoil) => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.flush();
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order)]);
    expect(() => journal.flush()).not.toThrow();
    spoil(`${path}-wal`);
    journal.commit(permits(orderFacts(2)));
    expect(() => journal.flush()).toThrow(/kairos\.db or its -wal was moved, removed or replaced/);
  });
});

describe('runs', () => {
  test('a run ends once, with the time of its last decision unless a clock is given', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit([row('stopped', { who: 'me', why: 'SIGINT' }, { n: 7 })]);
    journal.end(RUN, 'stopped');
    journal.end(RUN, 'crashed');
    expect(look(path).all('runs')).toMatchObject([{ book: 'paper', end_state: 'stopped', ended_at: '2026-11-21T03:00:07.000Z' }]);
  });

  test('F50 what a person says of a run that is over is known to the mark at the close', () => {
    const path = join(folder(), 'kairos.db');
    begun(path).close();
    const journal = openJournal(path);
    journal.appendTo(RUN, [row('halted', { who: 'ann', why: 'x' })]);
    journal.close();
    expect(readMark(`${path}.mark`)?.seq).toBe(1);
  });

  test('a run that never said how it ended is marked as crashed by the next', () => {
    const path = join(folder(), 'kairos.db');
    const first = begun(path);
    first.commit([row('paused', { who: 'me', why: 'x' }, { n: 9 })]);
    first.close();
    const second = openJournal(path);
    begin(second, runId('20261121T040000Z-000002'), START + 3_600_000);
    expect(look(path).all('runs')).toMatchObject([{ end_state: 'crashed', ended_at: '2026-11-21T03:00:09.000Z' }, { end_state: null }]);
  });

  test('a journal belongs to one book: another is refused, naming both', () => {
    const path = join(folder(), 'kairos.db');
    begun(path).close();
    expect(() => openJournal(path, { book: 'live https://service 1205' })).toThrow(/"paper".*"live https:\/\/service 1205".*journal\.path/);
    expect(codeOf(() => openJournal(path, { book: 'x' }))).toBe('BOOK_MISMATCH');
    openJournal(path);
  });
});

test('nobody but the owner can read what a journal writes', () => {
  const path = join(folder(), 'deep', 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  journal.flush();
  for (const file of ['', '-wal', '-shm', '.lease', '.lease.pid', '.mark']) {
    expect([file, (statSync(`${path}${file}`).mode & 0o777).toString(8)]).toEqual([file, '600']);
  }
  journal.close();
  expect(existsSync(`${path}.lease.pid`)).toBe(false);
  journal.close();
});

test('a start that fails leaves no new journal behind, and gives the lease back', () => {
  const path = join(folder(), 'kairos.db');
  const options = {
    path,
    beforeCommit: () => {},
    get book(): string {
      throw new KairosError('USAGE', 'no book');
    },
  };
  for (let times = 0; times < 2; times += 1) expect(() => SqliteJournal.open(options)).toThrow('no book');
  expect(existsSync(path)).toBe(false);
  const journal = openJournal(path);
  // Without a run these rows are of nobody.
  journal.defer([row('paused', { who: 'me', why: 'x' })]);
  journal.close();
});

test('a journal that is written once has nothing beside its file', () => {
  const path = join(folder(), 'backtest.db');
  const journal = begun(path, { writtenOnce: true });
  journal.commit(permits(orderFacts(1)));
  journal.commit([]);
  journal.close();
  expect(readdirSync(dirname(path))).toEqual(['backtest.db']);
});

test('a journal in memory needs no file and keeps the same tables', () => {
  onTestFinished(() => rmSync(':memory:', { force: true }));
  const journal = begun(':memory:');
  const order = orderFacts(1);
  journal.commit([...permits(order), accepted(order)]);
  journal.flush();
  expect(journal.recover(START).books.books).toMatchObject([{ entries: 1 }]);
  journal.end(RUN, 'stopped');
  expect(existsSync(':memory:')).toBe(false);
});
