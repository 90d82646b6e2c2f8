import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { bookEntries } from '#adapters/journal/at-rest.ts';
import { readMark } from '#adapters/journal/high-water.ts';
import { Snapshots } from '#adapters/journal/snapshots.ts';
import { type JournalOptions, SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { Checkpoints, syncWritten } from '#adapters/journal/write-ahead.ts';
import { KairosError } from '#domain/errors.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, begin, begun, folder, openFilesIn, openJournal, orderFacts, permits, RUN, row, START, sent } from './rows.ts';

const order = orderFacts(1);
const holds = (count: number) => Array.from({ length: count }, () => row('hold', { why: 'wait', signals: {} }));

/** A journal that counts its transactions: each waits for the disk, which is what an order waits for. */
function counted(path = ':memory:') {
  let count = 0;
  const journal = begun(path, { beforeCommit: () => void count++ });
  return {
    journal,
    costs: (work: () => void): number => {
      const before = count;
      work();
      return count - before;
    },
  };
}

const read = <Value>(path: string, sql: string): Value => {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare(sql).pluck().get() as Value;
  } finally {
    database.close();
  }
};

describe('waits for the disk', () => {
  test('an order waits for its permission alone: its row follows with the next write of any kind', () => {
    const { journal, costs } = counted();
    const orders = [1, 2, 3, 4, 5].map((n) => orderFacts(n));
    const follows: readonly (() => void)[] = [
      () => journal.writeOrders(),
      () => journal.commit(holds(1)),
      () => {
        journal.defer(holds(1));
        journal.write();
      },
      () => journal.appendTo(RUN, holds(1)),
      () => journal.flush(),
    ];
    for (const [index, follow] of follows.entries()) {
      expect(costs(() => journal.commit(permits(orders[index] ?? order)))).toBe(1);
      expect([costs(follow), costs(() => journal.writeOrders())]).toEqual([1, 0]);
    }
  });

  test('nothing to write costs nothing', () => {
    const { journal, costs } = counted();
    expect([() => journal.write(), () => journal.flush(), () => journal.commit([])].map(costs)).toEqual([0, 0, 0]);
    expect(costs(() => journal.end(RUN, 'stopped'))).toBe(1);
    expect([() => journal.close(), () => journal.close()].map(costs)).toEqual([0, 0]);
  });

  test('what was deferred is written by the end of a run and by closing, once', () => {
    const path = join(folder(), 'kairos.db');
    const { journal, costs } = counted(path);
    journal.defer(holds(2));
    expect(costs(() => journal.end(RUN, 'stopped'))).toBe(2);
    expect(readMark(`${path}.mark`)?.seq).toBe(2);
    journal.defer(holds(3));
    journal.commit(permits(order));
    journal.defer(holds(1));
    expect([costs(() => journal.close()), costs(() => journal.close())]).toEqual([1, 0]);
    expect([read(path, 'SELECT count(*) FROM decisions'), readMark(`${path}.mark`)?.seq]).toEqual([8, 8]);
  });

  test('a thousand rows that wait are written at once, also when the last of them come together', () => {
    const { journal, costs } = counted();
    expect([998, 1, 3, 997].map((count) => costs(() => journal.defer(holds(count))))).toEqual([0, 0, 1, 0]);
    expect(costs(() => journal.defer(holds(1_500)))).toBe(1);
  });

  test('while another program holds the journal, it is asked once in a thousand rows; any other failure is told', () => {
    let asked = 0;
    let code: 'JOURNAL_BUSY' | 'RECORDING_FAULT' | null = null;
    const journal = openJournal(':memory:', {
      beforeCommit: () => {
        asked += 1;
        if (code !== null) throw new KairosError(code, 'no');
      },
    });
    begin(journal);
    code = 'JOURNAL_BUSY';
    for (const count of [1_000, 999, 1]) journal.defer(holds(count));
    expect(asked).toBe(3);
    code = 'RECORDING_FAULT';
    expect(() => journal.defer(holds(1_000))).toThrow(expect.objectContaining({ code }));
    code = null;
    journal.flush();
    expect(journal.dropped).toBe(0);
  });
});

describe('what a journal is asked in the wrong order is a fault of Kairos', () => {
  test('decisions before a run, and a run of no book', () => {
    const journal = openJournal(':memory:', { book: null });
    journal.commit([]);
    expect(() => journal.commit(holds(1))).toThrow(/decisions belong to a run/);
    expect(() => begin(journal)).toThrow(/a run needs a book/);
  });
});

