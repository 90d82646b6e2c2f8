import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { runId } from '#domain/names.ts';
import { accepted, begin, begun, folder, openJournal, orderFacts, permits, rejected, START, sent } from './rows.ts';

/** The journal of a process that was killed just after its third order had left: its files as they were, without its lease. */
function killed(): string {
  const dir = folder();
  const journal = begun(join(dir, 'kairos.db'));
  journal.commit(permits(orderFacts(1)));
  journal.commit([sent(orderFacts(1)), accepted(orderFacts(1))]);
  journal.commit(permits(orderFacts(2)));
  journal.commit([rejected(orderFacts(2))]);
  journal.commit(permits(orderFacts(3)));
  const copy = folder();
  cpSync(dir, copy, { recursive: true });
  for (const end of ['.lease', '.pid']) rmSync(join(copy, `kairos.db${end}`), { force: true });
  return join(copy, 'kairos.db');
}

const stored = (path: string): unknown => {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT order_id FROM orders ORDER BY rowid').pluck().all();
  } finally {
    database.close();
  }
};

const open = [{ order_id: '3-1', state: 'intent', sent_at: null, quote_id: orderFacts(3).quoteId }];

describe('an order whose process was killed before its row was written', () => {
  test('has decisions alone', () => {
    expect(stored(killed())).toEqual(['1-1', '2-1']);
  });

  test('is shown by whoever reads, in its place', () => {
    const reader = JournalReader.open(killed());
    expect(reader.openOrders()).toMatchObject(open);
    expect(reader.orders({ limit: 9 }).map(({ order_id }) => order_id)).toEqual(['3-1', '2-1', '1-1']);
    expect(reader.story('3-1')?.order).toMatchObject({ state: 'intent' });
    reader.close();
  });

  test('is whole by verify and by a backup, and keeps a rotation from moving its decisions', async () => {
    const path = killed();
    expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 3, decisions: 9 });
    expect(await backupJournal(path, join(folder(), 'copy.db'))).toMatchObject({ orders: 3 });
    await expect(rotateAtRest(path, START)).rejects.toThrow('1 orders have no outcome yet');
  });

  test('has its row when the journal is opened again, for a start to settle', () => {
    const path = killed();
    const journal = openJournal(path);
    expect(stored(path)).toEqual(['1-1', '2-1', '3-1']);
    expect(journal.recover(START)).toMatchObject({ unknowns: [{ order: { id: '3-1' }, journaled: false }] });
    journal.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 3 });
  });

  test('takes its quote for good', () => {
    const journal = openJournal(killed());
    begin(journal, runId('20261121T040000Z-000001'));
    expect(() => journal.commit(permits(orderFacts(4, { quoteId: orderFacts(3).quoteId })))).toThrow('an earlier order names this quote');
  });
});

test('while its row is owed, an order takes its id and its quote, and a failed commit after it leaves it owed', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const first = orderFacts(1);
  journal.commit(permits(first));
  expect(() => journal.commit(permits(orderFacts(2, { quoteId: first.quoteId })))).toThrow('an earlier order names this quote');
  expect(() => journal.commit(permits(orderFacts(3, { id: first.id })))).toThrow('an earlier order has this order id');
  expect(stored(path)).toEqual([]);
  journal.commit([accepted(first)]);
  expect(stored(path)).toEqual(['1-1']);
  journal.commit(permits(orderFacts(5)));
  journal.flush();
  expect(stored(path)).toEqual(['1-1', '5-1']);
  expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 2, ledger: 3 });
});

test('beside a daemon at work, verify counts an order whose row is owed', () => {
  const path = join(folder(), 'kairos.db');
  begun(path).commit(permits(orderFacts(1)));
  expect(stored(path)).toEqual([]);
  expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 1 });
});
