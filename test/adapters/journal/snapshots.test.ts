import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { rowEnd } from '#adapters/journal/journal-state.ts';
import { CHAIN_START, type ChainEnd } from '#adapters/journal/records.ts';
import { recover } from '#adapters/journal/recovery.ts';
import { schemaAfter } from '#adapters/journal/schema.ts';
import { type SnapshotRow, Snapshots, snapshotHash, stateUpTo } from '#adapters/journal/snapshots.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import type { OrderText } from '#domain/order.ts';
import { fc, test } from '../../support/property.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, begin, begun, folder, openJournal, orderFacts, permits, RUN, rejected, row, START, sent, unknown } from './rows.ts';

const STRATEGIES = ['sma', 'coin', '7', '__proto__'] as const;
const PRODUCTS = [
  { product: 'btcusd', baseCcy: 'BTC', quoteCcy: 'USD' },
  { product: 'ethbtc', baseCcy: 'ETH', quoteCcy: 'BTC' },
] as const;

/** Commits of a history: orders with every fate, late words on earlier ones, money without orders, rows of which the last counts. */
const facts = fc.record({
  what: fc.constantFrom(
    'filled',
    'filled',
    'filled',
    'rejected',
    'unknown',
    'again',
    'booked',
    'state',
    'peak',
    'exit',
    'learned',
    'working',
    'worked',
    'anew',
  ),
  strategy: fc.constantFrom(...STRATEGIES),
  market: fc.constantFrom(...PRODUCTS),
  side: fc.constantFrom('buy', 'sell'),
  price: fc.integer({ min: 1, max: 100_000_000 }),
  size: fc.integer({ min: 1, max: 30 }),
  feeIn: fc.constantFrom('base', 'quote', 'other'),
});

type Fact = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

function orderOf(n: number, { strategy, market, side, price, size, feeIn }: Fact): OrderText {
  const unit = decimalOf(price).div(1000);
  return orderFacts(n, {
    ...market,
    strategy,
    side: side === 'buy' ? 'buy' : 'sell',
    price: unit.toString(),
    size: decimalOf(size).div(10).toString(),
    value: unit.times(size).div(10).toString(),
    fee: '0.00123456789',
    feeCcy: feeIn === 'base' ? market.baseCcy : feeIn === 'quote' ? market.quoteCcy : 'BNB',
  });
}

/** The decisions of each commit. */
function historyOf(given: readonly Fact[]): readonly Decision[][] {
  const known: OrderText[] = [];
  return given.map((fact, index) => {
    const n = index + 1;
    const { what, strategy, market, price } = fact;
    const of = { strategy, n };
    const order = orderOf(n, fact);
    const inProduct = (one: Decision): Decision => ({ ...one, product: row('state', { state: '', by: '' }, { order }).product });
    switch (what) {
      case 'filled':
      case 'rejected':
      case 'unknown':
        known.push(order);
        return [
          ...permits(order),
          sent(order),
          ...(what === 'filled' ? [accepted(order)] : what === 'rejected' ? [rejected(order)] : [unknown(order)]),
        ];
      case 'again': {
        const earlier = known[price % Math.max(1, known.length)];
        return earlier ? [accepted(earlier)] : [];
      }
      case 'booked': {
        const kind = (['deposit', 'opening', 'financing', 'correction'] as const)[price % 4] ?? 'deposit';
        const { product, quoteCcy: currency } = market;
        return [row('booked', { who: 'me', why: 'x', entries: [{ kind, product, book: strategy, currency, amount: `${price}.5` }] }, of)];
      }
      case 'state':
        return [row('state', { state: String(n), by: 'quote' }, of)];
      case 'peak':
        return [inProduct(row('peak', { price: String(price), openedAt: START }, of))];
      case 'exit':
        return [inProduct({ ...row('exit', { rule: 'stopLossPct' } as never, of), reason: 'STOP_LOSS' })];
      case 'learned':
        return [inProduct(row('learned', { size: String(n), currency: 'BTC', lane: 'x' }, of))];
      case 'working':
        return [row('working', { work: `${price % 5}-${n}`, lasting: false, onLegFailure: 'keep', signals: {}, legs: [] } as never, of)];
      case 'anew':
        return [row('resumed', { who: 'me', why: 'x', ...(price % 3 > 0 && { anew: true }) }, { n })];
      default:
        return [row('worked', { work: `${price % 5}-${n - 1}` }, of)];
    }
  });
}

