import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { resolveOrder } from '#adapters/journal/resolve.ts';
import type { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { NO_BOOKS } from '#domain/past-books.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import { dumpJournal } from '../../support/journal-dump.ts';
import { booksOf } from '../../support/past-books.ts';
import { accepted, begin, begun, fillOf, folder, openJournal, orderFacts, permits, rejected, row, START, sent, unknown } from './rows.ts';

const at = (n: number) => START + n * 1000;
const latchesOf = (journal: SqliteJournal) => journal.recover(START).latches.map(({ kind, strategy }) => `${kind} ${strategy}`);

describe('I32 what a restart takes over', () => {
  test('fills in their order, orders on their way, used quotes, the rate and the inbox number', () => {
    const path = join(folder(), 'kairos.db');
    const first = begun(path);
    const orders = [1, 2, 3, 4, 5, 70].map((n) => orderFacts(n));
    const [bought, refused, lost, underway, committed, late] = orders;
    if (!bought || !refused || !lost || !underway || !committed || !late) throw new Error('six orders');
    for (const order of orders) first.commit(permits(order));
    first.commit([sent(bought), accepted(bought), sent(refused), rejected(refused), sent(lost), unknown(lost), sent(underway)]);
    first.commit([accepted(late)]);
    first.close();
    const facts = openJournal(path).recover(at(72));
    expect(facts.lastInboxSeq).toBe(71);
    expect(facts.books).toEqual(
      booksOf([
        { strategy: 'sma', product: 'btcusd', at: at(2), fill: fillOf(bought) },
        { strategy: 'sma', product: 'btcusd', at: at(71), fill: fillOf(late) },
      ]),
    );
    expect(facts.books.books).toMatchObject([{ size: '0.02', openedAt: at(2), entries: 2 }]);
    expect(facts.unknowns).toEqual([
      { order: lost, journaled: true },
      { order: underway, journaled: false },
      { order: committed, journaled: false },
    ]);
    expect(facts.risk.recentOrders).toEqual([{ at: at(70), strategy: 'sma', product: 'btcusd' }]);
    expect(facts.usedQuotes).toEqual(orders.map(({ quoteId }) => quoteId));
  });

  test('a journal without rows leaves nothing', () => {
    expect(openJournal(':memory:').recover(START)).toEqual({
      lastInboxSeq: 0,
      creates: [],
      financedUpTo: null,
      financedByRoll: false,
      schedule: [],
      unanswered: [],
      haltPassedOn: false,
      books: NO_BOOKS,
      snapshotFault: null,
      unknowns: [],
      latches: [],
      openings: [],
      exits: [],
      works: [],
      peaks: [],
      hands: [],
      learned: [],
      signals: [],
      states: {},
      stateOrigins: {},
      risk: NO_PAST_RISK,
      usedQuotes: [],
    });
  });

  test('a halt stays latched until everything is resumed, with who, when and why', () => {
    const journal = begun(':memory:');
    journal.commit([row('halted', { who: 'me', why: 'news' }, { n: 4 })]);
    journal.commit([row('halted', { who: 'kairos', why: 'again' }, { n: 5 })]);
    expect(journal.recover(START).latches).toEqual([
      { kind: 'halted', strategy: null, since: at(4), who: 'me', why: 'news; then kairos: again', reason: null },
    ]);
    journal.commit([row('resumed', { who: 'me', why: 'x' }, { strategy: 'sma' })]);
    expect(latchesOf(journal)).toEqual(['halted null']);
    journal.commit([row('resumed', { who: 'me', why: 'x' })]);
    expect(latchesOf(journal)).toEqual([]);
  });

  test('pauses and disabled strategies are latched each for itself', () => {
    const journal = begun(':memory:');
    const by = { who: 'me', why: 'x' };
    journal.commit([row('paused', by), row('paused', by, { strategy: 'a' }), row('paused', by, { strategy: 'b' })]);
    journal.commit([row('disabled', by, { strategy: 'a' }), row('disabled', by, { strategy: 'c' })]);
    journal.commit([row('resumed', by, { strategy: 'a' }), row('enabled', by, { strategy: 'c' })]);
    expect(latchesOf(journal)).toEqual(['paused null', 'paused b', 'disabled a']);
    journal.commit([row('resumed', by)]);
    expect(latchesOf(journal)).toEqual(['disabled a']);
  });
});

describe('I04 a person settles what is unknown', () => {
  function withUnknown() {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order), unknown(order)]);
    journal.close();
    return { path, order };
  }
  const by = { who: 'ann', why: 'seen in the account', now: at(500) };

  test('accepted without figures is booked as quoted', () => {
    const { path, order } = withUnknown();
    expect(resolveOrder({ path, orderId: '1-1', as: 'accepted', ...by }).fill).toEqual(fillOf(order));
    const reader = JournalReader.open(path);
    expect(reader.story('1-1')?.order).toMatchObject({ state: 'accepted', settled_at: '2026-11-21T03:08:20.000Z', response: '' });
    expect([...reader.ledger()].map(({ amount }) => amount)).toEqual(['0.01', '-610.005', '-0.610005']);
    expect(reader.tail(1)).toMatchObject([{ kind: 'resolved', reason: 'BY_PERSON', inbox_seq: 0, order_id: '1-1' }]);
    reader.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true });
    expect(openJournal(path).recover(START).books.books).toMatchObject([{ entries: 1 }]);
  });

  test('figures replace those of the quote, the value follows from them', () => {
    const { path } = withUnknown();
    const { fill } = resolveOrder({ path, orderId: '1-1', as: 'accepted', figures: { price: '60000', fee: '0.5' }, ...by });
    expect(fill).toMatchObject({ price: '60000', size: '0.01', value: '600', fee: '0.5', feeCcy: 'USD' });
  });

  test('rejected books nothing and unfreezes the product', () => {
    const { path } = withUnknown();
    resolveOrder({ path, orderId: '1-1', as: 'rejected', ...by });
    const facts = openJournal(path).recover(START);
    expect(facts.books).toEqual(NO_BOOKS);
    expect(facts.unknowns).toEqual([]);
  });

  test('the second word is refused, as is one on an order that has an outcome', () => {
    const { path } = withUnknown();
    resolveOrder({ path, orderId: '1-1', as: 'rejected', ...by });
    expect(() => resolveOrder({ path, orderId: '1-1', as: 'accepted', ...by })).toThrow(/is rejected/);
    expect(JournalReader.open(path).tail(100)).toHaveLength(5);
  });

  test('F45 an order that a crash left on its way is first journaled as unknown', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit(permits(orderFacts(1)));
    journal.close();
    resolveOrder({ path, orderId: '1-1', as: 'accepted', ...by });
    const reader = JournalReader.open(path);
    expect(reader.tail(2).map(({ kind, reason }) => [kind, reason])).toEqual([
      ['unknown', 'CRASH_RECOVERY'],
      ['resolved', 'BY_PERSON'],
    ]);
    reader.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true });
  });

  test('B05 figures that are no numbers, orders and journals that are not there, are refused with nothing written', () => {
    const { path } = withUnknown();
    const codeOf = (work: () => unknown): string => {
      try {
        work();
      } catch (error) {
        if (error instanceof KairosError) return error.code;
      }
      return 'none';
    };
    for (const price of ['1,000.50', '1_000', '0x10', ' 12 ', '', '-1', 'NaN', 'Infinity', '1e3', '0', '.5', '9'.repeat(40)]) {
      expect([price, codeOf(() => resolveOrder({ path, orderId: '1-1', as: 'accepted', figures: { price }, ...by }))]).toEqual([
        price,
        'USAGE',
      ]);
    }
    expect(codeOf(() => resolveOrder({ path, orderId: '9-9', as: 'accepted', ...by }))).toBe('NOT_FOUND');
    expect(codeOf(() => resolveOrder({ path: `${path}.no`, orderId: '1-1', as: 'accepted', ...by }))).toBe('NOT_FOUND');
    expect(JournalReader.open(path).tail(100)).toHaveLength(4);
  });
});

