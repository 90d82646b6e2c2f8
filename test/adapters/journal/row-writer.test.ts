import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#adapters/journal/database.ts';
import { completeOrders, showOwedOrders } from '#adapters/journal/owed-orders.ts';
import { RowWriter } from '#adapters/journal/row-writer.ts';
import { MIGRATIONS } from '#adapters/journal/schema.ts';
import { type OrderRow, Tables } from '#adapters/journal/tables.ts';
import type { Decision } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, orderFacts, permits, RUN, rejected, row, sent } from './rows.ts';

/** Tables that count how often an order is read back. */
class CountingTables extends Tables {
  reads = 0;

  override order(id: string): OrderRow | undefined {
    this.reads += 1;
    return super.order(id);
  }
}

function writer() {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  migrate(database, MIGRATIONS);
  const tables = new CountingTables(database);
  const rows = new RowWriter(database, { tables, named: 'the journal', before: () => undefined });
  /** What a daemon does for each commit. */
  const commit = (...decisions: readonly Decision[]): void => rows.write({ run: RUN, decisions });
  /** Why a commit failed, the disk being full in any case. */
  const refused = (...decisions: readonly Decision[]): string => {
    try {
      const besides = (): never => {
        throw new Error('the disk is full');
      };
      rows.write({ run: RUN, decisions, besides });
    } catch (error) {
      return messageOf(error);
    }
    return 'not at all';
  };
  const fail = (...decisions: readonly Decision[]): void => expect(refused(...decisions)).toContain('the disk is full');
  const readsOf = (act: () => void): number => {
    const before = tables.reads;
    act();
    return tables.reads - before;
  };
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  return { database, tables, rows, commit, refused, fail, readsOf, count };
}

const order = orderFacts(1);
const pause = row('paused', { who: 'ann', why: 'news' });

describe('a commit of the one writer', () => {
  test('reads no order back until it is settled', () => {
    const { commit, readsOf, rows } = writer();
    const [intent, approved] = permits(order);
    if (!intent || !approved) throw new Error('two rows');
    const booked = row('booked', { who: 'ann', why: 'x', entries: [] });
    expect([readsOf(() => commit(intent, pause, booked)), readsOf(() => commit(approved)), rows.owesOrders]).toEqual([0, 0, true]);
    expect(readsOf(() => commit(sent(order), accepted(order)))).toBe(0);
    // By now it is not remembered any more: a daemon makes millions of them.
    expect(readsOf(() => commit(accepted(order)))).toBe(1);
  });

  test('sees what it has itself written, to the last row', () => {
    const { commit, count, tables } = writer();
    commit(...permits(order), sent(order), accepted(order), accepted(order), rejected(order));
    expect([tables.order(order.id)?.state, count('ledger'), count('decisions')]).toEqual(['accepted', 3, 6]);
  });

  test('that failed is forgotten whole: its orders, its changes and the end of its chain', () => {
    const { commit, fail, count, rows, tables } = writer();
    commit(pause);
    fail(...permits(order));
    expect([rows.owesOrders, rows.end.seq]).toEqual([false, 1]);
    rows.writeOrders();
    expect(count('orders')).toBe(0);

    commit(...permits(order));
    fail(sent(order), accepted(order));
    expect([rows.owesOrders, rows.end.seq, count('orders')]).toEqual([true, 3, 0]);
    commit(rejected(order));
    expect([tables.order(order.id)?.state, count('ledger'), rows.end.seq]).toEqual(['rejected', 0, 4]);
  });

  test('reads again what it knew, once one has failed', () => {
    const { commit, fail, readsOf } = writer();
    commit(...permits(order), sent(order));
    fail(pause);
    expect(readsOf(() => commit(accepted(order)))).toBe(1);
  });

  test('finds the order of a word among several that are owed, and takes a word of an order that nobody permitted for nothing', () => {
    const { commit, fail, count, tables } = writer();
    const [second, third] = [orderFacts(2), orderFacts(3)];
    commit(...permits(order));
    commit(...permits(second));
    fail(pause);
    commit(accepted(third), accepted(second));
    expect([order, second].map(({ id }) => tables.order(id)?.state)).toEqual(['intent', 'accepted']);
    expect([count('orders'), count('ledger')]).toEqual([2, 3]);
  });

  test('knows the last time of all, whatever the order of its rows', () => {
    const { commit, rows } = writer();
    commit({ ...pause, at: 5 }, { ...pause, at: 9 }, { ...pause, at: 7 });
    expect(rows.lastAt).toBe(9);
  });
});