/** What a start finds. */
function found(path: string) {
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  try {
    return JSON.stringify(journal.recover(START + 1e6));
  } finally {
    journal.close();
  }
}

function withoutSnapshot(path: string): void {
  const database = new Database(path);
  database.exec('DELETE FROM snapshots');
  database.close();
}

const snapshotOf = (path: string) => {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare<[], { seq: number }>('SELECT seq FROM snapshots').all();
  } finally {
    database.close();
  }
};

describe('I19 a start from a snapshot finds what a start finds that reads every row', () => {
  test.prop([fc.array(facts, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 3 })], { numRuns: 60 })(
    'wherever it was taken, once or again',
    (given, cuts) => {
      const journal = JournalInMemory.of();
      const { database } = journal;
      const taken = new Set(cuts.map((cut) => cut % (given.length + 1)));
      for (const [index, commit] of historyOf(given).entries()) {
        // As a clean end does, and a start that goes on from it.
        if (taken.has(index)) new Snapshots(database).keep();
        journal.add(...commit);
      }
      expect(verifyJournal(journal.kept())).toMatchObject({ ok: true });
      const recovered = () => JSON.stringify(recover(database, new Snapshots(database).journalState(), START + 1e6));
      const fromSnapshot = recovered();
      database.exec('DELETE FROM snapshots');
      expect(fromSnapshot).toBe(recovered());
    },
  );
});

function stopped(orders: number): string {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (let n = 1; n <= orders; n++) journal.commit([...permits(orderFacts(n)), accepted(orderFacts(n))]);
  journal.end(RUN, 'stopped');
  journal.close();
  return path;
}

describe('when it is taken', () => {
  test('2,000 rows after the last one, by whoever opens the journal, and at once in place of one that is no good', () => {
    const journal = JournalInMemory.of(...permits(orderFacts(1)));
    const { database } = journal;
    const snapshots = new Snapshots(database);
    expect([snapshots.isDue(1_999), snapshots.isDue(2_000)]).toEqual([false, true]);
    snapshots.keep();
    for (const one of [snapshots, new Snapshots(database)]) expect([one.isDue(2_001), one.isDue(2_002)]).toEqual([false, true]);
    database.exec("UPDATE snapshots SET hash = 'another'");
    const next = new Snapshots(database);
    expect([next.isDue(3), next.fault]).toEqual([false, null]);
    next.journalState();
    expect(next.isDue(3)).toBe(true);
    next.keep();
    expect([next.isDue(3), next.fault]).toEqual([false, null]);
  });

  test('and only the rows behind it are read by a start: what it says comes to the same', () => {
    const opening = { kind: 'opening', book: 'treasury', currency: 'usd', amount: '1' } as const;
    const booked = row('booked', { who: 'ann', why: 'x', entries: [opening, { ...opening, kind: 'deposit' }] });
    const journal = JournalInMemory.of(...permits(orderFacts(1)), accepted(orderFacts(1)), booked);
    new Snapshots(journal.database).keep();
    journal.add(...permits(orderFacts(2)), accepted(orderFacts(2)), booked);
    const state = new Snapshots(journal.database).journalState();
    expect(state).toMatchObject({ openings: [{ amount: '2' }], books: { books: [{ size: '0.02' }] } });
    expect(JSON.stringify(state)).toBe(stateUpTo(journal.database, rowEnd(journal.database)));
    expect(verifyJournal(journal.kept())).toMatchObject({ ok: true });
  });

  test('never of no rows: there is no decision that it could belong to', () => {
    const { database } = JournalInMemory.of();
    new Snapshots(database).keep();
    expect(database.prepare('SELECT * FROM snapshots').all()).toEqual([]);
  });

  test('at a clean end, of all rows, and the one before is gone', () => {
    const path = stopped(2);
    expect(snapshotOf(path)).toEqual([{ seq: 6 }]);
    const journal = openJournal(path);
    expect(snapshotOf(path)).toEqual([{ seq: 6 }]);
    begin(journal, 'run-2' as typeof RUN);
    journal.commit([...permits(orderFacts(9)), accepted(orderFacts(9))]);
    journal.end('run-2' as typeof RUN, 'stopped');
    journal.close();
    expect(snapshotOf(path)).toEqual([{ seq: 9 }]);
  });

  test('one of an earlier schema, which says less, is no fault of a journal, and the next start makes another', () => {
    const path = stopped(2);
    const database = new Database(path);
    const { seq, entry_id, state } = database.prepare<[], SnapshotRow>('SELECT * FROM snapshots').get() ?? expect.fail('no snapshot');
    const earlier = state.replaceAll(/,"lots":\[[^\]]*\]/g, '');
    expect(earlier).not.toBe(state);
    const decisionHash = database.prepare<[number], string>('SELECT hash FROM decisions WHERE seq = ?').pluck().get(seq) ?? '';
    database
      .prepare('UPDATE snapshots SET state = ?, hash = ?')
      .run(earlier, snapshotHash(decisionHash, { seq, entry_id, state: earlier }));
    database.pragma(`user_version = ${schemaAfter(1)}`);
    database.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true });
    openJournal(path).close();
    expect(snapshotOf(path)).toEqual([]);
  });

  test('in passing, so that a SIGKILL after days leaves little to read, and once after a start that had to read everything', () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const holds = Array.from({ length: 1_999 }, (_, n) => row('hold', { why: 'wait', signals: {} }, { n }));
    journal.commit(holds);
    journal.flush();
    expect(snapshotOf(path)).toEqual([]);
    journal.commit(holds.slice(0, 2));
    journal.flush();
    expect(snapshotOf(path)).toEqual([{ seq: 2_001 }]);
    journal.close();
    withoutSnapshot(path);
    const next = openJournal(path);
    next.recover(START);
    begin(next, 'run-2' as typeof RUN);
    expect(snapshotOf(path)).toEqual([{ seq: 2_001 }]);
  });
});