describe('reading', () => {
  test('a reader sees what the daemon has committed, while it writes', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    journal.commit(permits(orderFacts(1)));
    const reader = JournalReader.open(path);
    expect(reader.holder()).toEqual({ pid: process.pid });
    expect(reader.tail(10)).toHaveLength(2);
    for (let n = 2; n <= 50; n += 1) {
      journal.commit(permits(orderFacts(n)));
      expect(reader.after(2 * n - 2, 10)).toHaveLength(2);
    }
    journal.flush();
    expect(reader.runs()).toMatchObject([{ decisions: 100, orders: 50, accepted: 0, end_state: null }]);
    journal.close();
    reader.close();
  });

  test('a refusal that repeated itself counts as often as it happened', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const hold = { why: 'wait', signals: {} };
    journal.commit([row('hold', hold, { reason: 'HOLD' }), row('hold', { ...hold, repeated: 40 }, { reason: 'HOLD' })]);
    journal.commit([row('hold', hold, { reason: 'HOLD' }), row('paused', { who: 'me', why: 'x' })]);
    const reader = JournalReader.open(path);
    expect(reader.reasons(5).map(({ kind, reason, count }) => [kind, reason, count])).toEqual([
      ['hold', 'HOLD', 41],
      ['paused', null, 1],
    ]);
    expect(reader.reasons(1)).toHaveLength(1);
    reader.close();
  });

  test('the status says what is held, booked, open and latched, to the last decimal', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const [a, b, c] = [
      orderFacts(1, { size: '0.1', value: '0.1', fee: '0.1' }),
      orderFacts(2, { size: '0.2', value: '0.2', fee: '0.001', feeCcy: 'BTC' }),
      orderFacts(3, { strategy: 'coin', product: 'ethusd', baseCcy: 'ETH' }),
    ];
    journal.commit([...permits(a), accepted(a), ...permits(b), accepted(b), ...permits(c), unknown(c)]);
    journal.commit([row('paused', { who: 'me', why: 'lunch' })]);
    const reader = JournalReader.open(path);
    expect(statusReport(reader)).toMatchObject({
      book: 'paper',
      running: true,
      pid: process.pid,
      orders: { accepted: 2, unknown: 1 },
      positions: [{ book: 'sma', product: 'btcusd', currency: 'btc', size: '0.299' }],
      ledger: [
        { book: 'sma', currency: 'btc', amount: '0.299', fees: '-0.001' },
        { book: 'sma', currency: 'usd', amount: '-0.4', fees: '-0.1' },
      ],
      open: [{ order_id: '3-1', state: 'unknown' }],
      latches: [{ kind: 'paused', strategy: null, who: 'me', why: 'lunch' }],
    });
    reader.close();
  });
});

test('the canonical dump of two runs that decided the same is the same, whatever the journal held before', () => {
  const dir = folder();
  const decide = (journal: SqliteJournal) => {
    const order = orderFacts(8);
    journal.defer([row('hold', { why: 'wait', signals: { x: 1 } })]);
    journal.commit([...permits(order), sent(order)]);
    journal.commit([accepted(order)]);
    journal.close();
  };
  const fresh = begun(join(dir, 'a.db'));
  decide(fresh);
  const earlier = begun(join(dir, 'b.db'));
  const before = orderFacts(1);
  earlier.commit([...permits(before), accepted(before)]);
  earlier.close();
  const again = openJournal(join(dir, 'b.db'));
  const run = runId('20261121T050000Z-000009');
  begin(again, run);
  decide(again);
  const a = [...dumpJournal({ path: join(dir, 'a.db') })];
  const b = [...dumpJournal({ path: join(dir, 'b.db'), run })];
  expect(b).toEqual(a);
  expect(a).toHaveLength(5 + 1 + 3);
  expect(a.join('\n')).not.toMatch(/run_id|prev_hash|"seq"|"hash"|entry_id/);
});