test('rows that nobody waits for are written without the disk, behind a lock that is held too, and the next commit waits for it again', () => {
  const { database, rows } = writer();
  const syncs = () => database.pragma('synchronous', { simple: true });
  const seen: unknown[] = [];
  const look = () => void seen.push(syncs());
  rows.reserve();
  rows.writeUnsynced({ besides: look });
  rows.write({ besides: look });
  expect(() =>
    rows.writeUnsynced({
      besides() {
        throw new Error('no room');
      },
    }),
  ).toThrow('no room');
  expect([...seen, syncs()]).toEqual([1, 2, 2]);
});

test('permissions in a row are owed each, until a row of another kind writes them', () => {
  const { commit, rows, count } = writer();
  const second = orderFacts(2);
  commit(...permits(order));
  commit(...permits(second));
  expect(count('orders')).toBe(0);
  commit(sent(second));
  expect([count('orders'), rows.owesOrders]).toEqual([2, false]);
});

test('an order whose row is owed keeps its id and its quote from any other, in its commit and behind it', () => {
  const { commit, refused } = writer();
  const [sameQuote, sameId] = [orderFacts(2, { quoteId: order.quoteId }), orderFacts(2, { id: order.id })];
  const both = [...permits(order), ...permits(sameQuote)];
  expect(refused(...both)).toContain('orders.quote_id: order 1-1 has it already');
  commit(...permits(order));
  expect(refused(...permits(sameQuote))).toContain('orders.quote_id: order 1-1 has it already');
  expect(refused(...permits(sameId))).toContain('orders.order_id: order 1-1 has it already');
});

test('what an action was asked with is kept as its row says it', () => {
  const { commit, database } = writer();
  const action = { actionId: '5-1', name: 'night', action: 'remote.pauseAll', dueAt: 't', askedAt: 't', status: 'asked' } as const;
  commit(row('action', { ...action, arguments: { odd: Number.NaN }, httpStatus: null, response: '' }));
  expect(database.prepare('SELECT arguments FROM actions').pluck().get()).toBe('{"odd":"NaN"}');
});

describe('the watermark of orders', () => {
  test('stands at the last permission whose row is written, and further where none is owed', () => {
    const { commit, rows, tables } = writer();
    commit(pause, ...permits(order));
    expect(tables.watermark()).toBe(0);
    commit(sent(order), pause);
    expect(tables.watermark()).toBe(3);
    rows.allOrdersWritten();
    commit(pause);
    expect([rows.owesOrders, tables.watermark()]).toEqual([false, 5]);
  });

  test('beyond the end of the chain is taken back, so that what is permitted next is not lost', () => {
    const { database, commit, tables, count } = writer();
    commit(pause);
    tables.setWatermark(99);
    completeOrders(database, tables);
    expect(tables.watermark()).toBe(1);
    commit(...permits(order));
    completeOrders(database, tables);
    expect([count('orders'), tables.watermark()]).toEqual([1, 3]);
  });
});

test('where no order is owed, a reader copies nothing', () => {
  const { database } = JournalInMemory.of(...permits(order));
  showOwedOrders(database);
  expect(database.prepare('SELECT name FROM sqlite_temp_master').all()).toEqual([]);
});