describe('F51 a snapshot that does not belong to the decisions is never trusted', () => {
  test.each([
    ['another state', `UPDATE snapshots SET state = replace(state, '"0.02"', '"2"')`, 'state'],
    ['another place', 'UPDATE snapshots SET seq = seq - 1', 'seq'],
    ['another end of the ledger', 'UPDATE snapshots SET entry_id = entry_id - 3', 'entry_id'],
    ['another hash', `UPDATE snapshots SET hash = replace(hash, 'a', 'b')`, 'hash'],
    ['a place that is not there', 'UPDATE snapshots SET seq = 99', ''],
    ['no JSON', `UPDATE snapshots SET state = '{'`, 'state'],
  ])('%s: everything is read, and verify names it', (_, sql) => {
    const path = stopped(2);
    const whole = JSON.parse(found(path));
    expect(whole.snapshotFault).toBeNull();
    const database = new Database(path);
    expect(database.prepare(sql).run().changes).toBe(1);
    database.close();
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'snapshots' });
    const { snapshotFault, ...facts } = JSON.parse(found(path));
    expect(snapshotFault).toMatch(/^the snapshot of row \d+ does not belong to the decisions$/);
    expect({ ...facts, snapshotFault: null }).toEqual(whole);
    const next = openJournal(path);
    next.recover(START);
    begin(next, 'run-2' as typeof RUN);
    next.close();
    expect(verifyJournal(path)).toMatchObject({ ok: true });
  });

  test('nor one that cannot be read, although it is tied to its decision', () => {
    const journal = JournalInMemory.of(...permits(orderFacts(1)), accepted(orderFacts(1)));
    const { database } = journal;
    const whole = new Snapshots(database).journalState();
    const { seq, hash } = database.prepare<[], ChainEnd>('SELECT seq, hash FROM decisions WHERE seq = 2').get() ?? CHAIN_START;
    const row = { seq, entry_id: 0, state: '{"books":' };
    database.prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?)').run(seq, 0, row.state, snapshotHash(hash, row));
    const snapshots = new Snapshots(database);
    expect(snapshots.journalState()).toEqual(whole);
    expect(snapshots.fault).toMatch(/^the snapshot of row 2 cannot be read \(.*JSON/);
  });

  test('verify finds a false one that is tied to its decision as it should be', () => {
    const path = stopped(2);
    const database = new Database(path);
    const last = database.prepare<[], { hash: string }>('SELECT hash FROM decisions ORDER BY seq DESC LIMIT 1').get();
    const snapshot = database
      .prepare<[], { seq: number; entry_id: number; state: string }>('SELECT seq, entry_id, state FROM snapshots')
      .get();
    if (!last || !snapshot) throw new Error('a row and a snapshot');
    const state = snapshot.state.replace('"0.02"', '"2"');
    expect(state).not.toBe(snapshot.state);
    database.prepare('UPDATE snapshots SET state = ?, hash = ?').run(state, snapshotHash(last.hash, { ...snapshot, state }));
    database.close();
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'snapshots', row: '6', what: expect.stringMatching(/^state is/) });
  });
});