describe('a journal in a file', () => {
  test('that is opened for another book is closed again, with its lease', () => {
    const path = JournalInMemory.of(...permits(order)).kept();
    const another: JournalOptions = { path, book: 'live', beforeCommit: () => {} };
    for (const options of [another, { ...another, writtenOnce: true }]) {
      expect(() => SqliteJournal.open(options)).toThrow(expect.objectContaining({ code: 'BOOK_MISMATCH' }));
      expect(openFilesIn(dirname(path))).toEqual([]);
    }
    openJournal(path);
  });

  test('that is written once has one file and no lease', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path, { writtenOnce: true });
    journal.commit([...permits(order), sent(order), accepted(order)]);
    journal.flush();
    journal.close();
    expect([...readFileSync(path).subarray(18, 20)]).toEqual([1, 1]);
    expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 1 });
  });

  test('keeps what its rows come to at a start where that was no good, and not where it was', () => {
    const journal = JournalInMemory.of(...permits(order), accepted(order));
    new Snapshots(journal.database).keep();
    journal.add(...holds(2));
    const seqAfterStart = (path: string): number => {
      const daemon = openJournal(path);
      daemon.recover(START);
      begin(daemon, `${RUN}2` as typeof RUN);
      daemon.close();
      return read(path, 'SELECT seq FROM snapshots');
    };
    expect(seqAfterStart(journal.kept())).toBe(3);
    journal.database.exec("UPDATE snapshots SET hash = 'another'");
    expect(seqAfterStart(journal.kept())).toBe(5);
  });

  test('notes up to where every order has its row, so that a start need not look for one', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const upTo = (): number => read(path, "SELECT seq FROM watermarks WHERE name = 'orders'");
    journal.commit(permits(order));
    const seen = [upTo()];
    journal.commit(holds(1));
    seen.push(upTo());
    journal.end(RUN, 'stopped');
    expect([...seen, upTo()]).toEqual([0, 2, 3]);
  });

  test('whose mark cannot be written says so', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit(holds(1));
    mkdirSync(`${path}.mark.new`);
    expect(() => journal.flush()).toThrow(
      expect.objectContaining({ code: 'JOURNAL_FAULT', message: expect.stringMatching(/\.mark could not commit \(.*EISDIR/) }),
    );
    rmdirSync(`${path}.mark.new`);
    journal.flush();
    expect(readMark(`${path}.mark`)?.seq).toBe(1);
  });

  test('that a backup program left empty is told from one that has rows', () => {
    const path = join(folder(), 'kairos.db');
    writeFileSync(path, '');
    expect(() => verifyJournal(path)).toThrow(/is empty: start a daemon, or check journal\.path/);
    new Database(path).exec('CREATE TABLE mine (x)').close();
    expect(() => verifyJournal(path)).toThrow(/of another program/);
    expect(openFilesIn(dirname(path))).toEqual([]);
  });
});

describe('a thread beside the writer', () => {
  test('moves the log to the file, and says how much a reader holds back', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const beside = new Checkpoints(path);
    journal.commit(holds(1));
    expect(beside.run()).toBe(0);
    const reader = new Database(path, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM decisions').get();
    journal.commit(holds(1));
    const page = Number(reader.pragma('page_size', { simple: true }));
    expect(beside.run() / page).toBeGreaterThanOrEqual(1);
    expect(beside.run() / page).toBeLessThan(20);
    reader.close();
    expect(beside.run()).toBe(0);
    const open = openFilesIn(dirname(path)).length;
    beside.close();
    beside.close();
    expect(openFilesIn(dirname(path)).length).toBeLessThan(open);
  });

  test('syncs the log and leaves nothing open; of a journal that is not there it makes none', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit(holds(1));
    const open = openFilesIn(dirname(path));
    syncWritten(path);
    expect(openFilesIn(dirname(path))).toEqual(open);
    expect(() => new Checkpoints(`${path}.other`)).toThrow(/unable to open|does not exist/);
  });
});

describe('what a person books while no daemon runs', () => {
  const booking = {
    entries: [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '5' }],
    who: 'ann',
    why: 'a statement',
  } as const;

  test('belongs to the last run and to no event, at the time at which it is booked', () => {
    const path = JournalInMemory.of(...holds(1))
      .begin('second')
      .kept();
    bookEntries(path, { ...booking, now: START + 5_000 });
    const sql = `SELECT json_array(run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail) FROM decisions WHERE seq = 2`;
    const at = '2026-11-21T03:00:05.000Z';
    const { who, why, entries } = booking;
    expect(JSON.parse(read(path, sql))).toEqual([
      ...['second', at, 0, 'booked', null, null, 'BY_PERSON', null, null],
      JSON.stringify({ who, why, entries }),
    ]);
    expect(verifyJournal(path)).toMatchObject({ ok: true, ledger: 1 });
    expect(openFilesIn(dirname(path))).toEqual([]);
  });

  test('is refused where no run has begun, with nothing left open', () => {
    const path = JournalInMemory.empty().kept();
    expect(() => bookEntries(path, { ...booking, now: START })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringMatching(/has no run yet/) }),
    );
    expect(openFilesIn(dirname(path))).toEqual([]);
  });
});
